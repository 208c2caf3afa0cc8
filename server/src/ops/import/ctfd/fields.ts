import { fieldLimits, isPlainLine, valueOf, type CustomField } from '@pennant/contract/custom-field-values.ts'
import { FieldId } from '@pennant/contract/custom-field-schemas.ts'
import type { ImportedRow } from '../contest.ts'
import { integerOf, isTrue, parseJson, textOf, type Json } from '../json.ts'
import type { Report } from '../report.ts'
import type { Accounts } from './accounts.ts'
import type { CtfdArchive } from './archive.ts'
import { slugOf } from './names.ts'
import type { Mode } from './values.ts'

interface Context {
  readonly mode: Mode
  readonly accounts: Accounts
  readonly report: Report
}

interface Fields {
  /** For the settings. */
  readonly fields: readonly CustomField[]
  /** Answers of teams and people. */
  readonly answers: readonly ImportedRow[]
}

/** Fields and their entries: of teams, and of users, who become people. */
export async function readFields(archive: CtfdArchive, context: Context): Promise<Fields> {
  const { mode, accounts, report } = context
  const taken = new Set<string>()
  const byId = new Map<number | null, CustomField>()
  for (const row of await archive.all('fields')) {
    if (byId.size >= fieldLimits.fields) {
      report.loss('fields', `More than ${fieldLimits.fields} fields are left out.`, textOf(row['name']))
      continue
    }
    // A contest of users may have fields of teams, which no one sees.
    if (mode === 'teams' || textOf(row['type']) !== 'team')
      byId.set(integerOf(row['id']), fieldOf(row, taken))
  }
  const answers = new Map<string, ImportedRow>()
  for await (const row of archive.rows('field_entries')) {
    const field = byId.get(integerOf(row['field_id']))
    const text = decoded(row['value'])
    if (!field || text === '') continue
    const isOfTeam = field.of === 'team'
    const owner = isOfTeam ? accounts.idOf(row['team_id']) : accounts.people.idOf(row['user_id'])
    const value = valueOf(field, text)
    if (owner === undefined) report.without('profileFields', field.id)
    else if (value === null)
      report.loss('field-answers', 'Answers do not fit their field and are left out.', field.id)
    else
      answers.set(`${owner} ${field.id}`, {
        columns: { [isOfTeam ? 'team_id' : 'person_id']: owner, field: field.id, value },
      })
  }
  return { fields: [...byId.values()], answers: [...answers.values()] }
}

function fieldOf(row: Json, taken: Set<string>): CustomField {
  const name = lineOf(row['name'], fieldLimits.label)
  const id = freeId(
    slugOf(name)
      .slice(0, 24)
      .replaceAll(/^[^a-z]+|-+$/g, ''),
    taken,
  )
  const help = lineOf(row['description'], fieldLimits.help)
  const common = {
    id,
    of: textOf(row['type']) === 'team' ? ('team' as const) : ('person' as const),
    asked: 'registration' as const,
    required: isTrue(row['required']),
    visible: isTrue(row['public']) ? ('everyone' as const) : ('organisers' as const),
    texts: [{ language: 'en', label: name === '' ? id : name, ...(help !== '' && { help }) }],
  }
  return textOf(row['field_type']) === 'boolean'
    ? { ...common, kind: 'choice', choices: ['yes', 'no'] }
    : { ...common, kind: 'text' }
}

function freeId(slug: string, taken: Set<string>): string {
  const base = FieldId.safeParse(slug).success ? slug : 'field'
  for (let number = 1; ; number += 1) {
    const id = number === 1 && base !== 'field' ? base : `${base}-${number}`
    if (taken.has(id)) continue
    taken.add(id)
    return id
  }
}

function lineOf(value: unknown, max: number): string {
  const characters = [...textOf(value).replaceAll(/\s+/g, ' ')].filter(isPlainLine)
  return characters.join('').trim().slice(0, max).trim()
}

/** A value, a JSON text, or a text that was quoted twice: as its exporter wrote it. */
function decoded(value: unknown): string {
  let found = value
  // Twice is what exporters are known to do.
  for (
    let round = 0;
    round < 3 && typeof found === 'string' && /^".*"$|^(?:true|false)$/s.test(found);
    round += 1
  )
    found = parseJson(found) ?? found
  if (typeof found === 'boolean') return found ? 'yes' : 'no'
  return textOf(found).trim()
}
