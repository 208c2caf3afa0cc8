import type { Statistics } from '../queries.ts'

export type ChallengeStatistics = Statistics['challenges'][number]

export interface Difficulty extends ChallengeStatistics {
  /** Wrong flags for each correct one. */
  readonly ratio: number
  /** The ratio that the trend predicts for this number of solves; null if too few are solved. */
  readonly expected: number | null
  /** Far above the expectation: the stored flag or the description may be wrong. */
  readonly isUnusual: boolean
}

/** With fewer solved challenges there is no trend. */
const LEAST_CHALLENGES = 6
/** Two challenges each give a slope, so this limits the slopes to 20,000. */
const MAX_FITTED = 200
const UNUSUAL_FACTOR = 3
/** Fewer wrong flags can be one team that tries variants. */
const LEAST_WRONG = 20
/** Without a correct flag, and without a trend to compare with. */
const MAX_UNSOLVED_WRONG = 100
/** The logarithm of zero is not a number. */
const LEAST_RATIO = 0.05

/**
 * Solved challenges with the ratio of wrong to correct flags, and the ratio that the trend of all of them
 * predicts for their number of solves: the fewer solves, the more wrong flags for each correct one.
 */
export function difficultiesOf(challenges: readonly ChallengeStatistics[]): Difficulty[] {
  const { solved, trend } = solvedOf(challenges)
  return solved.map((challenge) => {
    const expected = trend && Math.exp(trend(Math.log(challenge.solves)))
    const isAbove = expected !== null && challenge.ratio > UNUSUAL_FACTOR * Math.max(expected, 1)
    return { ...challenge, expected, isUnusual: isAbove && challenge.wrong >= LEAST_WRONG }
  })
}

/** What an organiser should look at: unusual challenges, and unsolved ones that get more wrong flags than rare ones. */
export function unusualOf(challenges: readonly ChallengeStatistics[]): ChallengeStatistics[] {
  const { trend } = solvedOf(challenges)
  const most = Math.max(MAX_UNSOLVED_WRONG, trend ? UNUSUAL_FACTOR * Math.exp(trend(0)) : 0)
  const unsolved = challenges.filter(({ solves, wrong }) => solves === 0 && wrong > most)
  return [...unsolved, ...difficultiesOf(challenges).filter(({ isUnusual }) => isUnusual)]
}

function solvedOf(challenges: readonly ChallengeStatistics[]) {
  const solved = challenges
    .filter(({ solves, correct }) => solves > 0 && correct > 0)
    .map((challenge) => ({ ...challenge, ratio: challenge.wrong / challenge.correct }))
  const trend = trendOf(
    solved.map(({ solves, ratio }) => [Math.log(solves), Math.log(Math.max(ratio, LEAST_RATIO))]),
  )
  return { solved, trend }
}

type Point = readonly [x: number, y: number]

/** The Theil–Sen line: its slope is a median, so a few broken challenges do not change what is expected. */
function trendOf(all: readonly Point[]): ((x: number) => number) | null {
  if (all.length < LEAST_CHALLENGES) return null
  const step = Math.ceil(all.length / MAX_FITTED)
  const points = all.filter((_, at) => at % step === 0)
  const slopes = points.flatMap(([x, y], at) =>
    points.slice(at + 1).flatMap(([otherX, otherY]) => (x === otherX ? [] : (otherY - y) / (otherX - x))),
  )
  const slope = median(slopes)
  const height = median(points.map(([x, y]) => y - slope * x))
  return (x) => height + slope * x
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2
}
