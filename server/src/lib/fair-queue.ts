import { LRUCache } from 'lru-cache'

// The order in which patterns are tried: lanes take turns, and what timed out before waits behind the rest.

/** Of one lane: its teams sent them within the time that they take. */
const MAX_IN_LANE = 128
/** Of slow patterns, a quarter of a minute's work, so that they cannot fill the queue. */
const MAX_SLOW = 256
/** A pattern that timed out as often is slow. Once may be a busy machine. */
const SLOW_AFTER = 2
const SLOW_FOR_MS = 600_000
const MAX_PATTERNS = 1024
/** A slow one is tried after as many others, so that it is tried at all. */
const OTHERS_FIRST = 8

interface Queued {
  /** The key of a pattern. */
  readonly pattern: string
  /** Each lane has a turn after the other: a challenge. */
  readonly lane: string
}

export interface FairQueue<T> {
  /** False if there is no room. */
  add(item: T): boolean
  /** Undefined if it is empty. */
  take(): T | undefined
  /** Records that a pattern used up its time. */
  recordTimeout(pattern: string): void
}

export function createFairQueue<T extends Queued>(maxLength: number): FairQueue<T> {
  const timeouts = new LRUCache<string, number>({ max: MAX_PATTERNS, ttl: SLOW_FOR_MS })
  const usual = createLanes<T>()
  const slow = createLanes<T>()
  let turns = 0
  const isSlowPattern = (pattern: string) => (timeouts.get(pattern) ?? 0) >= SLOW_AFTER

  /** Others of a pattern may have been waiting when it timed out. */
  function takeUsual(): T | undefined {
    let item = usual.take()
    // Ends, because each item moves once.
    while (item && isSlowPattern(item.pattern) && slow.size() < MAX_SLOW && slow.add(item))
      item = usual.take()
    return item
  }

  return {
    add(item) {
      const isSlow = isSlowPattern(item.pattern)
      if (usual.size() + slow.size() >= maxLength || (isSlow && slow.size() >= MAX_SLOW)) return false
      return (isSlow ? slow : usual).add(item)
    },
    take() {
      turns += 1
      const isTurnOfSlow = turns % (OTHERS_FIRST + 1) === 0
      return isTurnOfSlow ? (slow.take() ?? takeUsual()) : (takeUsual() ?? slow.take())
    },
    recordTimeout(pattern) {
      timeouts.set(pattern, (timeouts.get(pattern) ?? 0) + 1)
    },
  }
}

function createLanes<T extends Queued>() {
  /** In the order of their next turns. */
  const lanes = new Map<string, T[]>()
  let size = 0
  return {
    size: () => size,
    add(item: T): boolean {
      const lane = lanes.get(item.lane) ?? []
      if (lane.length >= MAX_IN_LANE) return false
      lane.push(item)
      lanes.set(item.lane, lane)
      size += 1
      return true
    },
    take(): T | undefined {
      const [first] = lanes
      if (!first) return undefined
      const [name, lane] = first
      const item = lane.shift()
      lanes.delete(name)
      if (lane.length > 0) lanes.set(name, lane)
      if (item) size -= 1
      return item
    },
  }
}
