import { PersonName } from '@pennant/contract/fields.ts'
import type { ImportedPerson } from '../contest.ts'
import { uuidOf } from '../ids.ts'
import { integerOf, isTrue, textOf, type Json } from '../json.ts'
import { withoutMarkers } from '../links.ts'
import type { Report } from '../report.ts'
import { addressOf, microsOf, type Mode } from './values.ts'

interface PeopleSource {
  readonly mode: Mode
  /** In the order of their ids. */
  readonly users: readonly Json[]
  readonly teams: readonly Json[]
  /** Pennant's id of the team of an account; undefined if it is not imported. */
  readonly teamOf: (account: unknown) => string | undefined
  readonly report: Report
}

export interface People {
  readonly people: readonly ImportedPerson[]
  /** Pennant's id of a user who became a person. */
  idOf(user: unknown): string | undefined
}

/**
 * Users become people of their teams, or of their own in users mode. They sign in by a mailed link, so one needs an address; passwords
 * never arrive.
 */
export function readPeople(source: PeopleSource): People {
  const { mode, users, report } = source
  const addresses = new Set<string>()
  const found = users.flatMap((user) => {
    const email = usableAddress(user, source)
    if (email === null) return []
    if (addresses.has(email)) {
      report.loss('equal-addresses', 'Users have the address of another one and are left out.', email)
      return []
    }
    addresses.add(email)
    return [{ user, email }]
  })
  const captains = captainsOf(
    source,
    found.map(({ user }) => user),
  )
  const people = found.map(({ user, email }): ImportedPerson => {
    const id = personId(user['id'])
    const teamId = source.teamOf(mode === 'teams' ? user['team_id'] : user['id']) ?? null
    const createdAt = microsOf(user['created']) ?? 0
    const isCaptain = teamId !== null && (mode === 'users' || captains.has(id))
    const joinedAt = teamId === null ? null : createdAt
    return { id, name: nameOf(user, report), email, teamId, isCaptain, joinedAt, createdAt }
  })
  const ids = new Set(people.map(({ id }) => id))
  return {
    people,
    idOf(user) {
      const id = personId(user)
      return ids.has(id) ? id : undefined
    },
  }
}

const personId = (user: unknown) => uuidOf('ctfd person', String(integerOf(user)))

/** Null for users who do not become people. */
function usableAddress(user: Json, { mode, teamOf, report }: PeopleSource): string | null {
  const name = textOf(user['name'])
  const teamId = teamOf(mode === 'teams' ? user['team_id'] : user['id'])
  // An admin without an account plays nowhere; in users mode a hidden account may have been left out.
  if (teamId === undefined && (mode === 'users' || user['type'] === 'admin')) return null
  if (mode === 'teams' && isTrue(user['banned'])) {
    report.loss('banned-users', 'Banned users are left out. Their teams are not banned.', name)
    return null
  }
  if (teamId === undefined)
    report.note('users-without-team', 'Users without a team become people in no team.', name)
  const email = addressOf(user['email'])
  // An account in users mode gets another way to sign in, and a finding.
  if (email === null && mode === 'teams')
    report.loss(
      'member-addresses',
      'Addresses of users are not valid. They could not sign in and are left out.',
      name,
    )
  return email
}

/** The captain of each team, or its first user if the captain does not become a person. */
function captainsOf({ teams, teamOf }: PeopleSource, users: readonly Json[]): ReadonlySet<string> {
  const captains = teams.flatMap((team) => {
    if (teamOf(team['id']) === undefined) return []
    const own = users.filter((user) => integerOf(user['team_id']) === integerOf(team['id']))
    const captain = own.find((user) => integerOf(user['id']) === integerOf(team['captain_id'])) ?? own[0]
    return captain ? [personId(captain['id'])] : []
  })
  return new Set(captains)
}

/** Names of people may be in any script, but not hide or reorder text. */
function nameOf(user: Json, report: Report): string {
  const original = withoutMarkers(textOf(user['name']))
  const name = PersonName.safeParse(original)
  if (name.success) return name.data
  const [safe] =
    /^[^]{0,60}/u.exec(
      original
        .normalize('NFC')
        .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
        .trim(),
    ) ?? []
  const cut = PersonName.safeParse(safe?.trim() ?? '')
  const changed = cut.success ? cut.data : `Person ${integerOf(user['id'])}`
  report.note('person-names', 'Names of people break the rules and change.', `${original} becomes ${changed}`)
  return changed
}
