// When data is fetched again. There is no push channel: only this file decides, so that one can be added here.

/** Browsers that opened a page in the same second must not come back in the same second. */
const SPREAD = 0.2

/**
 * Every so many milliseconds while somebody looks, spread by a fifth either way; on return to the tab at once when
 * older. Null: only when asked.
 */
export function refresh(everyMs: number | null) {
  const interval = everyMs ?? false
  return {
    staleTime: everyMs ?? Number.POSITIVE_INFINITY,
    refetchInterval: ({ queryHash, state }: { queryHash: string; state: { dataUpdateCount: number } }) =>
      interval === false ? false : Math.round(interval * spreadOf(queryHash, state.dataUpdateCount)),
  }
}

const seed = Math.random()

/** Drawn anew after each answer, but the same until then: a new number at each render would start the wait again. */
function spreadOf(hash: string, count: number): number {
  let mixed = Math.floor(seed * 2 ** 31) ^ count
  for (const character of hash) mixed = Math.imul(mixed ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93)
  return 1 - SPREAD + (2 * SPREAD * ((mixed >>> 0) % 1000)) / 1000
}
