import type { Route } from '@pennant/contract/route.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { processorMs } from '../../lib/processor-time.ts'
import type { Actor } from '../handler.ts'

// Early refusals while the process cannot keep up: docs/decisions/0035-refuse-anonymous-reads-first-under-overload.md

/** In the order in which they are refused. Organisers, workers of the admin bot and health checks never are. */
export const RANKS = ['anonymous-read', 'read', 'write', 'flag'] as const
export type Rank = (typeof RANKS)[number]

export interface Overload {
  /** Called for each request, also for one that will be refused. */
  arrived(): void
  /** Whether a request of this rank is to be refused now. Each call counts as one request. */
  refuses(rank: Rank): boolean
  /** How much is refused: 0 nothing, 1 all anonymous reads, 1.5 also half of the reads of teams, and so on. */
  level(): number
  stop(): void
}

export interface Sample {
  /** Milliseconds by which the call is late. */
  readonly lateMs: number
  /** Processor time of this process since the last call, and the time that has passed. */
  readonly usedMs: number
  readonly elapsedMs: number
}

export interface OverloadOptions {
  /** Milliseconds that work may wait for the event loop. */
  readonly targetMs: number
  readonly onRefused?: (rank: Rank) => void
  /** Calls the function regularly. Returns what stops it. */
  readonly sampler?: (take: (sample: Sample) => void) => () => void
}

const SAMPLE_MS = 50
/** The least delay of so many samples: one long pause, such as a garbage collection, is not a queue. */
const SAMPLES = 5
/**
 * Share of a processor that this process uses. With less, it is late because other programs use the processor, and refusing
 * requests would not make it faster. The number of requests says nothing: a few expensive ones are enough.
 */
const MIN_USED = 0.5
const STEP_UP = 0.25
/** Slower than upwards, so that the clients that come back do not cause the next wave. */
const STEP_DOWN = 0.1
/** A queue that is this many times too long raises the level by as many steps at once. */
const MAX_STEPS = 4
/** Half of the flags always pass: someone waits for each of them. */
const MAX_LEVEL = RANKS.length - 0.5

/**
 * Raises the level while the process uses much of a processor and work waits longer than the target. Lowers it while work
 * waits less than half of that, or the process uses little.
 */
export function watchOverload({ targetMs, onRefused, sampler = byTimer }: OverloadOptions): Overload {
  let level = 0
  let leastMs = Infinity
  let samples = 0
  let requests = 0
  let usedMs = 0
  let elapsedMs = 0
  /** What is owed of the next refusal, for each rank: refusals are spread evenly. */
  const owed = RANKS.map(() => 0)

  /** Stops the samples, which wake the process, while there are no requests. */
  let stopSampler: (() => void) | null = null

  function take(sample: Sample): void {
    leastMs = Math.min(leastMs, sample.lateMs)
    usedMs += sample.usedMs
    elapsedMs += sample.elapsedMs
    samples += 1
    if (samples < SAMPLES) return
    const isBusy = requests > 0 && usedMs >= MIN_USED * elapsedMs
    const steps = isBusy ? Math.min(leastMs / targetMs, MAX_STEPS) : 0
    if (steps > 1) level = Math.min(level + STEP_UP * steps, MAX_LEVEL)
    else if (steps < 0.5) level = Math.max(level - STEP_DOWN, 0)
    if (requests === 0 && level === 0) stop()
    leastMs = Infinity
    samples = 0
    requests = 0
    usedMs = 0
    elapsedMs = 0
  }

  function stop(): void {
    stopSampler?.()
    stopSampler = null
  }

  return {
    arrived() {
      requests += 1
      stopSampler ??= sampler(take)
    },
    refuses(rank) {
      const at = RANKS.indexOf(rank)
      const share = Math.min(Math.max(level - at, 0), 1)
      if (share === 0) return false
      const owes = (owed[at] ?? 0) + share
      owed[at] = owes % 1
      if (owes < 1) return false
      onRefused?.(rank)
      return true
    },
    level: () => level,
    stop,
  }
}

/** Null for requests that are never refused. */
export function rankOf(route: Route, team: Actor | null): Rank | null {
  if (route.auth === 'service' || route.perms?.length || (team && team.perms > 0)) return null
  if (route === submitFlag) return 'flag'
  if (route.method !== 'GET') return 'write'
  return team ? 'read' : 'anonymous-read'
}

function byTimer(take: (sample: Sample) => void): () => void {
  let last = performance.now()
  let lastUsedMs = processorMs()
  const timer = setInterval(() => {
    const at = performance.now()
    const usedMs = processorMs()
    const elapsedMs = at - last
    take({ lateMs: Math.max(elapsedMs - SAMPLE_MS, 0), usedMs: usedMs - lastUsedMs, elapsedMs })
    last = at
    lastUsedMs = usedMs
  }, SAMPLE_MS).unref()
  return () => clearInterval(timer)
}
