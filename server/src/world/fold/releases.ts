import { isJsonEqual } from '../json-equal.ts'
import { sliceOf } from '../kept-rows.ts'
import { bumpChallengeVersion, type State } from '../state.ts'

const NONE: Readonly<Record<string, number>> = {}

/**
 * Counts the released rows of each challenge and finds the next release of a challenge or a row, in place. Both depend on the clock,
 * the start, and the releases of challenges. Hidden challenges have no next release, because they stay hidden when released.
 */
export function updateReleases(state: State): void {
  const { now } = state
  const kinds = [...state.rows.keys()]
    .filter(({ releases }) => releases)
    .map((of) => ({ of, slice: sliceOf(state.rows, of) }))
  let next = Infinity
  for (const entry of state.challenges.sorted) {
    const { row } = entry
    const notice = (at: number | null) => {
      if (at !== null && at > now && at < next && !row.hidden) next = at
    }
    notice(row.releaseAt)
    let released = NONE
    for (const { of, slice } of kinds) {
      let count = 0
      for (const at of of.releases?.(slice, row, state) ?? []) {
        if (at !== null && at <= now) count += 1
        else notice(at)
      }
      if (count > 0) released = { ...released, [of.kind]: count }
    }
    if (isJsonEqual(released, entry.released)) continue
    entry.released = released
    bumpChallengeVersion(state, entry)
  }
  state.nextReleaseAt = next === Infinity ? null : next
}
