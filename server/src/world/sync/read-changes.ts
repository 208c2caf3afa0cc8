import sql from 'sql-template-tag'
import { groupBy } from '../../lib/group-by.ts'
import type { Database, Queries } from '../../db/database.ts'
import type { Change, LogPosition, SolvePair, SolveRow } from '../model.ts'
import type { AnyRowKind, RowsChange } from '../row-kind.ts'
import {
  readChallenges,
  readLaterEvents,
  readSettings,
  readSolves,
  readTeams,
  readWholeFeed,
} from '../rows.ts'
import { pairKey, solvePairs } from './load.ts'

/** Entries per page. */
export const PAGE_LENGTH = 1000

/** The log is polled every second. A query that takes this long is more likely to succeed on a new connection. */
const logLimits = { queryTimeoutMs: 4_000 }

export interface LogEntry {
  readonly seq: number
  readonly mark: string
  readonly kind: string
  readonly ids: readonly string[]
}

/** The next entries after the position; null if entries are missing and everything must be loaded again. */
export async function readLog(db: Queries, position: LogPosition): Promise<LogEntry[] | null> {
  // Reads the last seen entry again. If it is gone (pruned) or differs (lost in a failover), the log has a gap.
  const [seen, ...rest] = await db.query<LogEntry>(
    sql`
    select seq, extract(epoch from at)::text as mark, kind, ids
    from changes where seq >= ${position.seq} order by seq limit ${PAGE_LENGTH + 1}`,
    logLimits,
  )
  if (position.mark !== null) return seen?.seq === position.seq && seen.mark === position.mark ? rest : null
  // No entry was seen before. Entries may have been pruned before a full page.
  if (rest.length === PAGE_LENGTH) return null
  return seen ? [seen, ...rest] : []
}

export interface ChangeSource {
  readonly db: Pick<Database, 'query' | 'transaction'>
  readonly rowKinds: readonly AnyRowKind[]
}

/** The last known event of a challenge's feed; null if the whole feed must be read. */
export type FeedPosition = (challengeId: string) => number | null

/**
 * Reads the rows that the entries name, with one query per kind, and returns the changes in the order of the log, so
 * that the ranks right after a solve do not depend on the page size.
 */
export async function readChanges(
  { db, rowKinds }: ChangeSource,
  entries: readonly LogEntry[],
  lastFeedEvent: FeedPosition,
): Promise<Change[]> {
  const ids = (kind: string) => [
    ...new Set(entries.flatMap((entry) => (entry.kind === kind ? entry.ids : []))),
  ]
  const pairs = solvePairs(entries.filter(({ kind }) => kind === 'solves'))
  const [teamIds, challengeIds] = [ids('teams'), ids('challenges')]
  const settings = entries.some(({ kind }) => kind === 'settings') ? await readSettings(db) : {}
  const changeOf = await readRows(db, rowKinds, entries)
  const teams = byKey(teamIds.length > 0 ? await readTeams(db, teamIds) : [], idOf)
  const challenges = byKey(challengeIds.length > 0 ? await readChallenges(db, challengeIds) : [], idOf)
  const solves = byKey(pairs.size > 0 ? await readSolves(db, [...pairs.values()]) : [], pairKey)
  const feeds = await readFeeds(db, { whole: ids('feed'), pushed: ids('pushes'), lastFeedEvent })

  const changes: Change[] = []
  const runs = runsOf(entries)
  const lastRun = new Map(runs.flatMap((run) => (isFeed(run) ? run.ids.map((id) => [id, run] as const) : [])))
  for (const run of runs) {
    if (run.kind === 'settings') changes.push({ kind: 'settings', settings })
    else if (run.kind === 'teams') changes.push({ kind: 'teams', ...pick(run.ids, teams) })
    else if (run.kind === 'challenges') changes.push({ kind: 'challenges', ...pick(run.ids, challenges) })
    else if (run.kind === 'solves') changes.push({ kind: 'solves', ...pickSolves(run, solves) })
    // Once per challenge, after all teams that the events may refer to.
    else if (isFeed(run)) {
      for (const id of new Set(run.ids)) if (lastRun.get(id) === run) changes.push(...(feeds.get(id) ?? []))
    } else {
      const change = changeOf.get(run.kind)?.(run.ids)
      if (change) changes.push(change)
    }
  }
  return changes
}

type Run = Pick<LogEntry, 'kind' | 'ids'>

function isFeed({ kind }: Run): boolean {
  return kind === 'feed' || kind === 'pushes'
}

/** Reads the rows that the entries name. Returns what builds the change of a run, by kind. */
async function readRows(
  db: Queries,
  rowKinds: readonly AnyRowKind[],
  entries: readonly LogEntry[],
): Promise<Map<string, (ids: readonly string[]) => RowsChange>> {
  const changeOf = new Map<string, (ids: readonly string[]) => RowsChange>()
  for (const of of rowKinds) {
    const keysOf = (ids: readonly string[]) => [...new Set(of.keysOf?.(ids) ?? ids)]
    const named = keysOf(entries.flatMap(({ kind, ids }) => (kind === of.kind ? ids : [])))
    if (named.length === 0) continue
    const rows = groupBy(await of.read(db, named), of.keyOf)
    changeOf.set(of.kind, (ids) => {
      const keys = keysOf(ids)
      return { kind: 'rows', of, keys, rows: keys.flatMap((key) => rows.get(key) ?? []) }
    })
  }
  return changeOf
}

/** Merges consecutive entries of one kind. */
function runsOf(entries: readonly LogEntry[]): Run[] {
  const runs: { kind: string; ids: string[] }[] = []
  for (const { kind, ids } of entries) {
    const last = runs.at(-1)
    if (last?.kind === kind) last.ids.push(...ids)
    else runs.push({ kind, ids: [...ids] })
  }
  return runs
}

function pick<Row>(
  ids: readonly string[],
  rows: ReadonlyMap<string, Row>,
): { rows: Row[]; removed: string[] } {
  const named = [...new Set(ids)]
  return {
    rows: named.flatMap((id) => rows.get(id) ?? []),
    removed: named.filter((id) => !rows.has(id)),
  }
}

function pickSolves(
  run: Pick<LogEntry, 'ids'>,
  rows: ReadonlyMap<string, SolveRow>,
): { rows: SolveRow[]; removed: SolvePair[] } {
  const pairs = solvePairs([run])
  const { rows: found, removed } = pick([...pairs.keys()], rows)
  return { rows: found, removed: removed.flatMap((key) => pairs.get(key) ?? []) }
}

interface NamedFeeds {
  readonly whole: readonly string[]
  readonly pushed: readonly string[]
  readonly lastFeedEvent: FeedPosition
}

/** The changes by challenge. */
async function readFeeds(
  db: Pick<Database, 'query' | 'transaction'>,
  { whole, pushed, lastFeedEvent }: NamedFeeds,
): Promise<Map<string, Change[]>> {
  const changes = new Map<string, Change[]>()
  const wholeIds = [...new Set([...whole, ...pushed.filter((id) => lastFeedEvent(id) === null)])]
  if (wholeIds.length > 0) {
    const feed = await readWholeFeed(db, wholeIds)
    const rows = groupBy(feed.rows, challengeIdOf)
    const events = groupBy(feed.events, challengeIdOf)
    for (const id of wholeIds) {
      const own = { rows: rows.get(id) ?? [], events: events.get(id) ?? [] }
      changes.set(id, [{ kind: 'feed', challengeIds: [id], ...own }])
    }
  }
  for (const id of pushed) {
    const lastId = lastFeedEvent(id)
    if (lastId === null || changes.has(id)) continue
    changes.set(id, [{ kind: 'pushes', events: await readLaterEvents(db, id, lastId) }])
  }
  return changes
}

function byKey<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row> {
  return new Map(rows.map((row) => [keyOf(row), row]))
}

function challengeIdOf({ challengeId }: { readonly challengeId: string }): string {
  return challengeId
}

function idOf({ id }: { readonly id: string }): string {
  return id
}
