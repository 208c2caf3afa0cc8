import { expect, test } from 'vitest'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import type { ScoreFormula, ScoreInput } from '../../lib/score-formula.ts'
import type { ProviderContext } from '../provider.ts'
import { scoreProviders } from './all.ts'
import { classicScores } from './classic.ts'
import { genniScores } from './genni.ts'
import { jammyScores } from './jammy.ts'
import { legacyScores } from './legacy.ts'
import { sekaiScores } from './sekai.ts'
import { steepScores } from './steep.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const world: ProviderContext = { fetch, log, now: () => 0, dataDir: '.' }
const startTime = 1_800_000_000_000
const base: ScoreInput = {
  min: 100,
  max: 500,
  solves: 0,
  maxSolves: 0,
  startTime,
  endTime: startTime + 48 * HOUR_MS,
  firstSolveAt: null,
}

const classic = (await classicScores.start({}, world)) as ScoreFormula
const steep = (await steepScores.start({}, world)) as ScoreFormula
const sekai = (await sekaiScores.start({}, world)) as ScoreFormula
const genni = (await genniScores.start({}, world)) as ScoreFormula
const legacy = (await legacyScores.start({}, world)) as ScoreFormula
const jammy = async (maximumScoreTime?: number) =>
  jammyScores.start(jammyScores.options.parse({ maximumScoreTime }), world)

const counts = [0, 1, 2, 3, 5, 10, 20, 30, 50, 60, 100, 200, 500]
const tables: [string, ScoreFormula, number, number[]][] = [
  ['classic', classic, 0, [500, 500, 481, 458, 415, 334, 245, 202, 162, 151, 129, 113, 104]],
  ['steep', steep, 0, [500, 500, 443, 400, 340, 260, 196, 169, 144, 137, 123, 112, 105]],
  ['sekai', sekai, 0, [500, 500, 478, 458, 423, 357, 270, 211, 131, 100, 100, 100, 100]],
  ['genni', genni, 0, [500, 500, 500, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
  ['legacy', legacy, 50, [500, 493, 485, 477, 458, 403, 271, 169, 100]],
  ['legacy', legacy, 200, [500, 498, 496, 495, 491, 481, 458, 432, 370, 337, 213, 100]],
  ['legacy', legacy, 500, [500, 499, 499, 498, 496, 493, 485, 477, 458, 448, 403, 271, 100]],
]

for (const [name, formula, maxSolves, values] of tables) {
  test(`${name} follows the documented table, with ${maxSolves} solves at most elsewhere`, () => {
    const got = values.map((_, at) => formula.value({ ...base, solves: counts[at] ?? 0, maxSolves }))
    expect(got).toEqual(values)
  })
}

test('classic with other bounds', () => {
  const value = (solves: number) => classic.value({ ...base, min: 50, max: 1000, solves })
  expect([1, 2, 3, 5, 10, 20, 50, 100, 500].map(value)).toEqual([1000, 954, 901, 799, 605, 395, 196, 119, 60])
})

test('legacy without solves is the maximum', () => {
  expect(legacy.value(base)).toBe(500)
})

test('jammy rises with the time to the first solve', async () => {
  const hours = [0, 1, 2, 4, 6, 12, 24, 36, 38, 38.4, 47]
  const formula = await jammy()
  const value = (hour: number) =>
    formula.value({ ...base, solves: 1, firstSolveAt: startTime + hour * HOUR_MS })
  expect(formula.value(base)).toBe(500)
  expect(hours.map(value)).toEqual([100, 110, 120, 141, 162, 225, 350, 475, 496, 500, 500])
})

test('jammy reaches the maximum at the configured share of the event', async () => {
  const formula = await jammy(0.5)
  const value = (hour: number) =>
    formula.value({ ...base, solves: 1, firstSolveAt: startTime + hour * HOUR_MS })
  expect([0, 6, 12, 24, 36, 38, 40].map(value)).toEqual([100, 200, 300, 500, 500, 500, 500])
  expect(formula.value(base)).toBe(500)
})

test('jammy stays within the bounds for a first solve before the start', async () => {
  const early = { ...base, solves: 1, firstSolveAt: startTime - HOUR_MS }
  expect((await jammy()).value(early)).toBe(100)
})

test('jammy is the maximum if the event has no duration or the points no range', async () => {
  const formula = await jammy()
  const solved = { ...base, solves: 1, firstSolveAt: startTime }
  expect(formula.value({ ...solved, endTime: startTime })).toBe(500)
  expect(formula.value({ ...solved, min: 0, max: 0 })).toBe(0)
  expect(formula.value({ ...solved, min: 600, max: 500 })).toBe(500)
})

test('refuses options outside their bounds', () => {
  for (const maximumScoreTime of [0, -1, 1.01, '0.5']) {
    expect(jammyScores.options.safeParse({ maximumScoreTime }).success).toBe(false)
  }
  expect(jammyScores.options.parse({})).toEqual({ maximumScoreTime: 0.8 })
  for (const { options } of scoreProviders) expect(options.safeParse({ speed: 1 }).success).toBe(false)
})

test('a formula depends only on the inputs it declares, and values are integers', async () => {
  for (const provider of scoreProviders) {
    const formula = provider === jammyScores ? await jammy() : await startPlain(provider)
    for (const solves of [0, 1, 2, 3, 9, 40]) {
      const input = { ...base, solves, maxSolves: 50, firstSolveAt: solves ? startTime + HOUR_MS : null }
      const value = formula.value(input)
      expect(Number.isInteger(value)).toBe(true)
      if (!formula.needs.maxSolves) expect(formula.value({ ...input, maxSolves: 90 })).toBe(value)
      if (!formula.needs.firstSolve) expect(formula.value({ ...input, firstSolveAt: 5 })).toBe(value)
    }
  }
})

function startPlain(provider: Exclude<(typeof scoreProviders)[number], typeof jammyScores>) {
  return provider.start({}, world)
}
