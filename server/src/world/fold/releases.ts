import { isJsonEqual } from '../json-equal.ts'
import { sliceOf } from '../kept-rows.ts'
import { bumpChallengeVersion, type Entry, type State } from '../state.ts'

/**
 * Counts the released rows of each challenge and finds the next release of a challenge or a row, in place. Both depend on the clock,
 * the start, and the releases of challenges. Hidden challenges have no next release, because they stay hidden when released.
 */
export function updateReleases(state: State): void {
  const { now } = state
  let next = Infinity
  for (const entry of state.challenges.sorted) {
    const { row } = entry
    const released: Record<string, number> = {}
    const waiting = [row.releaseAt]
    for (const [kind, times] of releasesOf(state, entry)) {
      const count = times.filter((at) => at !== null && at <= now).length
      if (count > 0) released[kind] = count
      waiting.push(...times)
    }
    if (!row.hidden) for (const at of waiting) if (at !== null && at > now && at < next) next = at
    if (isJsonEqual(released, entry.released)) continue
    entry.released = released
    bumpChallengeVersion(state, entry)
  }
  state.nextReleaseAt = next === Infinity ? null : next
}

function releasesOf(state: State, { row }: Entry): [kind: string, times: (number | null)[]][] {
  return [...state.rows.keys()].flatMap((of) => {
    const times = of.releases?.(sliceOf(state.rows, of), row, state)
    return times ? [[of.kind, times]] : []
  })
}
