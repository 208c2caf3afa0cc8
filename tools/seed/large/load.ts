import { Client } from 'pg'
import { copyRows } from './copy-rows.ts'
import { PAST_MS, type Generated } from './generate.ts'

// Writes a generated contest into the tables of a server that starts afterwards and loads everything.

export const DIVISIONS = { open: 'Open', student: 'Students' }
const CATEGORIES = ['web', 'crypto', 'pwn', 'rev', 'forensics', 'osint', 'misc', 'hardware']
const COUNTRIES = ['NO', 'DE', 'BR', 'JP', 'FR', 'KE', '\\N']
/** Of usual length, with the line breaks escaped for PostgreSQL. */
const DESCRIPTION = [
  'Something is hidden in this service. It answers on one port only, and says little.',
  '> [!CONNECTION]\n> nc tasks.ctf.example 31337',
  'The sources are given. `strings` finds nothing; look at what the *second* request changes.',
  'Lorem ipsum dolor sit amet. '.repeat(7).trim(),
]
  .join('\n\n')
  .replaceAll('\n', '\\n')
/** Lines that are sent to the database together. */
const PIECE_LINES = 500
/** Memory to create an index, as indices are created one after the other. */
const INDEX_MEMORY = '512MB'

export const flagOf = (challengeId: string) => `flag{${challengeId}}`

export interface LoadTarget {
  readonly databaseUrl: string
  /** Unix milliseconds. */
  readonly now: number
}

/** Throws if the database has teams already, except for organisers, which are deleted. */
export async function loadRows(generated: Generated, { databaseUrl, now }: LoadTarget): Promise<void> {
  const startAt = now - PAST_MS
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from teams where perms = 0 limit 1')
    if (rowCount !== 0) throw new Error('The database has teams already. Use an empty one.')
    await client.query('begin')
    await client.query(`set local maintenance_work_mem = '${INDEX_MEMORY}'`)
    await client.query('set local statement_timeout = 0')
    await client.query('truncate teams, challenges, solves, submissions cascade')
    await copyTeams(client, generated, startAt)
    await copyChallenges(client, generated)
    await copySolves(client, generated, startAt)
    await copySubmissions(client, generated, startAt)
    await client.query('commit')
    await client.query('analyze')
    // Otherwise it would run while something is measured.
    await client.query('checkpoint')
  } finally {
    await client.end()
  }
}

function copyTeams(client: Client, { teamIds }: Generated, startAt: number): Promise<void> {
  const createdAt = timestampAt(startAt)
  const line = (n: number) => {
    const division = n % 2 === 0 ? 'open' : 'student'
    const country = COUNTRIES[n % COUNTRIES.length]
    return `${teamIds[n]}\tCrew ${n + 1}\tcrew-${n + 1}@crews.example\t${division}\t${country}\t${createdAt}\n`
  }
  return copyRows(client, {
    table: 'teams',
    columns: ['id', 'name', 'email', 'division', 'country_code', 'created_at'],
    lines: pieces(teamIds.length, line),
  })
}

function copyChallenges(client: Client, { challengeIds }: Generated): Promise<void> {
  const line = (n: number) => {
    const id = challengeIds[n] ?? ''
    const flags = JSON.stringify([{ provider: 'flags/static', config: { flag: flagOf(id) } }])
    return `${id}\tTask ${n + 1}\t${DESCRIPTION}\t${CATEGORIES[n % CATEGORIES.length]}\tauthor ${n % 9}\t${flags}\t100\t500\ttrue\t${n}\n`
  }
  return copyRows(client, {
    table: 'challenges',
    columns: [
      'id',
      'name',
      'description',
      'category',
      'author',
      'flags',
      'points_min',
      'points_max',
      'tiebreak_eligible',
      'sort_weight',
    ],
    lines: pieces(challengeIds.length, line),
  })
}

function copySolves(client: Client, generated: Generated, startAt: number): Promise<void> {
  const { set, teamIds, challengeIds, solve } = generated
  const line = (n: number) => {
    const { team, challenge, afterMs } = solve(n)
    const at = startAt + afterMs
    // The rank is the order by strength: plausible, without computing the standings at each solve.
    return `${idAt(at, 's', n)}\t${challengeIds[challenge]}\t${teamIds[team]}\t${timestampAt(at)}\t${addressOf(team)}\t${team + 1}\t${Math.floor(team / 2) + 1}\n`
  }
  return copyRows(client, {
    table: 'solves',
    columns: ['id', 'challenge_id', 'team_id', 'created_at', 'ip', 'global_place', 'division_place'],
    lines: pieces(set.solves, line),
  })
}

/** A right submission for each solve, if they are audited, and the wrong ones. */
function copySubmissions(client: Client, generated: Generated, startAt: number): Promise<void> {
  const { set, teamIds, challengeIds, solve } = generated
  const right = (n: number) => {
    const { team, challenge, afterMs } = solve(n)
    const at = startAt + afterMs
    const id = challengeIds[challenge] ?? ''
    const flag = flagOf(id)
    const details = `{"submittedFlag":"${flag}","matchedFlagIndex":0,"matchedFlagProvider":"flags/static","matchedFlagConfig":{"flag":"${flag}"}}`
    return `${idAt(at, 'a', n)}\tflag\t${id}\t${teamIds[team]}\t${addressOf(team)}\tcorrect\t${details}\t${idAt(at, 's', n)}\t${timestampAt(at)}\n`
  }
  const wrong = (n: number) => {
    const team = (n * 7919) % set.teams
    const id = challengeIds[(n * 31) % set.challenges]
    const at = startAt + Math.floor((PAST_MS * n) / set.wrong)
    return `${idAt(at, 'b', n)}\tflag\t${id}\t${teamIds[team]}\t${addressOf(team)}\tincorrect\t{"submittedFlag":"flag{wrong ${n}}"}\t\\N\t${timestampAt(at)}\n`
  }
  function* lines() {
    if (set.isAudited) yield* pieces(set.solves, right)
    yield* pieces(set.wrong, wrong)
  }
  return copyRows(client, {
    table: 'submissions',
    columns: ['id', 'kind', 'challenge_id', 'team_id', 'ip', 'result', 'details', 'related_id', 'created_at'],
    lines: lines(),
  })
}

function* pieces(count: number, lineOf: (n: number) => string): Generator<string> {
  for (let from = 0; from < count; from += PIECE_LINES) {
    let piece = ''
    for (let n = from; n < Math.min(count, from + PIECE_LINES); n += 1) piece += lineOf(n)
    yield piece
  }
}

/** A UUID of version 7 that increases with time, then with the number. */
function idAt(at: number, kind: 's' | 'a' | 'b', n: number): string {
  const time = at.toString(16).padStart(12, '0')
  const variant = { s: '7000-8000', a: '7000-8001', b: '7000-8002' }[kind]
  return `${time.slice(0, 8)}-${time.slice(8)}-${variant}-${n.toString(16).padStart(12, '0')}`
}

function timestampAt(at: number): string {
  return new Date(at).toISOString()
}

/** A private address for each team. */
export function addressOf(team: number): string {
  return `10.${(team >> 16) & 255}.${(team >> 8) & 255}.${team & 255}`
}
