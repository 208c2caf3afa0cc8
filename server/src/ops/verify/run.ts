import { setTimeout as delay } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { StartError } from '../../lib/errors.ts'
import { verifyActions, type VerifiedActions } from './actions.ts'
import { findViolations, type Violation } from './invariants.ts'
import { computeStandings, type Rank, type StandingsRules } from './standings.ts'
import { plural } from '../../lib/plural.ts'

export interface VerifyOptions {
  readonly client: ClientBase
  readonly rules: StandingsRules
  readonly now: () => number
  /** Unix milliseconds; null for now. */
  readonly at: number | null
  /** Server to compare with; null for the database alone. */
  readonly url: string | null
  /** Auth token, needed before the start. */
  readonly token: string | null
  /** Hash of an earlier head of the action log, which must still be in it. */
  readonly actionsHead?: string | null
}

export interface Verified {
  readonly standings: readonly Rank[]
  readonly violations: readonly Violation[]
  /** Null if it could not be read: then a violation says so. */
  readonly actions: VerifiedActions | null
  /** Ranks at which the server differs; null without a server. */
  readonly differences: readonly string[] | null
}

/** Replicas without Redis see changes within a second, and a busy contest changes between two reads. */
const ATTEMPTS = 6
const PAUSE_MS = 1_500
const PAGE = 100
/** Of each sort and join: enough for millions of rows without temporary files that take minutes. */
const MEMORY = '64MB'
const TIMEOUT_MS = 15_000

export async function verify(options: VerifyOptions): Promise<Verified> {
  const { url } = options
  let found = await readDatabase(options)
  if (url === null || found.violations.some(({ check }) => check === 'standings'))
    return { ...found, differences: null }
  let differences = compare(found.standings, await readServed(options, url))
  for (let attempt = 1; differences.length > 0 && attempt < ATTEMPTS; attempt++) {
    await delay(PAUSE_MS)
    found = await readDatabase(options)
    differences = compare(found.standings, await readServed(options, url))
  }
  return { ...found, differences }
}

async function readDatabase({ client, rules, at, now, actionsHead = null }: VerifyOptions) {
  await client.query(
    `begin isolation level repeatable read, read only; set local statement_timeout = 0; set local work_mem = '${MEMORY}'`,
  )
  const failed: Violation[] = []
  // A database that someone altered may lack what a check reads: that is a finding, and the other checks go on.
  const attempt = async <T>(check: string, work: () => Promise<T>, otherwise: T): Promise<T> => {
    await client.query('savepoint attempt')
    try {
      return await work()
    } catch (error) {
      // Fails if the connection is gone.
      await client.query('rollback to savepoint attempt')
      const reason = `could not be checked, because the database is not as its migrations made it: ${(error as Error).message}`
      failed.push({ check, count: 1, examples: [reason] })
      return otherwise
    }
  }
  try {
    const times = { at, now: now() }
    const standings = await attempt('standings', () => computeStandings(client, rules, times), [])
    const violations = await findViolations(client, (name, find) => attempt(name, find, []))
    const actions = await attempt('action log', () => verifyActions(client, actionsHead), null)
    return { standings, violations: [...violations, ...failed], actions }
  } catch (cause) {
    const reason = (cause as Error).message
    throw new StartError(`The database could not be read to the end: ${reason}. Run the command again.`, {
      cause,
    })
  } finally {
    await client.query('rollback').catch(() => {})
  }
}

interface ServedRow {
  readonly id: string
  readonly score: number
  readonly globalPlace: number | null
  readonly divisionPlace: number
  readonly division: string
}

/** All pages of the server's standings. */
async function readServed({ token }: VerifyOptions, url: string): Promise<ServedRow[]> {
  const rows: ServedRow[] = []
  for (;;) {
    const { total, leaderboard } = await readPage(url, rows.length, token)
    rows.push(...leaderboard)
    if (rows.length >= total || leaderboard.length === 0) return rows
  }
}

async function readPage(url: string, offset: number, token: string | null) {
  const address = new URL(`/api/v2/leaderboard/now?limit=${PAGE}&offset=${offset}`, url)
  const headers = token === null ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(address, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
    (cause: Error) => {
      throw new StartError(`Could not reach ${address.origin}: ${cause.message}.`, { cause })
    },
  )
  const body = (await response.json().catch(() => null)) as {
    kind?: string
    data?: { total: number; leaderboard: ServedRow[] } | null
  } | null
  if (response.status !== 200 || !Array.isArray(body?.data?.leaderboard))
    throw new StartError(
      `${address.origin} does not return the standings (${response.status} ${body?.kind ?? ''}). Before the start, use --token.`,
    )
  return body.data
}

function compare(computed: readonly Rank[], served: readonly ServedRow[]): string[] {
  const differences: string[] = []
  for (let at = 0; at < Math.max(computed.length, served.length); at++) {
    const [ours, theirs] = [lineOf(computed[at]), lineOf(served[at])]
    if (ours !== theirs) differences.push(`rank ${at + 1}: computed ${ours}, served ${theirs}`)
  }
  return differences
}

function lineOf(row: Rank | ServedRow | undefined): string {
  if (!row) return 'no team'
  const { id, score, globalPlace, division, divisionPlace } = row
  return `${id} with ${plural(score, 'point')}, ${globalPlace}, ${divisionPlace} in ${division}`
}
