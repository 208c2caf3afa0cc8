import { countryCodes } from '@pennant/contract/countries.ts'
import { ALL_PERMISSIONS } from '@pennant/contract/permissions.ts'
import { groupBy } from '../../../lib/group-by.ts'
import type { ImportedTeam } from '../contest.ts'
import { uuidOf } from '../ids.ts'
import { integerOf, isTrue, textOf, textOrNull, type Json } from '../json.ts'
import { withoutMarkers } from '../links.ts'
import type { Report } from '../report.ts'
import { createNames, slugOf } from './names.ts'
import type { CtfdOptions } from './options.ts'
import { readPeople, type People } from './people.ts'
import { addressOf, byId, microsOf, type Mode } from './values.ts'

export interface AccountRows {
  readonly mode: Mode
  readonly users: readonly Json[]
  readonly teams: readonly Json[]
  readonly brackets: readonly Json[]
}

export interface Accounts {
  readonly teams: readonly ImportedTeam[]
  readonly people: People
  /** Ids of accounts that the source ranks: neither hidden nor banned. */
  readonly ranked: ReadonlySet<string>
  /** Pennant's id of an account of the source; undefined if it is not imported. */
  idOf(account: unknown): string | undefined
  /** Labels of brackets by division. */
  readonly divisions: Readonly<Record<string, string>>
}

interface Context {
  readonly options: CtfdOptions
  readonly report: Report
}

/** In teams mode the accounts are the teams; users without a team are people without one. */
export function readAccounts(rows: AccountRows, context: Context): Accounts {
  const { mode, users, teams } = rows
  const { options, report } = context
  const source = byId(mode === 'teams' ? teams : users)
  const byTeam = groupBy(byId(users), ({ team_id: team }) => integerOf(team))
  const kept = source.filter((row) => isKept(row, context))
  const read = createReader(rows, context)
  const imported = kept.map((row) => read(row, byTeam.get(integerOf(row['id'])) ?? []))
  const organisers =
    mode === 'teams' && options.admins
      ? byId(users)
          .filter(({ type }) => type === 'admin')
          .map((row) => read(row, [], 'organiser'))
      : []
  for (const row of users) reportProfile(row, context)
  const ids = new Map(kept.map((row, at) => [integerOf(row['id']), imported[at]?.id ?? '']))
  const idOf = (account: unknown) => ids.get(integerOf(account))
  return {
    teams: [...imported, ...organisers],
    people: readPeople({ mode, users: byId(users), teams, teamOf: idOf, report }),
    ranked: new Set(
      kept.flatMap((row, at) =>
        isTrue(row['hidden']) || isTrue(row['banned']) ? [] : [imported[at]?.id ?? ''],
      ),
    ),
    idOf,
    divisions: Object.fromEntries(rows.brackets.map(({ name }) => [slugOf(textOf(name)), textOf(name)])),
  }
}

function isKept(row: Json, { options, report }: Context): boolean {
  if (!isTrue(row['hidden'])) return true
  const isSkipped = options.hidden === 'skip'
  report.loss(
    'hidden-accounts',
    isSkipped
      ? 'Hidden accounts are left out with their solves.'
      : 'Hidden accounts arrive banned, so that they are not ranked.',
    textOf(row['name']),
  )
  return !isSkipped
}

function reportProfile(row: Json, { options, report }: Context): void {
  if (row['password'] && !options.issuesLinks) report.without('passwords')
  if (row['oauth_id']) report.without('oauth', textOf(row['name']))
  if (['website', 'affiliation', 'language'].some((key) => textOf(row[key]) !== ''))
    report.without('profileFields', textOf(row['name']))
}

function createReader({ mode, brackets }: AccountRows, context: Context) {
  const { options, report } = context
  const nameOf = createNames()
  const emailOf = createEmails(report)

  return function read(row: Json, users: readonly Json[], kind: Mode | 'organiser' = mode) {
    const sourceId = String(integerOf(row['id']) ?? textOf(row['id']))
    const id = uuidOf('ctfd', kind, sourceId)
    const original = textOf(row['name'])
    const name = nameOf(original, sourceId)
    if (name !== original)
      report.note('names', 'Names of accounts break the rules and change.', `${original} becomes ${name}`)
    const captain = users.filter((user) => integerOf(user['id']) === integerOf(row['captain_id']))
    const oldest = users.toSorted((a, b) => (microsOf(a['created']) ?? 0) - (microsOf(b['created']) ?? 0))
    const email = emailOf(
      [row, ...captain, ...oldest].map((each) => each['email']),
      { id, name },
    )
    const isAdmin = options.admins && row['type'] === 'admin'
    if (isAdmin) report.note('admins', 'Admins get all permissions.', name)
    const team: ImportedTeam = {
      id,
      name: withoutMarkers(name),
      email,
      extrankId: null,
      division: divisionOf(row, { brackets, context }),
      perms: isAdmin ? ALL_PERMISSIONS : 0,
      banned: !isAdmin && (isTrue(row['banned']) || isTrue(row['hidden'])),
      avatarUrl: null,
      countryCode: countryOf(row, report),
      statusText: null,
      createdAt: microsOf(row['created']) ?? 0,
    }
    return team
  }
}

/** The first address that is valid and not taken; else one that cannot receive mail. */
function createEmails(report: Report) {
  const taken = new Set<string>()
  return (
    candidates: readonly unknown[],
    { id, name }: { readonly id: string; readonly name: string },
  ): string => {
    const valid = candidates.map(addressOf).filter((email) => email !== null)
    const free = valid.find((email) => !taken.has(email))
    if (free === undefined)
      report.loss(
        'addresses',
        'Accounts have no valid address of their own. They get one that receives no mail: sign in with the link of `--tokens`.',
        name,
      )
    const email = free ?? `${id}@import.invalid`
    taken.add(email)
    return email
  }
}

/** Brackets are rows since 3.7, and were a text of the account before. */
function divisionOf(
  row: Json,
  {
    brackets,
    context: { options, report },
  }: { readonly brackets: readonly Json[]; readonly context: Context },
): string {
  const id = integerOf(row['bracket_id'])
  const bracket = brackets.find((each) => id !== null && integerOf(each['id']) === id)
  const label = textOrNull(bracket?.['name']) ?? textOrNull(row['bracket'])
  if (label === null) return options.defaultDivision
  const named = Object.entries(options.divisions).find(([, text]) => text === label)?.[0]
  const division = options.mapped.get(label) ?? named ?? slugOf(label)
  if (!Object.hasOwn(options.divisions, division))
    report.problem(
      'divisions',
      'Brackets are not in the configuration. Add them to `divisions`, or use `--division bracket=division`.',
      `${division}: ${label}`,
    )
  return division
}

function countryOf(row: Json, report: Report): string | null {
  const code = textOrNull(row['country'])?.toUpperCase() ?? null
  if (code === null || countryCodes.includes(code)) return code
  report.loss(
    'countries',
    'Countries of accounts are unknown and left out.',
    `${textOf(row['name'])}: ${code}`,
  )
  return null
}
