import { performance } from 'node:perf_hooks'
import type { Database } from '../db/database.ts'
import type { Bus } from '../lib/key-value.ts'
import type { Log } from '../lib/log.ts'
import { createSingleFlight } from '../lib/single-flight.ts'
import { loadWorldRows, type LogPosition, type SolvePair } from './load.ts'
import type { Change, WorldRules, WorldView } from './model.ts'
import { readChanges, readLog } from './read-changes.ts'
import { createWorld, fold, lastFeedEvent, type World } from './world.ts'

/** Channel that wakes the followers of all processes; the name is part of the specification. */
export const worldChannel = 'leaderboard:force-update'

const pollMsByDefault = 1000
const longestPauseMs = 8000

export interface FollowerOptions {
  readonly db: Database
  readonly rules: WorldRules
  readonly now: () => number
  readonly log: Log
  readonly bus: Bus
  /** A wake-up may be lost: then a change is seen this much later. */
  readonly pollMs?: number
}

export interface Freshness {
  /** Since the world was last known to hold all that was committed. */
  readonly ageMs: number
  /** How long the last changes took to fold. */
  readonly foldMs: number
  /** The last change that was folded. */
  readonly seq: number
  /** How often everything was read, the start included. */
  readonly loads: number
}

export interface Follower {
  /** The contest as last seen; scheduled releases are in it from their instant on. */
  world(): WorldView
  /** Whatever was committed before the call is in the world when it resolves. Rejects when that cannot be read. */
  catchUp(): Promise<void>
  freshness(): Freshness
  /** Told of the time that each batch of changes took. One listener. */
  onFold(listener: (ms: number) => void): void
  close(): Promise<void>
}

/** Loads the contest and keeps it in step with the database. */
export async function startFollower(options: FollowerOptions): Promise<Follower> {
  const { log, bus, pollMs = pollMsByDefault } = options
  const outage = createOutageLog(log)
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
    } catch (error) {
      outage.began(error)
      throw error
    }
  })

  async function poll(failures: number): Promise<void> {
    // A failure was told by the outage log.
    const failed = await catchUp().then(
      () => 0,
      () => failures + 1,
    )
    if (isClosed) return
    timer = setTimeout(() => void poll(failed), Math.min(pollMs * 2 ** failed, longestPauseMs))
  }

  const leave = bus.subscribe(worldChannel, () => void catchUp().catch(() => {}))
  timer = setTimeout(() => void poll(0), pollMs)

  return {
    world: followed.world,
    catchUp,
    freshness: () => ({ ageMs: performance.now() - freshAt, ...followed.progress() }),
    onFold: followed.onFold,
    async close() {
      isClosed = true
      leave()
      clearTimeout(timer)
      // Waits for what is under way.
      await catchUp().catch(() => {})
    },
  }
}

/** The world and its place in the log, which move on together. */
async function follow(options: FollowerOptions) {
  const { db, now } = options
  let { world, position } = await load(options)
  // A fold that broke off leaves a world that no change leads on from.
  let isWhole = true
  let foldMs = 0
  let loads = 1
  let tellFold: ((ms: number) => void) | undefined

  function foldAll(changes: readonly Change[]) {
    const start = performance.now()
    isWhole = false
    for (const change of changes) world = fold(world, onlyKnown(world, change))
    isWhole = true
    foldMs = performance.now() - start
    tellFold?.(foldMs)
  }

  /** Folds all that follows the position; false when the log does not lead on from there. */
  async function readOn(): Promise<boolean> {
    // Ends when nothing new was committed since the last page: usually at once, for the price of one statement.
    for (;;) {
      const page = await readLog(db.reserved, position)
      const last = page?.at(-1)
      if (!page || !last) return page !== null
      foldAll(await readChanges(db, page, (id) => lastFeedEvent(world, id)))
      position = { seq: last.seq, mark: last.mark }
    }
  }

  return {
    async advance() {
      if (isWhole && (await readOn())) return
      ;({ world, position } = await load(options))
      isWhole = true
      loads += 1
    },

    /** Time enters the world here alone, so that a release comes neither early nor with a timer's delay. */
    world(): WorldView {
      const releaseAt = world.nextReleaseAt()
      if (releaseAt !== null && releaseAt <= now()) foldAll([{ kind: 'clock', now: now() }])
      return world
    },

    onFold(listener: (ms: number) => void) {
      tellFold = listener
    },
    progress: () => ({ foldMs, seq: position.seq, loads }),
  }
}

async function load({
  db,
  rules,
  now,
  log,
}: FollowerOptions): Promise<{ world: World; position: LogPosition }> {
  const start = performance.now()
  const { rows, position } = await loadWorldRows(db)
  const world = createWorld(rules, rows, now())
  log.info({ seq: position.seq, ms: Math.round(performance.now() - start) }, 'the world is loaded')
  return { world, position }
}

/**
 * Rows are read after the log, so they may belong to a team or challenge that a later entry brings. Those are left
 * out: an entry after that one names them again. Feeds do the same for themselves.
 */
function onlyKnown(world: WorldView, change: Change): Change {
  if (change.kind !== 'solves') return change
  const isKnown = ({ challengeId, teamId }: SolvePair) =>
    world.challenge(challengeId) !== undefined && world.team(teamId) !== undefined
  return { ...change, rows: change.rows.filter(isKnown) }
}

/** Tells the log once that the world stands still, and once that it moves again. */
function createOutageLog(log: Log) {
  let isDown = false
  return {
    began(error: unknown) {
      if (!isDown) log.error({ err: error }, 'the world stands still: its changes cannot be read')
      isDown = true
    },
    ended() {
      if (isDown) log.info({}, 'the world moves again')
      isDown = false
    },
  }
}
