import { STATISTICS_CHALLENGES, STATISTICS_PERIODS } from '@pennant/contract/overview.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import type { Challenge, WorldView } from '../../../world/model.ts'

/** Number of flags by challenge id. */
export type FlagCounts = ReadonlyMap<string, { readonly count: number }>

/**
 * Solves per period, from the start of the event to now or the end. Periods are whole minutes and as short as
 * their maximum number allows. Counts by binary search, so the work does not grow with the number of solves.
 */
export function solvesOverTime(world: WorldView, now: number) {
  const { startTime: from, endTime } = world
  const until = Math.min(now, endTime)
  if (until <= from) return { from, periodMs: MINUTE_MS, counts: [] }
  const periodMs = Math.ceil((until - from) / STATISTICS_PERIODS / MINUTE_MS) * MINUTE_MS
  const lists = flagChallenges(world).map(({ id }) => world.solvesOfChallenge(id))
  const countBefore = (at: number) => lists.reduce((sum, list) => sum + list.countBefore(at), 0)
  const periods = Math.ceil((until - from) / periodMs)
  let before = 0
  const counts = Array.from({ length: periods }, (_, at) => {
    // The last period includes this moment, also by a database clock that is ahead. Later solves do not count.
    const total = countBefore(at === periods - 1 ? endTime + 1 : from + (at + 1) * periodMs)
    const count = total - before
    before = total
    return count
  })
  return { from, periodMs, counts }
}

/** Right and wrong flags of each public challenge that is solved with flags. */
export function challengeStatistics(
  world: WorldView,
  { correct, wrong }: { readonly correct: FlagCounts; readonly wrong: FlagCounts },
) {
  return flagChallenges(world).map(({ id, name, category, points, solveCount }) => ({
    id,
    name,
    category,
    points,
    solves: solveCount,
    correct: correct.get(id)?.count ?? 0,
    wrong: wrong.get(id)?.count ?? 0,
  }))
}

/** Number, points and solves of the public challenges of each category. */
export function categoryStatistics(world: WorldView) {
  const byName = new Map<string, { challenges: number; points: number; solves: number }>()
  for (const { category, points, solveCount } of world.publicChallenges()) {
    const sum = byName.get(category) ?? { challenges: 0, points: 0, solves: 0 }
    sum.challenges += 1
    sum.points += points
    sum.solves += solveCount
    byName.set(category, sum)
  }
  return [...byName].slice(0, STATISTICS_CHALLENGES).map(([category, sum]) => ({ category, ...sum }))
}

/** Scores of dynamic challenges are pushed, so they have neither flags nor solves. */
function flagChallenges(world: WorldView): Challenge[] {
  const all = world.publicChallenges().filter(({ scoringKind }) => scoringKind !== 'dynamic')
  return all.slice(0, STATISTICS_CHALLENGES)
}
