import { serverNow } from './clock.ts'
import { isOpening, startKnown, waitOutsideRush } from './opening.ts'
import { streamedSince } from './stream.ts'

// When data is refetched. While the live stream reports changes, what it covers is polled rarely.

/** Jitter: browsers that opened a page in the same second must not refetch in the same second. */
const SPREAD = 0.2

interface QueryState {
  readonly queryHash: string
  readonly state: {
    readonly data: unknown
    readonly dataUpdateCount: number
    readonly dataUpdatedAt: number
    readonly errorUpdatedAt: number
  }
}

/**
 * Refetches every so many milliseconds while the tab is visible, with a jitter of a fifth either way, and
 * immediately when the tab becomes visible with older data. Null: only on request. Infinite lists with
 * several pages are refetched only when the tab becomes visible.
 */
export function refresh(everyMs: number | null) {
  return refreshBy(everyMs, (query, every) => waitOf(query, every))
}

/**
 * Like `refresh`, for data that every browser reads: pauses in the minute around the start, also when the pages that open then
 * use it. What is older than the start is read again in turn (`useScheduledRefetches`).
 */
export function refreshForAll(everyMs: number | null, wait = waitOnce) {
  const staleMs = everyMs ?? Number.POSITIVE_INFINITY
  return {
    ...refreshBy(everyMs, wait),
    staleTime: (query: QueryState) => (isKept(query) ? Number.POSITIVE_INFINITY : staleMs),
  }
}

/** In the first seconds after the start, data from before it is good enough. */
function isKept({ state }: QueryState): boolean {
  return state.data !== undefined && isOpening(serverNow())
}

/** In case the stream and this site disagree about what it covers. */
const STREAMED_EVERY_MS = 900_000

/** Like `refreshForAll`, for data that the live stream covers: rare once the data is newer than the stream. */
export function refreshStreamed(everyMs: number | null) {
  return refreshForAll(everyMs, (query, every) => {
    const since = streamedSince.read()
    const isCovered = since !== null && query.state.dataUpdatedAt >= since
    return waitOnce(query, isCovered ? Math.max(every, STREAMED_EVERY_MS) : every)
  })
}

/** Waits by query. A changed wait, e.g. by the clock offset, would restart the timer at the next render. */
const waits = new Map<string, { readonly of: string; readonly waitMs: number }>()
const MAX_WAITS = 200

function waitOnce(query: QueryState, everyMs: number): number {
  const { queryHash, state } = query
  const answeredAt = Math.max(state.dataUpdatedAt, state.errorUpdatedAt)
  const of = `${answeredAt} ${everyMs} ${startKnown()}`
  const known = waits.get(queryHash)
  if (known?.of === of) return known.waitMs
  const usual = { answeredAt, everyMs, waitMs: waitOf(query, everyMs) }
  const waitMs = waitOutsideRush({ ...usual, chance: chanceOf(query) })
  if (waits.size >= MAX_WAITS) waits.clear()
  waits.set(queryHash, { of, waitMs })
  return waitMs
}

function refreshBy(everyMs: number | null, wait: (query: QueryState, everyMs: number) => number) {
  return {
    staleTime: everyMs ?? Number.POSITIVE_INFINITY,
    refetchInterval: (query: QueryState) =>
      everyMs === null || isLong(query.state.data) ? false : wait(query, everyMs),
  } as const
}

/** Whether the data is an infinite list: a refetch would request all its pages, one after the other. */
function isLong(data: unknown): boolean {
  return ((data as { readonly pages?: readonly unknown[] } | undefined)?.pages?.length ?? 0) > 1
}

function waitOf(query: QueryState, everyMs: number): number {
  return Math.round(everyMs * (1 - SPREAD + 2 * SPREAD * chanceOf(query)))
}

const seed = Math.random()

/**
 * Random number that changes with each response and is stable between: a new one per render would restart the
 * timer.
 */
function chanceOf({ queryHash, state }: QueryState): number {
  let mixed = Math.floor(seed * 2 ** 31) ^ state.dataUpdateCount
  for (const character of queryHash) mixed = Math.imul(mixed ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93)
  return ((mixed >>> 0) % 1000) / 1000
}
