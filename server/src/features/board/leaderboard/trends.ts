import { HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import { TREND_SCORES, type Trend } from '@pennant/contract/leaderboard.ts'
import type { z } from 'zod'
import { memoizeLatest } from '../../../http/response/prepared-cache.ts'
import type { WorldView } from '../../../world/model.ts'
import { fineSampleMs } from './rules.ts'

// The trend of a row: docs/reference/leaderboard.md#trend

type TrendView = z.input<typeof Trend>

export interface Trends {
  /** Cache key: trends of the same world with the same key are equal until the standings change. */
  keyOf(world: WorldView): string
  /** The trend of each team, in the order of `teamIds`. */
  of(world: WorldView, teamIds: readonly string[]): TrendView[]
}

const MINUTES = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720]
const DAY_MINUTES = 24 * 60
/** The last score is the current one. */
const STEPS = TREND_SCORES - 1

/**
 * `now` is the clock, and `sampleMs` the time between points of the graph. The site requests trends beside the fine graph, so both
 * use the same points.
 */
export function createTrends(now: () => number, sampleMs: number): Trends {
  const worlds = new WeakMap<WorldView, number>()
  let worldCount = 0
  // Sorting all teams takes some milliseconds, so it happens once a minute, however often the standings change.
  const ranksAnHourAgo = memoizeLatest((world: WorldView) =>
    world.ranksAt(referenceOf(world) - HOUR_MS, fineSampleMs(world, sampleMs)),
  )

  /** The current minute, or the end of the event or the freeze once it is over. */
  function referenceOf({ endTime, frozenAt }: WorldView): number {
    const latest = Math.min(now(), frozenAt ?? Infinity)
    return Math.min(Math.floor(latest / MINUTE_MS) * MINUTE_MS, endTime)
  }

  function keyOf(world: WorldView): string {
    let number = worlds.get(world)
    if (number === undefined) worlds.set(world, (number = worldCount += 1))
    // With the minute of the clock: after the end the reference stays, but bans and scores may still change.
    return `${number}.${referenceOf(world)}.${Math.floor(now() / MINUTE_MS)}`
  }

  return {
    keyOf,
    of(world, teamIds) {
      const before = ranksAnHourAgo(keyOf(world), world)
      const times = trendTimes(world.startTime, referenceOf(world))
      const scores = world.scoresAt(teamIds, { times, sampleMs: fineSampleMs(world, sampleMs) })
      return teamIds.map((id, at) => {
        const { score, globalRank, divisionRank } = world.standing(id)
        return {
          scores: [...(scores[at] ?? []), score],
          globalPlaceChange: gained(before.global.get(id), globalRank),
          divisionPlaceChange: gained(before.inDivision.get(id), divisionRank),
        }
      })
    },
  }
}

/** Equal steps from the start until now, at most 23; none before the start. */
export function trendTimes(startTime: number, now: number): number[] {
  const minutes = (now - startTime) / MINUTE_MS
  if (!(minutes > 0)) return []
  const days = Math.ceil(minutes / DAY_MINUTES / STEPS)
  const step = MINUTES.find((each) => minutes / each <= STEPS) ?? days * DAY_MINUTES
  return Array.from({ length: Math.ceil(minutes / step) }, (_, at) => startTime + at * step * MINUTE_MS)
}

function gained(before: number | undefined, rank: number | null): number | null {
  return before === undefined || rank === null ? null : before - rank
}
