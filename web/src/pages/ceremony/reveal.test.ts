import { array, assert, integer, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { frameAt, stepsOf, type Team } from './reveal.ts'

interface Draft {
  readonly before: number
  /** By which the values of its earlier solves fell. */
  readonly fall: number
  readonly solves: readonly number[]
  readonly other: number
}

/** Teams in their final order, with ranks before and after. */
function teamsOf(drafts: readonly Draft[]): Team[] {
  const made = drafts.map(({ before, fall, solves, other }, at) => {
    const base = before - Math.min(fall, before)
    return {
      id: `team-${at}`,
      name: `Team ${at}`,
      avatarUrl: null,
      division: 'open',
      before: { score: before, rank: 0 },
      base,
      after: { score: base + solves.reduce((sum, each) => sum + each, 0) + other, rank: 0 },
      solves: solves.map((points, of) => ({ challengeId: `c${of}`, at: of, points, isFirst: false })),
    }
  })
  const ranked = made.toSorted((left, right) => right.before.score - left.before.score)
  return made
    .map((team) => ({
      ...team,
      before: {
        score: team.before.score,
        rank: team.before.score === 0 ? null : ranked.findIndex(({ id }) => id === team.id) + 1,
      },
    }))
    .toSorted((left, right) => right.after.score - left.after.score)
    .map((team, at) => ({ ...team, after: { ...team.after, rank: at + 1 } }))
}

const draft = record({
  before: integer({ min: 0, max: 40 }),
  fall: integer({ min: 0, max: 10 }),
  solves: array(integer({ min: 0, max: 20 }), { maxLength: 4 }),
  other: integer({ min: -10, max: 10 }),
})

test('the reveal ends with the final standings, each step changes one thing, and a final rank stays', () => {
  assert(
    property(array(draft, { minLength: 1, maxLength: 8 }), integer({ min: 0, max: 3 }), (drafts, more) => {
      const teams = teamsOf(drafts)
      const steps = stepsOf(teams, teams.length + more)
      const final = teams.map(({ id }) => id)
      const frames = steps.map((_, index) => frameAt(teams, steps, index))
      expect(frames[0]?.step.kind).toBe('start')
      expect(new Map(teams.map(({ id, before }) => [id, before.score]))).toEqual(frames[0]?.scores)
      const last = frames.at(-1)
      expect(last?.step.kind).toBe('podium')
      expect(last?.order).toEqual(final)
      expect(last?.scores).toEqual(new Map(teams.map(({ id, after }) => [id, after.score])))
      expect(last?.settled.size).toBe(teams.length)
      for (const [index, { step, scores, settled, order }] of frames.entries()) {
        const before = frames[index - 1]
        if (!before) continue
        const changed = final.filter((id) => scores.get(id) !== before.scores.get(id))
        const isChange = step.kind === 'solve' || step.kind === 'other'
        if (isChange) {
          expect(changed.filter((id) => id !== step.teamId)).toEqual([])
          expect((scores.get(step.teamId) ?? 0) - (before.scores.get(step.teamId) ?? 0)).toBe(step.points)
          expect(step.points).toBeGreaterThanOrEqual(0)
        } else if (step.kind !== 'values') expect(changed).toEqual([])
        const done = [...settled].filter((id) => !before.settled.has(id))
        expect(done).toEqual(step.kind === 'settle' ? [step.teamId] : [])
        // From the last place upwards: what is settled is the end of the final standings.
        if (settled.size > 0) expect(order.slice(-settled.size)).toEqual(final.slice(-settled.size))
      }
    }),
  )
})

test('each solve is revealed once, oldest first for its team', () => {
  const teams = teamsOf([
    { before: 30, fall: 0, solves: [], other: 0 },
    { before: 20, fall: 0, solves: [5, 10], other: 0 },
    { before: 10, fall: 0, solves: [50], other: 3 },
  ])
  const steps = stepsOf(teams, 5)
  expect(steps.map((step) => ('teamId' in step ? `${step.kind} ${step.teamId}` : step.kind))).toEqual([
    'start',
    'rest',
    'solve team-2',
    'solve team-1',
    'solve team-1',
    'settle team-0',
    'settle team-1',
    'other team-2',
    'settle team-2',
    'podium',
  ])
})

test('the values of the end are a step of their own', () => {
  const teams = teamsOf([
    { before: 30, fall: 10, solves: [], other: 0 },
    { before: 25, fall: 0, solves: [], other: 0 },
  ])
  const steps = stepsOf(teams, 2)
  expect(steps.map(({ kind }) => kind)).toEqual(['start', 'values', 'settle', 'settle', 'podium'])
  expect(frameAt(teams, steps, 0).order).toEqual(['team-0', 'team-1'])
  expect(frameAt(teams, steps, 1).order).toEqual(['team-1', 'team-0'])
})
