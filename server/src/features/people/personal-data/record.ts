import type { ProcessingRecord } from '@pennant/contract/personal-data.ts'
import type { z } from 'zod'
import { personalTables } from './declared.ts'
import type { PersonalTable } from './table.ts'

type Data = z.input<typeof ProcessingRecord>['data'][number]

/** Each table once, with what the list says of it. */
export function declaredData(erasesMessages: boolean): Data[] {
  const byName = new Map<string, Data>()
  for (const { name, category, personal, team, person, retention } of personalTables) {
    const known: Data = byName.get(name) ?? {
      table: name,
      category,
      columns: [],
      of: [],
      deletion: 'kept',
      retention: 'kept',
    }
    const deletions = [team?.deletion, person?.deletion].flatMap((erased) => erased ?? [])
    byName.set(name, {
      ...known,
      columns: [...known.columns, ...personal],
      of: [
        ...new Set([
          ...known.of,
          ...(team ? (['team'] as const) : []),
          ...(person ? (['person'] as const) : []),
        ]),
      ],
      deletion: strongest(known.deletion, deletions.map(outcomeOf)),
      retention: strongest(known.retention, outcomesOf(retention, erasesMessages)),
    })
  }
  return [...byName.values()].filter(({ columns }) => columns.length > 0)
}

function outcomesOf(retention: PersonalTable['retention'], erasesMessages: boolean): Outcome[] {
  if (!retention || (retention.isOfMessages && !erasesMessages)) return []
  return [outcomeOf(retention.erased)]
}

type Outcome = Data['deletion']

const outcomeOf = (erased: unknown): Outcome => (erased === 'row' ? 'deleted' : 'erased')

function strongest(known: Outcome, found: readonly Outcome[]): Outcome {
  const all = [known, ...found]
  return all.includes('deleted') ? 'deleted' : all.includes('erased') ? 'erased' : 'kept'
}
