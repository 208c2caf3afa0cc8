import sql from 'sql-template-tag'
import type { ChangeKind, Database, Queries } from '../db/database.ts'
import {
  readChallenges,
  readLaterEvents,
  readSettings,
  readSolves,
  readTeams,
  readWholeFeed,
  type LogPosition,
  type SolvePair,
} from './load.ts'
import type { Change } from './model.ts'

/** Changes read at a time. */
const pageLength = 1000

/** The log is asked each second: when it stays silent for as long, a new connection is the better hope. */
const logLimits = { answerTimeoutMs: 4_000 }

export interface LogEntry {
  readonly seq: number
  readonly mark: string
  readonly kind: ChangeKind
  readonly ids: readonly string[]
}

/** The next entries after the position, or null when the log does not lead on from there. */
export async function readLog(db: Queries, position: LogPosition): Promise<LogEntry[] | null> {
  // The last seen entry is read again: if it is gone (pruned) or another (a fail-over lost it), so is the thread.
  const [seen, ...rest] = await db.query<LogEntry>(
    sql`
    select seq, extract(epoch from at)::text as mark, kind, ids
    from changes where seq >= ${position.seq} order by seq limit ${pageLength + 1}`,
    logLimits,
  )
  if (position.mark !== null) return seen?.seq === position.seq && seen.mark === position.mark ? rest : null
  // Nothing was ever seen. A full page may follow on entries that were pruned before this follower read them.
  if (rest.length === pageLength) return null
  return seen ? [seen, ...rest] : []
}

/** The last known event of a challenge's feed; null when the feed is to be read as a whole. */
export type FeedPosition = (challengeId: string) => number | null

/** Reads again what the entries name. Parents come before what belongs to them. */
export async function readChanges(
  db: Pick<Database, 'query' | 'transaction'>,
  entries: readonly LogEntry[],
  lastFeedEvent: FeedPosition,
): Promise<Change[]> {
  const named = (kind: ChangeKind) => entries.filter((entry) => entry.kind === kind)
  const ids = (kind: ChangeKind) => [...new Set(named(kind).flatMap((entry) => entry.ids))]
  const changes: Change[] = []

  if (named('settings').length > 0) changes.push({ kind: 'settings', settings: await readSettings(db) })
  const teamIds = ids('teams')
  if (teamIds.length > 0) {
    const rows = await readTeams(db, teamIds)
    changes.push({ kind: 'teams', rows, removed: missing(teamIds, rows) })
  }
  const challengeIds = ids('challenges')
  if (challengeIds.length > 0) {
    const rows = await readChallenges(db, challengeIds)
    changes.push({ kind: 'challenges', rows, removed: missing(challengeIds, rows) })
  }
  const pairs = solvePairs(named('solves'))
  if (pairs.size > 0) {
    const rows = await readSolves(db, [...pairs.values()])
    for (const row of rows) pairs.delete(pairKey(row))
    changes.push({ kind: 'solves', rows, removed: [...pairs.values()] })
  }
  return [...changes, ...(await readFeeds(db, { whole: ids('feed'), pushed: ids('pushes'), lastFeedEvent }))]
}

interface NamedFeeds {
  readonly whole: readonly string[]
  readonly pushed: readonly string[]
  readonly lastFeedEvent: FeedPosition
}

async function readFeeds(
  db: Pick<Database, 'query' | 'transaction'>,
  { whole, pushed, lastFeedEvent }: NamedFeeds,
): Promise<Change[]> {
  const changes: Change[] = []
  const challengeIds = [...new Set([...whole, ...pushed.filter((id) => lastFeedEvent(id) === null)])]
  if (challengeIds.length > 0) {
    changes.push({ kind: 'feed', challengeIds, ...(await readWholeFeed(db, challengeIds)) })
  }
  for (const id of pushed) {
    const lastId = lastFeedEvent(id)
    if (lastId === null || challengeIds.includes(id)) continue
    changes.push({ kind: 'pushes', events: await readLaterEvents(db, id, lastId) })
  }
  return changes
}

function missing(ids: readonly string[], rows: readonly { readonly id: string }[]): string[] {
  const found = new Set(rows.map((row) => row.id))
  return ids.filter((id) => !found.has(id))
}

function pairKey({ challengeId, teamId }: SolvePair): string {
  return JSON.stringify([challengeId, teamId])
}

function solvePairs(entries: readonly LogEntry[]): Map<string, SolvePair> {
  const pairs = new Map<string, SolvePair>()
  for (const { ids } of entries) {
    for (let i = 0; i + 1 < ids.length; i += 2) {
      const pair = { challengeId: ids[i] ?? '', teamId: ids[i + 1] ?? '' }
      pairs.set(pairKey(pair), pair)
    }
  }
  return pairs
}
