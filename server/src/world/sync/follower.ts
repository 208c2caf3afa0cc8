import { performance } from 'node:perf_hooks'
import type { Database } from '../../db/database.ts'
import type { Bus } from '../../lib/key-value.ts'
import type { Log } from '../../lib/log.ts'
import { createSingleFlight } from '../../lib/single-flight.ts'
import { loadWorldRows } from './load.ts'
import type { Change, LogPosition, SolvePair, Views, WorldRules, WorldView } from '../model.ts'
import { PAGE_LENGTH, readChanges, readLog, type LogEntry } from './read-changes.ts'
import type { AnyRowKind } from '../row-kind.ts'
import { createWorld, fold, foldFrozen, freezeWorld, lastFeedEvent, type World } from '../fold/world.ts'
import { freezeTimeOf } from '../../lib/event-times.ts'

// States of the world that is followed:
// - current: equal to the log at `position`. `advance` folds pages until one is not full, and stays here.
// - broken (`isWhole` is false): an exception ended a fold. The next `advance` loads everything.
// - behind: the log was pruned past `position`. `advance` loads everything at once, and listeners hear `reloaded`.
// - stale: the log cannot be read. The world stays as it is, `ageMs` grows, and polls wait up to MAX_BACKOFF_MS. Any success ends it.

/** Channel that wakes the followers of all processes: docs/reference/scoring.md#effects-of-changes */
export const WORLD_CHANNEL = 'leaderboard:force-update'

const DEFAULT_POLL_MS = 1000
const MAX_BACKOFF_MS = 8000

export interface FollowerOptions {
  readonly db: Database
  readonly rules: WorldRules
  /** Everything that the change log names besides what the fold knows by name. */
  readonly rowKinds: readonly AnyRowKind[]
  readonly now: () => number
  readonly log: Log
  readonly bus: Bus
  /** Upper bound of the delay when a wake-up is lost. */
  readonly pollMs?: number
}

export interface Freshness {
  /** Time since the world was last known to include everything committed. */
  readonly ageMs: number
  /** Duration of the last fold. */
  readonly foldMs: number
  /** The last folded change. */
  readonly seq: number
  /** Number of complete loads, including the one at start. */
  readonly loads: number
}

/** Follows the change log itself, entry by entry. */
export interface LogListener {
  /** Called with new entries just before they are folded, when the world does not include them yet. */
  entries(entries: readonly LogEntry[], views: Views): void
  /** Everything was loaded again because entries are missing; the world now corresponds to this position. */
  reloaded(position: LogPosition): void
}

export interface Follower {
  /** The current world. Releases challenges whose scheduled time has passed. */
  world(): WorldView
  /** The current world as participants see it. */
  shown(): WorldView
  /** When it resolves, the world includes everything committed before the call. Rejects if the log cannot be read. */
  catchUp(): Promise<void>
  freshness(): Freshness
  /** Reports the duration of each fold. Supports one listener. */
  onFold(listener: (ms: number) => void): void
  /** The position in the change log that the world corresponds to. */
  position(): LogPosition
  onLog(listener: LogListener): void
  /** Calls the listener each time the world was compared with the log, changed or not: at least once a second. */
  onCaughtUp(listener: () => void): void
  close(): Promise<void>
}

/** Loads the contest and keeps it up to date with the database. */
export async function startFollower(options: FollowerOptions): Promise<Follower> {
  const { log, bus, pollMs = DEFAULT_POLL_MS } = options
  const outage = createOutageLog(log)
  const listeners: (() => void)[] = []
  const followed = await follow(options)
  let freshAt = performance.now()
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  const catchUp = createSingleFlight(async () => {
    if (isClosed) return
    const begun = performance.now()
    try {
      await followed.advance()
      freshAt = begun
      outage.ended()
      for (const listener of listeners) listener()
    } catch (error) {
      outage.began(error)
      throw error
    }
  })

  async function poll(failures: number): Promise<void> {
    // `outage` has logged the failure.
    const failed = await catchUp().then(
      () => 0,
      () => failures + 1,
    )
    if (isClosed) return
    timer = setTimeout(() => void poll(failed), Math.min(pollMs * 2 ** failed, MAX_BACKOFF_MS))
  }

  const leave = bus.subscribe(WORLD_CHANNEL, () => void catchUp().catch(() => {}))
  timer = setTimeout(() => void poll(0), pollMs)

  return {
    world: followed.world,
    shown: followed.shown,
    catchUp,
    freshness: () => ({ ageMs: performance.now() - freshAt, ...followed.progress() }),
    onFold: followed.onFold,
    position: followed.position,
    onLog: followed.onLog,
    onCaughtUp: (listener) => void listeners.push(listener),
    async close() {
      isClosed = true
      leave()
      clearTimeout(timer)
      // Waits for a catch-up in flight.
      await catchUp().catch(() => {})
    },
  }
}

/** The world and its position in the log, which advance together. */
async function follow(options: FollowerOptions) {
  const { db, now } = options
  let { world, position } = await load(options)
  let frozen = frozenOf(world)
  // An exception during a fold leaves the world inconsistent; then everything is loaded again.
  let isWhole = true
  let foldMs = 0
  let loads = 1
  let reportFold: ((ms: number) => void) | undefined
  const logListeners: LogListener[] = []

  function freezeTime(): number | null {
    return freezeTimeOf(options.rules.freezeTime, world.settings)
  }

  function frozenOf(whole: World): World | null {
    const until = freezeTimeOf(options.rules.freezeTime, whole.settings)
    return until === null ? null : freezeWorld(whole, until)
  }

  /** Checks for releases on every read, so that no release is early or delayed by a timer. */
  function current(): World {
    const releaseAt = world.nextReleaseAt()
    if (releaseAt !== null && releaseAt <= now()) foldAll([{ kind: 'clock', now: now() }])
    return world
  }

  function foldAll(changes: readonly Change[]) {
    const start = performance.now()
    isWhole = false
    for (const change of changes) {
      const known = onlyKnown(world, change)
      world = fold(world, known)
      frozen &&= foldFrozen(frozen, known)
      if ((frozen?.frozenAt ?? null) !== freezeTime()) frozen = frozenOf(world)
    }
    isWhole = true
    foldMs = performance.now() - start
    reportFold?.(foldMs)
  }

  /** Folds all entries after the position; false if entries are missing and everything must be loaded again. */
  async function foldLog(): Promise<boolean> {
    // Ends with the first page that is not full. It includes everything committed before it was read; reading until
    // nothing is new would not end while other replicas write faster than a distant database responds.
    for (;;) {
      const page = await readLog(db.reserved, position)
      const last = page?.at(-1)
      if (!page || !last) return page !== null
      const changes = await readChanges(options, page, (id) => lastFeedEvent(world, id))
      const views = { live: world, shown: frozen ?? world }
      for (const listener of logListeners) listener.entries(page, views)
      foldAll(changes)
      position = { seq: last.seq, mark: last.mark }
      if (page.length < PAGE_LENGTH) return true
    }
  }

  return {
    async advance() {
      if (isWhole && (await foldLog())) return
      ;({ world, position } = await load(options))
      frozen = frozenOf(world)
      isWhole = true
      loads += 1
      for (const listener of logListeners) listener.reloaded(position)
    },

    world: current,
    shown(): WorldView {
      const live = current()
      return frozen ?? live
    },

    onFold(listener: (ms: number) => void) {
      reportFold = listener
    },
    position: () => position,
    onLog: (listener: LogListener) => void logListeners.push(listener),
    progress: () => ({ foldMs, seq: position.seq, loads }),
  }
}

async function load({
  db,
  rules,
  rowKinds,
  now,
  log,
}: FollowerOptions): Promise<{ world: World; position: LogPosition }> {
  const start = performance.now()
  const { rows, position } = await loadWorldRows(db, rowKinds)
  const world = createWorld(rules, rows, now())
  log.info({ seq: position.seq, ms: Math.round(performance.now() - start) }, 'contest state loaded')
  return { world, position }
}

/**
 * Rows are read after the log, so they may belong to a team or challenge that only a later entry adds. Those rows are
 * left out; an entry after that one names them again. Feeds handle the same case themselves.
 */
function onlyKnown(world: WorldView, change: Change): Change {
  if (change.kind !== 'solves') return change
  const isKnown = ({ challengeId, teamId }: SolvePair) =>
    world.challenge(challengeId) !== undefined && world.team(teamId) !== undefined
  return { ...change, rows: change.rows.filter(isKnown) }
}

/** Logs once that the world is stale because the change log cannot be read, and once when it recovers. */
function createOutageLog(log: Log) {
  let isDown = false
  return {
    began(error: unknown) {
      if (!isDown) log.error({ err: error }, 'standings are stale: the change log cannot be read')
      isDown = true
    },
    ended() {
      if (isDown) log.info({}, 'the standings are up to date again')
      isDown = false
    },
  }
}
