import { createHash } from 'node:crypto'
import { adjustmentLimits } from '@pennant/contract/score-adjustments.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  at,
  challenge,
  config,
  entriesOf,
  flag,
  importEntries,
  solve,
  solvesOf,
  user,
  type Rows,
  type Tables,
} from '../../../../test/import/ctfd-archive.ts'
import { codesOf, examplesOf, lossesOf, openTarget, type Target } from '../../../../test/import/target.ts'

let target: Target
beforeEach(async () => {
  target = await openTarget()
})
afterEach(() => target[Symbol.asyncDispose]())

const submissions = [solve(1, [2, 1]), solve(2, [2, 2]), solve(3, [1, 3])]
const contest = (more: Tables = {}): Tables => ({
  config: config({}),
  users: [user(1), user(2), user(3)],
  challenges: [challenge(1), challenge(2)],
  flags: [flag(1, 1), flag(2, 2)],
  submissions,
  solves: solvesOf(submissions),
  ...more,
})

const hint = (id: number, more: object = {}) => ({
  id,
  type: 'standard',
  challenge_id: 1,
  title: null,
  content: `Text ${id}`,
  cost: 30,
  requirements: null,
  ...more,
})
const unlock = (id: number, [target_, user_id]: readonly [number, number], more: object = {}) => ({
  id,
  target: target_,
  user_id,
  team_id: null,
  type: 'hints',
  date: at('11:10:00.000100'),
  ...more,
})
const price = (id: number, [hintId, user_id]: readonly [number, number], more: object = {}) => ({
  id,
  user_id,
  team_id: null,
  value: -30,
  category: 'hints',
  name: `Hint ${hintId}`,
  description: 'Hint for Chal 1',
  date: at('11:10:00.000200'),
  ...more,
})

const PURCHASES = `
  select t.name, h.content as hint, p.price, a.points, a.kind, a.reason, a.undone_at is not null as undone,
    extract(epoch from p.at)::float8 * 1000000 as at
  from hint_purchases p join hints h on h.id = p.hint_id join teams t on t.id = p.team_id
    join score_adjustments a on a.id = p.adjustment_id order by t.name, h.content`
const MANUAL = `select t.name, points, reason from score_adjustments a join teams t on t.id = a.team_id
  where kind = 'manual' and undone_at is null order by 1, 2`
const boughtAt = Date.UTC(2030, 4, 2, 11, 10) * 1000
const bought = (name: string, more: object = {}) => ({
  name,
  hint: 'Text 1',
  price: 30,
  points: -30,
  kind: 'hint',
  reason: 'Hint 1 of Chal 1',
  undone: false,
  at: boughtAt + 200,
  ...more,
})

test('hints arrive with their challenge, text, price and order', async () => {
  const location = `${'1'.repeat(32)}/map.png`
  const result = await importEntries(
    target,
    entriesOf(
      contest({
        hints: [
          hint(7, { cost: 0, content: 'last' }),
          hint(3, { title: 'Look *here*', content: `![map](/files/${location}?token=abc)` }),
          hint(4, { challenge_id: 2, title: 'Only a title', content: null }),
          hint(5, { cost: '15.0' }),
        ],
      }),
      { [location]: 'png' },
    ),
  )
  expect(lossesOf(result)).toEqual([])
  expect(result.counts).toMatchObject({ hints: 4, hintPurchases: 0 })
  const url = `/uploads/${createHash('sha256').update('png').digest('hex')}/map.png`
  expect(
    await target.rows(`
      select c.name, h.position, h.content as text, h.price, release_kind as kind, release_minutes as minutes
      from hints h join challenges c on c.id = h.challenge_id order by c.name, h.position`),
  ).toEqual(
    [
      ['Chal 1', 1, `**Look \\*here\\***\n\n![map](${url})`, 30],
      ['Chal 1', 2, 'Text 5', 15],
      ['Chal 1', 3, 'last', 0],
      ['Chal 2', 1, '**Only a title**', 30],
    ].map(([name, position, text, cost]) => ({
      name,
      position,
      text,
      price: cost,
      kind: 'after',
      minutes: 0,
    })),
  )
})

test('25: an unlock and its negative award are one purchase, which counts once', async () => {
  const result = await importEntries(
    target,
    entriesOf(
      contest({
        hints: [hint(1)],
        unlocks: [unlock(1, [1, 2])],
        awards: [price(1, [1, 2]), price(2, [1, 1], { value: 5, category: 'bonus', name: 'Hint 1' })],
      }),
    ),
  )
  expect(lossesOf(result)).toEqual([])
  expect(await target.rows(PURCHASES)).toEqual([bought('User 2')])
  expect(await target.rows(MANUAL)).toEqual([
    { name: 'User 1', points: 5, reason: 'Hint 1: Hint for Chal 1' },
  ])
  expect(result.contest.expected(null as never, null as never).ranks.map(({ score }) => score)).toEqual([
    205, 170, 100,
  ])
})

test('what an account paid stays, whatever the hint costs now', async () => {
  const result = await importEntries(
    target,
    entriesOf(
      contest({
        hints: [hint(1, { cost: 0 }), hint(2, { cost: 80 })],
        unlocks: [unlock(1, [1, 1]), unlock(2, [2, 2])],
        awards: [price(1, [1, 1]), price(2, [2, 2], { value: -12 })],
      }),
    ),
  )
  expect(lossesOf(result)).toEqual([])
  expect(await target.rows(PURCHASES)).toEqual([
    bought('User 1'),
    bought('User 2', { hint: 'Text 2', reason: 'Hint 2 of Chal 1', price: 12, points: -12 }),
  ])
})

test('an unlock without a price gives the hint and takes nothing; free hints need no purchase', async () => {
  const result = await importEntries(
    target,
    entriesOf(
      contest({
        hints: [hint(1), hint(2, { cost: 0 })],
        // The hint was free when user 1 unlocked it; an organiser deleted the award of user 2.
        unlocks: [unlock(1, [1, 1]), unlock(2, [1, 2]), unlock(3, [2, 3])],
        awards: [price(1, [1, 1], { value: 0 }), price(2, [2, 3], { value: 0 })],
      }),
    ),
  )
  expect(lossesOf(result)).toEqual([])
  expect(codesOf(result)).toContain('note free-unlocks')
  const undone = { undone: true, at: boughtAt + 100 }
  expect(await target.rows(PURCHASES)).toEqual([bought('User 1', undone), bought('User 2', undone)])
})

test('in teams mode the team bought it, once, whichever users did', async () => {
  const result = await importEntries(
    target,
    entriesOf({
      ...contest(),
      config: config({ user_mode: 'teams' }),
      teams: [{ id: 5, name: 'Ants', email: 'ants@teams.example', created: at('08:00:00') }],
      users: [user(1, { team_id: 5 }), user(2, { team_id: 5 })],
      submissions: [solve(1, [2, 1], { team_id: 5 })],
      solves: solvesOf([solve(1, [2, 1], { team_id: 5 })]),
      hints: [hint(1)],
      unlocks: [
        unlock(1, [1, 1], { team_id: 5 }),
        unlock(2, [1, 2], { team_id: 5 }),
        unlock(3, [1, 2], { team_id: null }),
      ],
      // Two members clicked at once, and both were charged.
      awards: [price(1, [1, 1], { team_id: 5 }), price(2, [1, 2], { team_id: 5 })],
    }),
  )
  expect(lossesOf(result)).toEqual(['loss addresses', 'loss unlocks-left'].slice(1))
  expect(await target.rows(PURCHASES)).toEqual([bought('Ants')])
  expect(await target.rows(MANUAL)).toEqual([
    { name: 'Ants', points: -30, reason: 'Hint 1: Hint for Chal 1' },
  ])
})

test('25: unlocks of hints that are gone, and prices without an unlock, keep the score', async () => {
  const result = await importEntries(
    target,
    entriesOf(
      contest({
        hints: [hint(1), hint(8, { challenge_id: 99 }), hint(9, { content: ' ' })],
        unlocks: [
          unlock(1, [77, 1]),
          unlock(2, [1, 9]),
          unlock(3, [1, 3], { type: 'solutions' }),
          unlock(4, [1, 3], { date: null }),
        ],
        awards: [price(1, [77, 1]), price(2, [1, 2])],
      }),
    ),
  )
  expect(lossesOf(result)).toEqual(
    ['hints-left', 'unlocks-left', 'unlocks', 'purchases-left'].map((code) => `loss ${code}`),
  )
  expect(examplesOf(result, 'hints-left')).toEqual(['hint 8', 'hint 9'])
  expect(examplesOf(result, 'other-unlocks')).toEqual(['hint 77'])
  expect(examplesOf(result, 'other-prices')).toEqual(['hint 77', 'hint 1'])
  expect(examplesOf(result, 'unlocks')).toEqual(['solutions'])
  expect(await target.rows(PURCHASES)).toEqual([])
  expect(await target.rows(MANUAL)).toEqual([
    { name: 'User 1', points: -30, reason: 'Hint 77: Hint for Chal 1' },
    { name: 'User 2', points: -30, reason: 'Hint 1: Hint for Chal 1' },
  ])
})

test('requirements between hints, too many, too long and impossible prices are reported', async () => {
  const many: Rows = Array.from({ length: 22 }, (_, index) => hint(index + 10, { challenge_id: 2 }))
  const result = await importEntries(
    target,
    entriesOf(
      contest({
        hints: [
          hint(1, { cost: -5, content: 'x'.repeat(10_001) }),
          hint(2, { cost: 5_000_000, requirements: { prerequisites: [1] } }),
          hint(3, { requirements: '{"prerequisites": [2]}' }),
          hint(4, { requirements: { prerequisites: [99] } }),
          ...many,
        ],
      }),
    ),
  )
  expect(lossesOf(result)).toEqual(
    ['hintRequirements', 'long-hints', 'many-hints', 'hint-prices'].map((code) => `loss ${code}`),
  )
  expect(result.findings.find(({ code }) => code === 'hintRequirements')?.count).toBe(2)
  expect(result.counts?.hints).toBe(24)
  expect(
    await target.rows('select length(content) as length, price from hints order by 1 desc, 2 desc limit 2'),
  ).toEqual([
    { length: 10_000, price: 0 },
    { length: 7, price: 30 },
  ])
  expect(await target.rows('select max(price) as max from hints')).toEqual([{ max: 1_000_000 }])
})

test('more purchases and awards than an account can have keep the score', async () => {
  const challenges = Array.from({ length: 27 }, (_, index) => challenge(index + 1))
  const hints = Array.from({ length: 520 }, (_, index) =>
    hint(index + 1, { challenge_id: 1 + (index % 27), cost: 1 }),
  )
  const result = await importEntries(
    target,
    entriesOf(
      contest({
        challenges,
        hints,
        unlocks: hints.map(({ id }) => unlock(id, [id, 1])),
        awards: [
          ...hints.map(({ id }) => price(id, [id, 1], { value: -1 })),
          price(900, [0, 1], { value: 50, category: '', name: 'Write-up' }),
        ],
      }),
    ),
  )
  expect(lossesOf(result)).toEqual(['loss purchases-left', 'loss many-awards'])
  expect(await target.rows('select count(*)::int, sum(points)::int from score_adjustments')).toEqual([
    { count: adjustmentLimits.perTeam, sum: 50 - 520 },
  ])
})

test('prices as pushed points, or left out, are not charged a second time', async () => {
  const tables = contest({ hints: [hint(1)], unlocks: [unlock(1, [1, 2])], awards: [price(1, [1, 2])] })
  const skipped = await importEntries(target, entriesOf(tables), { awards: 'skip', isPlan: true })
  expect(lossesOf(skipped)).toEqual(['loss skipped-awards', 'loss standings'])
  expect(examplesOf(skipped, 'standings')).toEqual([
    'User 2: rank 2 with 170 points becomes rank 2 with 200 points',
  ])
  const pushed = await importEntries(target, entriesOf(tables), { awards: 'feed' })
  expect(lossesOf(pushed)).toEqual([])
  expect(await target.rows(PURCHASES)).toEqual([bought('User 2', { undone: true })])
  expect(await target.rows('select points from feed_scores')).toEqual([{ points: -30 }])
})
