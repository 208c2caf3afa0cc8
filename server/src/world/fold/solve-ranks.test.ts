import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventWindow, tracksOf } from '../../../test/world-model.ts'
import { expectedWorld } from '../../../test/world-oracle.ts'
import { challengeRow, solveId, teamRow } from '../../../test/world-rows.ts'
import type { ProviderContext } from '../../providers/provider.ts'
import { scoreProviders } from '../../providers/scores/all.ts'
import { adjustmentRows, type AdjustmentRow } from '../../features/contest/adjustments/rows.ts'
import { rowsChange } from '../row-kind.ts'
import type { SolveRow, WorldRows, WorldRules, WorldView } from '../model.ts'
import { createWorld, fold, type World } from './world.ts'

const outside: ProviderContext = {
  fetch,
  log: { debug() {}, info() {}, warn() {}, error() {} },
  now: () => 0,
  dataDir: '',
}
const TEAMS = 9
const CHALLENGES = 6
/** Batches above and below the limit for merging, so that both code paths of the standings run. */
const solved = fc.uniqueArray(fc.nat({ max: TEAMS * CHALLENGES - 1 }), { minLength: 1, maxLength: 40 })

/** Teams, and between which solves. */
const adjusted = fc.array(
  fc.record({ team: fc.nat(TEAMS - 1), after: fc.nat(40), points: fc.integer({ min: -9, max: 9 }) }),
  {
    maxLength: 8,
  },
)

interface Event {
  readonly rows: WorldRows
  readonly solves: readonly SolveRow[]
  readonly adjustments: readonly AdjustmentRow[]
}

type Adjusted = readonly { readonly team: number; readonly after: number; readonly points: number }[]

/** `trackSwitches`: what the three tracks may do; null without tracks. */
function eventOf(
  numbers: readonly number[],
  changes: Adjusted = [],
  trackSwitches: number | null = null,
): Event {
  const teams = Array.from({ length: TEAMS }, (_, n) =>
    teamRow(`t${n}`, {
      createdAt: n % 3,
      banned: n === 8,
      division: n % 2 === 0 ? 'open' : 'school',
      track: ['human', 'agent', 'guest', null][n % 4] ?? null,
    }),
  )
  const challenges = Array.from({ length: CHALLENGES }, (_, n) =>
    challengeRow(`c${n}`, {
      tiebreakEligible: n % 3 > 0,
      hidden: n === 5,
      scoringKind: n === 4 ? 'static' : 'decay',
    }),
  )
  const solves = numbers.map((number, index) => ({
    id: solveId(1000 - index),
    challengeId: `c${number % CHALLENGES}`,
    teamId: `t${Math.floor(number / CHALLENGES)}`,
    // Some have equal times with ids in the wrong order, and the last ones are after the end.
    createdAt: 10_000 + Math.floor(index / 2) * 3000,
    globalRank: null,
    divisionRank: null,
  }))
  const adjustments = changes
    .filter(({ points }) => points !== 0)
    .map(({ team, after, points }, index): AdjustmentRow => {
      const at = 10_000 + Math.floor(after / 2) * 3000 + 1
      return { id: `a${index}`, teamId: `t${team}`, points: points * 50, reason: '', kind: 'manual', at }
    })
  return {
    rows: {
      teams,
      challenges,
      solves: [],
      feed: [],
      feedEvents: [],
      settings: trackSwitches === null ? {} : { tracks: tracksOf(trackSwitches) },
    },
    solves,
    adjustments,
  }
}

/** The ranks by definition: those in the standings built from this solve and all before it. */
function expectedRanks(rules: WorldRules, { rows, solves, adjustments }: Event) {
  const division = new Map(rows.teams.map((team) => [team.id, team.division]))
  return solves.map((solve, index) => {
    const { challengeId, teamId, createdAt } = solve
    if (teamId === 't8' || challengeId === 'c5' || createdAt > eventWindow.endTime) return [null, null]
    const then = {
      solves: solves.slice(0, index + 1),
      rows: [{ of: adjustmentRows, rows: adjustments.filter(({ at }) => at <= createdAt) }],
    }
    const { board } = expectedWorld(rules, { ...rows, ...then }, 0)
    const peers = board.filter(({ id }) => division.get(id) === division.get(teamId))
    const rankIn = (list: typeof board) => list.findIndex(({ id }) => id === teamId) + 1 || null
    return [rankIn(board), rankIn(peers)]
  })
}

/** What the change log has between the solves. */
function adjustUntil(world: World, { rows, adjustments }: Event, time: number | undefined): void {
  const known = adjustments.filter(({ at }) => at <= (time ?? 0))
  fold(
    world,
    rowsChange(
      adjustmentRows,
      rows.teams.map(({ id }) => id),
      known,
    ),
  )
}

function ranksIn(world: WorldView, solves: readonly SolveRow[]) {
  return solves.map(({ challengeId, teamId }) => {
    const solve = world.solve(challengeId, teamId)
    return [solve?.globalRank ?? null, solve?.divisionRank ?? null]
  })
}

function rulesOf(provider: (typeof scoreProviders)[number]): WorldRules {
  const start = provider.start as (options: object, world: ProviderContext) => WorldRules['score']
  return { score: start(provider.options.parse({}), outside), ...eventWindow }
}

for (const provider of scoreProviders) {
  const rules = rulesOf(provider)

  test(`ranks at solve time are exact one by one, in batches and after loading, with ${provider.name}`, () => {
    fc.assert(
      fc.property(
        fc.tuple(solved, adjusted, fc.option(fc.nat(1023))),
        fc.array(fc.integer({ min: 1, max: 12 })),
        fc.nat(40),
        ([numbers, changes, tracks], sizes, recorded) => {
          const event = eventOf(numbers, changes, tracks)
          const expected = expectedRanks(rules, event)
          const { rows, solves } = event

          const oneByOne = createWorld(rules, rows, 0)
          for (const row of solves) {
            adjustUntil(oneByOne, event, row.createdAt)
            fold(oneByOne, { kind: 'solves', rows: [row], removed: [] })
          }
          expect(ranksIn(oneByOne, solves)).toEqual(expected)

          const batched = createWorld(rules, rows, 0)
          for (let at = 0, batch = 0; at < solves.length; batch += 1) {
            const size = sizes[batch] ?? solves.length
            adjustUntil(batched, event, solves.slice(at, at + size).at(-1)?.createdAt)
            fold(batched, { kind: 'solves', rows: solves.slice(at, at + size), removed: [] })
            at += size
          }
          expect(ranksIn(batched, solves)).toEqual(expected)

          // The worker records in order, so only the latest are missing.
          const stored = solves.map((row, index) => {
            const [globalRank = null, divisionRank = null] = index < recorded ? (expected[index] ?? []) : []
            return { ...row, globalRank, divisionRank }
          })
          const loaded = createWorld(
            rules,
            {
              ...rows,
              rows: [{ of: adjustmentRows, rows: event.adjustments }],
              solves: stored,
              latestSolves: solves.slice(recorded > 5 ? 5 : 0),
            },
            0,
          )
          expect(ranksIn(loaded, solves)).toEqual(expected)
        },
      ),
      { numRuns: 100 },
    )
  })
}

test('a recorded rank is kept, and a row without ranks does not clear it', () => {
  const { rows, solves } = eventOf([0, 6])
  const world = createWorld(rulesOf(scoreProviders[0] as (typeof scoreProviders)[number]), rows, 0)
  fold(world, { kind: 'solves', rows: solves, removed: [] })
  expect(ranksIn(world, solves)).toEqual([
    [1, 1],
    [2, 1],
  ])
  const [first, second] = solves as [SolveRow, SolveRow]
  fold(world, { kind: 'solves', rows: [{ ...first, globalRank: 7, divisionRank: 3 }, second], removed: [] })
  expect(ranksIn(world, solves)).toEqual([
    [7, 3],
    [2, 1],
  ])
})
