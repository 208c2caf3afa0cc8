import { expect, test } from 'vitest'
import { difficultiesOf, unusualOf } from './difficulty.ts'

const challenge = (id: string, counts: { solves: number; correct?: number; wrong: number }) => ({
  id,
  name: id,
  category: 'web',
  points: 100,
  correct: counts.solves,
  ...counts,
})

/** Ten challenges with 10 to 100 solves, and 600 wrong flags each: the rarer the solves, the higher the ratio. */
const usual = Array.from({ length: 10 }, (_, at) =>
  challenge(`usual ${at}`, { solves: (at + 1) * 10, wrong: 600 }),
)
const namesOf = (challenges: Parameters<typeof unusualOf>[0]) => unusualOf(challenges).map(({ id }) => id)

test('the expectation follows the number of solves', () => {
  for (const { ratio, expected } of difficultiesOf(usual)) expect(expected).toBeCloseTo(ratio)
  const rare = challenge('rare', { solves: 2, wrong: 600 })
  expect(difficultiesOf([...usual, rare]).at(-1)?.expected).toBeCloseTo(300)
  expect(namesOf([...usual, rare])).toEqual([])
})

test('a challenge far above the expectation is unusual and does not change that of the others', () => {
  const broken = challenge('broken', { solves: 25, wrong: 25 * 100 })
  const found = difficultiesOf([...usual, broken])
  expect(found.filter(({ isUnusual }) => isUnusual).map(({ id }) => id)).toEqual(['broken'])
  expect(found.at(-1)?.expected).toBeCloseTo(24)
  for (const { ratio, expected } of found.slice(0, -1)) expect(expected).toBeCloseTo(ratio)
})

test('few wrong flags and few challenges allow no judgement', () => {
  const easy = usual.map((each) => ({ ...each, wrong: 0 }))
  expect(namesOf([...easy, challenge('new', { solves: 1, wrong: 19 })])).toEqual([])
  expect(namesOf([...easy, challenge('broken', { solves: 1, wrong: 20 })])).toEqual(['broken'])
  expect(namesOf([...usual.slice(0, 4), challenge('broken', { solves: 20, wrong: 9000 })])).toEqual([])
})

test('many challenges are judged by a sample', () => {
  const many = Array.from({ length: 1000 }, (_, at) =>
    challenge(`${at}`, { solves: (at % 100) + 1, wrong: 600 }),
  )
  expect(difficultiesOf(many)[49]?.expected).toBeCloseTo(12)
})

test('an unsolved challenge is unusual with more wrong flags than the trend explains', () => {
  const unsolved = (wrong: number) => challenge('unsolved', { solves: 0, wrong })
  expect(namesOf([...usual, unsolved(1790)])).toEqual([])
  expect(namesOf([...usual, unsolved(1810)])).toEqual(['unsolved'])
  expect(namesOf([unsolved(100)])).toEqual([])
  expect(namesOf([unsolved(101)])).toEqual(['unsolved'])
})

test('challenges without a correct flag are left out', () => {
  expect(difficultiesOf([challenge('open', { solves: 0, wrong: 9 })])).toEqual([])
})
