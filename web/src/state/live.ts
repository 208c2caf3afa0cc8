import { startKnown, waitOutsideRush } from './opening.ts'

// When data is fetched again. There is no push channel: only this file decides, so that one can be added here.

/** Browsers that opened a page in the same second must not come back in the same second. */
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
 * Every so many milliseconds while somebody looks, spread by a fifth either way; on return to the tab at once when
 * older. Null: only when asked. A list of which several pages are here: on return alone.
 */
export function refresh(everyMs: number | null) {
  return refreshBy(everyMs, (query, every) => waitOf(query, every))
}

/** As `refresh`, for what every browser reads: it leaves the minute of the start alone. */
export function refreshForAll(everyMs: number | null) {
  return refreshBy(everyMs, waitOnce)
}

/** Waits by query. A wait that changed, as with the clock's difference, would begin anew at the next render. */
const waits = new Map<string, { readonly of: string; readonly waitMs: number }>()
const MOST_WAITS = 200

function waitOnce(query: QueryState, everyMs: number): number {
  const { queryHash, state } = query
  const answeredAt = Math.max(state.dataUpdatedAt, state.errorUpdatedAt)
  const of = `${answeredAt} ${everyMs} ${startKnown()}`
  const known = waits.get(queryHash)
  if (known?.of === of) return known.waitMs
  const usual = { answeredAt, everyMs, waitMs: waitOf(query, everyMs) }
  const waitMs = waitOutsideRush({ ...usual, chance: chanceOf(query) })
  if (waits.size >= MOST_WAITS) waits.clear()
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

/** Whether these are pages of a list: all would be asked for again, one after the other. */
function isLong(data: unknown): boolean {
  return ((data as { readonly pages?: readonly unknown[] } | undefined)?.pages?.length ?? 0) > 1
}

function waitOf(query: QueryState, everyMs: number): number {
  return Math.round(everyMs * (1 - SPREAD + 2 * SPREAD * chanceOf(query)))
}

const seed = Math.random()

/** Drawn anew after each answer, but the same until then: a new number at each render would start the wait again. */
function chanceOf({ queryHash, state }: QueryState): number {
  let mixed = Math.floor(seed * 2 ** 31) ^ state.dataUpdateCount
  for (const character of queryHash) mixed = Math.imul(mixed ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93)
  return ((mixed >>> 0) % 1000) / 1000
}
