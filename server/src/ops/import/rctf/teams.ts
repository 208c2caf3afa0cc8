import { countryCodes } from '@pennant/contract/countries.ts'
import { isEmail, teamNameKey } from '@pennant/contract/fields.ts'
import { ALL_PERMISSIONS } from '@pennant/contract/permissions.ts'
import type { ImportedMember, ImportedPending, ImportedTeam } from '../contest.ts'
import { readPostgresInstant } from '../micros.ts'
import type { Report } from '../report.ts'
import type { Row } from './copy-text.ts'
import type { RctfLinks } from './uploads.ts'

const MAX_ID_LENGTH = 255
const MAX_STATUS_LENGTH = 60
const NAME = /^[\x20-\x7e]{2,64}$/

export interface TeamRules {
  /** Divisions of this contest, and those of the source that become others. */
  readonly divisions: ReadonlySet<string>
  readonly mapped: ReadonlyMap<string, string>
  readonly links: RctfLinks
  readonly report: Report
}

export function readTeams(rows: readonly Row[], rules: TeamRules): ImportedTeam[] {
  const names = new Set<string>()
  return rows.map((row) => {
    const team = readTeam(row, rules)
    const key = teamNameKey(team.name)
    if (names.has(key))
      rules.report.note(
        'similar-names',
        'Names of teams differ only in the number of spaces. They stay.',
        team.name,
      )
    names.add(key)
    return team
  })
}

function readTeam(row: Row, { divisions, mapped, links, report }: TeamRules): ImportedTeam {
  const id = row['id'] ?? ''
  const name = row['name'] ?? ''
  const email = row['email'] ?? null
  const perms = Number(row['perms'] ?? 0)
  const division = mapped.get(row['division'] ?? '') ?? row['division'] ?? ''
  const shown = `${name} (${id})`
  if (id === '' || id.length > MAX_ID_LENGTH)
    report.problem('team-ids', `Ids of teams must have 1 to ${MAX_ID_LENGTH} characters.`, shown)
  if (!divisions.has(division))
    report.problem(
      'divisions',
      'Divisions of teams are not in the configuration. Add them to `divisions`, or use `--division old=new`.',
      division,
    )
  if (!NAME.test(name) || name !== name.trim())
    report.note(
      'team-names',
      'Names of teams break the rules. They stay until the team changes its name.',
      shown,
    )
  if (email !== null && !isEmail(email))
    report.note(
      'team-emails',
      'Email addresses of teams break the rules. They stay, but may not receive mail.',
      shown,
    )
  if ((perms & ALL_PERMISSIONS) !== 0)
    report.note(
      'admins',
      'Teams keep their permissions of organisers.',
      `${shown}: ${perms & ALL_PERMISSIONS}`,
    )
  return {
    id,
    name,
    email,
    extrankId: row['ctftime_id'] ?? null,
    division,
    perms: perms & ALL_PERMISSIONS,
    banned: row['banned'] === 't',
    avatarUrl: avatarOf(row, { links, report }),
    countryCode: countryOf(row, report),
    statusText: statusOf(row, report),
    createdAt: requireInstant(row['created_at'] ?? null, report),
  }
}

function avatarOf(row: Row, { links, report }: Pick<TeamRules, 'links' | 'report'>): string | null {
  const url = row['avatar_url'] ?? null
  if (url === null) return null
  const marker = links.avatar(row['id'] ?? '', url)
  if (marker === null)
    report.loss(
      'avatar-links',
      'Avatars are not in the store of the source and are left out.',
      `${row['name']}: ${url}`,
    )
  return marker
}

function countryOf(row: Row, report: Report): string | null {
  const code = row['country_code'] ?? null
  if (code === null || countryCodes.includes(code)) return code
  report.loss('countries', 'Countries of teams are unknown and left out.', `${row['name']}: ${code}`)
  return null
}

function statusOf(row: Row, report: Report): string | null {
  const text = row['status_text'] ?? null
  if (text !== null && text.length > MAX_STATUS_LENGTH)
    report.note(
      'status-texts',
      `Status texts have more than ${MAX_STATUS_LENGTH} characters. They stay.`,
      row['name'] ?? '',
    )
  return text
}

/** A time that cannot be read stops the import. */
export function requireInstant(text: string | null, report: Report): number {
  const instant = text === null ? null : readPostgresInstant(text)
  if (instant === null)
    report.problem('times', 'Times are missing, or not between the years 1970 and 9999.', text ?? 'null')
  return instant ?? 0
}

export function readMembers(rows: readonly Row[]): ImportedMember[] {
  return rows.map((row) => ({
    id: row['id'] ?? '',
    teamId: row['userid'] ?? '',
    email: row['email'] ?? '',
  }))
}

/** Registrations that still wait for their mailed link. Its token does not fit, so the mail must be sent again. */
export function readPending(
  rows: readonly Row[],
  { now, report }: { readonly now: number; readonly report: Report },
): ImportedPending[] {
  return rows.flatMap((row) => {
    const expiresAt = requireInstant(row['expires_at'] ?? null, report)
    if (expiresAt <= now * 1000) return []
    const { id, email, name, division } = row
    report.note('pending', 'Registrations are not verified yet: send their mail again.', email ?? '')
    const createdAt = requireInstant(row['created_at'] ?? null, report)
    return [
      { id: id ?? '', email: email ?? '', name: name ?? '', division: division ?? '', createdAt, expiresAt },
    ]
  })
}
