import { COMMAND_LINE } from '@pennant/contract/actions.ts'
import { adminActionsMessages } from '../../text/en/admin-actions.ts'
import { useMessages } from '../../text/messages.ts'
import { DateTime } from '../../ui/fields/date-time.tsx'
import { DebouncedSearch } from '../../ui/fields/debounced-search.tsx'
import { Select } from '../../ui/fields/inputs.tsx'
import type { Action, ActionFilter } from './queries.ts'

interface FiltersProps {
  readonly filter: ActionFilter
  /** Entries that are shown: their organisers can be chosen. */
  readonly seen: readonly Action[]
  readonly onChange: (changes: Readonly<Record<string, string>>) => void
}

export function Filters({ filter, seen, onChange }: FiltersProps) {
  const text = useMessages(adminActionsMessages)
  const { kind, actor, target, from, until } = filter
  const isReversed = from !== null && until !== null && from >= until
  const kinds = Object.entries(text.kinds).map(([value, label]) => ({ value, label }))
  const filterBy = (bound: 'from' | 'until', at: number | null) => {
    if (!Number.isNaN(at)) onChange({ [bound]: String(at ?? '') })
  }
  // A link may name a kind of a newer server.
  const known = kind === '' || Object.hasOwn(text.kinds, kind) ? [] : [{ value: kind, label: kind }]
  return (
    <>
      <Select
        label={text.kind}
        value={kind}
        choices={[{ value: '', label: text.all }, ...kinds, ...known]}
        onChange={(next) => onChange({ kind: next })}
      />
      <Select
        label={text.who}
        value={actor}
        choices={[{ value: '', label: text.everyone }, ...actorsOf(seen, actor, text.commandLine)]}
        onChange={(next) => onChange({ actor: next })}
      />
      <DebouncedSearch
        label={text.target}
        maxLength={255}
        value={target}
        onChange={(next) => onChange({ target: next })}
      />
      <DateTime compact label={text.from} value={from} onChange={(at) => filterBy('from', at)} />
      <DateTime
        compact
        label={text.until}
        value={until}
        {...(isReversed ? { error: text.untilTooEarly } : {})}
        onChange={(at) => filterBy('until', at)}
      />
    </>
  )
}

/** Everyone in the list, the command line, and the one who is chosen. */
function actorsOf(seen: readonly Action[], chosen: string, commandLine: string) {
  const names = new Map([[COMMAND_LINE as string, commandLine]])
  if (chosen !== '' && chosen !== COMMAND_LINE) names.set(chosen, chosen)
  for (const { actor } of seen) if (actor.id !== null) names.set(actor.id, actor.name ?? actor.id)
  return Array.from(names, ([value, label]) => ({ value, label }))
}
