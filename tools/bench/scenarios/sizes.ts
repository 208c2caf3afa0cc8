import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { DAY_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import { freePort, startInstance, type Instance } from '../../lib/instance.ts'
import { databaseAddress } from '../data/contest.ts'
import { fillContest } from '../fill.ts'
import { load, type LoadResult } from './load.ts'
import { markdownOf } from '../report.ts'
import { submitPairs } from './submit-pairs.ts'

// What events of different sizes need: docs/operate/sizing.md.

/** Half of them has solved each of the 20 challenges. They are added besides the teams that the bench plays with. */
const SIZES = [100, 1_000, 10_000]
const CONNECTIONS = 32
const SECONDS = 5
/** Of `fillContest`. */
const CHALLENGES = 20
/** The same for each size, so that the rates can be compared. */
const FLAGS = 1_000

interface Sized {
  readonly teams: number
  readonly readyS: number
  /** Resident memory of the server process: after the start, and the most until the end of the load. */
  readonly idleMib: number
  readonly peakMib: number
  readonly databaseMib: number
  readonly scoreboard: LoadResult
  readonly challenges: LoadResult
  readonly flags: LoadResult
  /** The most connections to the database that were open while flags were submitted. */
  readonly connections: number
}

/** Prints a line for each number of teams. */
export async function measureSizes(): Promise<void> {
  const rows: Sized[] = []
  for (const teams of SIZES) rows.push(await measureSize(teams))
  const table = rows.map((row) => ({
    teams: row.teams,
    'start s': row.readyS,
    'idle MiB': Math.round(row.idleMib),
    'peak MiB': Math.round(row.peakMib),
    'database MiB': Math.round(row.databaseMib),
    'scoreboard pages per s (p99 ms)': rate(row.scoreboard),
    'challenge lists per s (p99 ms)': rate(row.challenges),
    'right flags per s (p99 ms)': rate(row.flags),
    connections: row.connections,
  }))
  for (const line of markdownOf({ title: 'Sizes', rows: table })) console.log(line)
}

function rate({ perSecond, p99Ms, not2xx }: LoadResult): string {
  return `${perSecond.toFixed(0)} (${p99Ms.toFixed(0)})${not2xx === 0 ? '' : `, ${not2xx} not 2xx`}`
}

async function measureSize(teams: number): Promise<Sized> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pennant-sizes-'))
  const options = {
    dataDir,
    port: await freePort(),
    env: {
      LOG_LEVEL: 'warn',
      PENNANT_REGISTRATION_LIMIT_BURST: '1000',
      PENNANT_START_TIME: String(Date.now() - DAY_MS),
    },
  }
  const database = new Client({ connectionString: databaseAddress(dataDir) })
  // A connection that breaks is reported by its next query.
  database.on('error', () => {})
  try {
    const filled = await fillTeams(options, teams)
    const started = performance.now()
    await using instance = await startInstance(options)
    const readyS = (performance.now() - started) / SECOND_MS
    await database.connect()
    const idleMib = mibOf(instance, 'VmRSS')
    const headers = { 'accept-encoding': 'br' }
    const common = { connections: CONNECTIONS, seconds: SECONDS }
    const scoreboard = await load({
      ...common,
      url: `${instance.url}/api/v2/leaderboard/now?limit=100&offset=0`,
      headers,
    })
    const challenges = await load({
      ...common,
      url: `${instance.url}/api/v2/challs`,
      headers: { ...headers, authorization: `Bearer ${filled.token}` },
    })
    let connections = 0
    const counting = setInterval(() => void countConnections(database).then(keepMost), SECOND_MS / 10)
    const keepMost = (count: number) => (connections = Math.max(connections, count))
    const pairs = filled.openPairs.slice(0, FLAGS)
    // Wrong ones first, because a process is slower until its code is compiled.
    await submitPairs(instance.url, pairs, () => 'flag{wrong}')
    const flags = await submitPairs(instance.url, pairs)
    clearInterval(counting)
    const peakMib = mibOf(instance, 'VmHWM')
    const databaseMib = await sizeOf(database)
    await database.end()
    return { teams, readyS, idleMib, peakMib, databaseMib, scoreboard, challenges, flags, connections }
  } finally {
    await database.end().catch(() => {})
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Those that play come through the API, the others as rows, because 10,000 registrations would take most of the time. */
async function fillTeams(options: Parameters<typeof startInstance>[0], teams: number) {
  await using instance = await startInstance(options)
  const filled = await fillContest(instance, { teams: 25, writers: Math.min(teams / 2, 400) })
  const database = new Client({ connectionString: databaseAddress(options.dataDir) })
  await database.connect()
  try {
    await database.query(
      `insert into teams (id, name, email, division)
       select 'quiet-' || n, 'Quiet ' || n, n || '@quiet.example', (select division from teams limit 1)
       from generate_series((select count(*) from teams), $1) n`,
      [teams],
    )
    await database.query(
      `insert into solves (id, challenge_id, team_id, created_at, ip, global_place, division_place)
       select gen_random_uuid(), 'bench-' || c, t.id, now() - random() * interval '23 hours', '::1', 1, 1
       from teams t, generate_series(0, $1::int - 1) c where t.id like 'quiet-%' and random() < 0.5`,
      [CHALLENGES],
    )
  } finally {
    await database.end()
  }
  return filled
}

function mibOf({ process: child }: Instance, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024
}

/** Without the connection of the question. */
async function countConnections(database: Client): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where backend_type = 'client backend' and datname = current_database() and pid <> pg_backend_pid()`,
  )
  return rows[0]?.count ?? NaN
}

async function sizeOf(database: Client): Promise<number> {
  const { rows } = await database.query<{ mib: number }>(
    `select pg_database_size(current_database())::float8 / 1024 / 1024 as mib`,
  )
  return rows[0]?.mib ?? NaN
}
