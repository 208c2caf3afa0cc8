import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createContest,
  eventWindow,
  RECORDED_RANK,
  rowsOf,
  applyStep,
  type Contest,
  type Step,
} from '../../../test/world-model.ts'
import { expectedWorld } from '../../../test/world-oracle.ts'
import { scoreProviders } from '../../providers/scores/all.ts'
import type { ProviderContext } from '../../providers/provider.ts'
import type { WorldRules, WorldView } from '../model.ts'
import type { Solve } from '../reads.ts'
import { createWorld, fold } from './world.ts'
import { hintsOf } from '../../features/contest/hints/rows.ts'

const sampleMs = 3000
/** Sequences per formula. To run more: `PENNANT_FOLD_RUNS=5000 npx vitest run fold.test.ts`. */
const runs = Number(process.env['PENNANT_FOLD_RUNS'] ?? 60)
const outside: ProviderContext = {
  fetch,
  log: { debug() {}, info() {}, warn() {}, error() {} },
  now: () => 0,
  dataDir: '',
}

const nat = fc.nat({ max: 9999 })
const step: fc.Arbitrary<Step & { check: boolean }> = fc.record({
  act: nat,
  team: nat,
  challenge: nat,
  time: fc.nat({ max: 319 }),
  value: nat,
  many: fc.array(nat, { maxLength: 30, size: 'max' }),
  check: fc.boolean(),
})
/** Sets up a small contest first; otherwise short sequences would be nearly empty. */
const opening: Step[] = Array.from({ length: 10 }, (_, number) => number).flatMap((number) => [
  { act: 3, team: number, challenge: 0, time: number, value: 0, many: [] },
  { act: 5, team: 0, challenge: number, time: 0, value: 0, many: [] },
])

const TRACKS = [['human'], ['agent', 'guest'], ['human', 'agent', 'guest'], ['unknown']]

/** Everything that readers can see, in an order that does not depend on the history. */
function boardOf(world: WorldView) {
  const teamIds = Array.from(world.teams(), ({ id }) => id).sort()
  const ranked = world.ranked({ offset: 0, limit: 100 })
  return {
    ranked,
    standings: teamIds.map((id) => [id, world.standing(id)]),
    divisions: ['open', 'school', 'staff'].map((division) => [
      world.ranked({ division, offset: 0, limit: 100 }),
      world.rankedCount(division),
    ]),
    ofTracks: TRACKS.map((tracks) => [
      world.ranked({ tracks, offset: 0, limit: 100 }),
      world.ranked({ tracks, division: 'open', offset: 0, limit: 2 }),
      world.rankedCount('school', tracks),
      world.searchRanked('ants', undefined, tracks),
      world
        .ranked({ tracks, offset: 0, limit: 100 })
        .map((id) => [world.trackOf(id), world.standing(id), world.standing(id, tracks)]),
    ]),
    shown: ranked.map((id) => {
      const { name, division, avatarUrl, countryCode, statusText } = world.team(id) ?? {}
      return [name, division, avatarUrl, countryCode, statusText]
    }),
    searches: ['ants', 'ANT', 'e', ''].map((text) => [
      world.searchRanked(text),
      world.searchRanked(text, 'open'),
    ]),
    solves: world.challenges().map(({ id }) => {
      const list = world.solvesOfChallenge(id)
      return [
        id,
        list.length,
        list.slice(0, 100).map(recordedOf),
        list.slice(1, 2).map(recordedOf),
        teamIds.map((team) => list.positionOf(team)),
        list.bloods().map(recordedOf),
        [1, 2, 5].map((position) => list.pricing(position)),
      ]
    }),
    graph: world.graph(ranked, sampleMs),
    scores: world.challenges().map(({ id }) => {
      const scores = world.scoresOfChallenge(id)
      const rows = scores.slice(0, 100)
      const ids = rows.map(({ teamId }) => teamId)
      const ranks = teamIds.flatMap((team) => scores.rankOf(team) ?? [])
      return [scores.length, rows, scores.slice(1, 1), ranks, scores.graph(ids, sampleMs)]
    }),
  }
}

/** Leaves out computed ranks: they depend on the order of the steps, which the rows do not contain (solve-ranks.test.ts). */
function recordedOf<S extends Solve | undefined>(solve: S): S {
  if (!solve || (solve.globalRank ?? 0) >= RECORDED_RANK) return solve
  return { ...solve, globalRank: null, divisionRank: null }
}

function teamOf(world: WorldView, id: string) {
  return {
    row: world.team(id),
    solves: world.solvesOfTeam(id),
    solved: world.challenges().map((challenge) => recordedOf(world.solve(challenge.id, id))),
    solveCount: world.solveCountOfTeam(id),
    scores: world.dynamicScores(id),
    score: world.challenges().map((challenge) => world.dynamicScore(challenge.id, id)),
  }
}

function dump(world: WorldView) {
  return structuredClone({
    board: boardOf(world),
    challenges: world.challenges(),
    open: world.publicChallenges(),
    hints: world.challenges().map(({ id }) => hintsOf(world, id)),
    nextReleaseAt: world.nextReleaseAt(),
    teams: Object.fromEntries(
      Array.from(world.teams(), ({ id }) => id)
        .sort()
        .map((id) => [id, teamOf(world, id)]),
    ),
    found: Array.from(world.teams(), ({ email }) => world.findTeamByEmail(email ?? '')?.id).sort(),
    settings: [world.settings, world.startTime, world.endTime, world.now, world.nextReleaseAt()],
    teamCount: world.teamCount(),
  })
}

type Dump = ReturnType<typeof dump>

interface Seen {
  readonly dump: Dump
  readonly versions: WorldView['versions']
  readonly teamVersions: Readonly<Record<string, number>>
}

function seenIn(world: WorldView): Seen {
  const teamIds = Array.from(world.teams(), ({ id }) => id)
  return {
    dump: dump(world),
    versions: world.versions,
    teamVersions: Object.fromEntries(teamIds.map((id) => [id, world.teamVersion(id)])),
  }
}

/** Data cached under an unchanged version must still be correct. */
function expectHonestVersions(before: Seen, after: Seen) {
  const [old, now] = [before.versions, after.versions]
  if (old.challenges === now.challenges) {
    expect(after.dump.challenges).toEqual(before.dump.challenges)
    expect(after.dump.open).toEqual(before.dump.open)
    if (old.board === now.board) expect(shownOn(after)).toEqual(shownOn(before))
    for (const [id, version] of Object.entries(after.teamVersions)) {
      if (before.teamVersions[id] === version) expect(after.dump.teams[id]).toEqual(before.dump.teams[id])
    }
  }
  if (old.settings === now.settings) expect(after.dump.settings[0]).toEqual(before.dump.settings[0])
}

/** Teams without solves or scores may be added and removed without a new board version. */
function shownOn({ dump: { board } }: Seen) {
  const { standings, solves, ...rest } = board
  return {
    ...rest,
    standings: standings.filter(([id]) => board.ranked.includes(id as string)),
    solves: solves.map(([id, length, list]) => [id, length, list]),
  }
}

function expectReference(rules: WorldRules, contest: Contest, world: WorldView) {
  const expected = expectedWorld(rules, rowsOf(contest), contest.now)
  const ranked = world.ranked({ offset: 0, limit: 100 })
  expect(ranked.map((id) => ({ id, score: world.standing(id).score }))).toEqual(expected.board)
  for (const tracks of TRACKS) {
    const among = world.ranked({ tracks, offset: 0, limit: 100 })
    expect(among.map((id) => ({ id, score: world.standing(id).score }))).toEqual(expected.boardOf(tracks))
    expect(among.map((id) => world.standing(id, tracks).globalRank)).toEqual(among.map((_, at) => at + 1))
  }
  const challenges = world.challenges()
  for (const { id } of challenges)
    expect(
      world
        .solvesOfChallenge(id)
        .bloods()
        .map(({ teamId }) => teamId),
    ).toEqual(expected.bloods(id))
  expect(Object.fromEntries(challenges.map(({ id, points }) => [id, points]))).toEqual(expected.values)
  expect(Object.fromEntries(challenges.map(({ id, solveCount }) => [id, solveCount]))).toEqual(
    expected.counts,
  )
  const graph = Object.fromEntries(
    world
      .graph(ranked, sampleMs)
      .map(({ teamId, points, dynamicPoints }) => [teamId, { points, dynamicPoints }]),
  )
  expect(graph).toEqual(Object.fromEntries(ranked.map((id) => [id, expected.graph(id, sampleMs)])))
}

for (const provider of scoreProviders) {
  test(
    `folding equals a rebuild and the reference implementation, with ${provider.name}`,
    { timeout: 3_600_000 },
    async () => {
      const start = provider.start as (options: object, world: ProviderContext) => WorldRules['score']
      const score = start(provider.options.parse({}), outside)
      const rules: WorldRules = { score, ...eventWindow }
      fc.assert(
        fc.property(fc.array(step, { minLength: 1, maxLength: 60, size: 'max' }), (steps) => {
          const contest = createContest()
          const world = createWorld(rules, rowsOf(contest), contest.now)
          for (const early of opening) fold(world, applyStep(contest, early))
          let seen = seenIn(world)
          for (const [index, next] of steps.entries()) {
            fold(world, applyStep(contest, next))
            // Not after every step, to test that caches unread for several steps are invalidated too.
            if (!next.check && index < steps.length - 1) continue
            const now = seenIn(world)
            expectHonestVersions(seen, now)
            seen = now
            if (index % 8 > 0 && index < steps.length - 1) continue
            expect(now.dump).toEqual(dump(createWorld(rules, rowsOf(contest), contest.now)))
            expectReference(rules, contest, world)
          }
        }),
        { numRuns: runs, interruptAfterTimeLimit: runs > 100 ? 3_000_000 : 3_000 },
      )
    },
  )
}
