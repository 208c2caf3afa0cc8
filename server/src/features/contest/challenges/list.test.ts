import { describe, expect, test } from 'vitest'
import { ChallengeV2 } from '@pennant/contract/challenges.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import {
  challengeRow,
  feedRow,
  rules,
  solveRow,
  start,
  teamRow,
  worldRows,
} from '../../../../test/contest-rows.ts'
import { createWriter, writtenBy, type Joined } from '../../../http/response/joined.ts'
import type { Prepared } from '../../../http/response/prepared.ts'
import type { WorldRows } from '../../../world/model.ts'
import { createWorld, fold } from '../../../world/fold/world.ts'
import { personalList, prepareListV1, prepareListV2 } from './list.ts'

const able = { instancerEnabled: true, canStopInstance: () => true, adminBotEnabled: true }

const rows: Partial<WorldRows> = {
  teams: [teamRow('a'), teamRow('b'), teamRow('none'), teamRow('banned', { banned: true })],
  challenges: [
    challengeRow('first', { sortWeight: 1 }),
    challengeRow('live', { sortWeight: 2, scoringKind: 'dynamic', flags: [] }),
    challengeRow('last'),
    challengeRow('hidden', { sortWeight: 0, hidden: true }),
    challengeRow('later', { releaseAt: start + 1000 }),
  ],
  solves: [
    solveRow(1, { challengeId: 'first', teamId: 'a' }),
    solveRow(2, { challengeId: 'last', teamId: 'a' }),
    solveRow(3, { challengeId: 'first', teamId: 'b' }),
    solveRow(4, { challengeId: 'hidden', teamId: 'a' }),
    solveRow(5, { challengeId: 'first', teamId: 'banned' }),
  ],
  feed: [
    feedRow('live', 'a', { points: 70, delta: -5 }),
    feedRow('live', 'b', { points: 30, delta: 9, tickAt: start }),
    feedRow('live', 'banned'),
  ],
  feedEvents: [
    { id: 1, challengeId: 'live', teamId: 'b', delta: 9, at: start },
    { id: 2, challengeId: 'live', teamId: 'a', delta: -5, at: start + MINUTE_MS },
  ],
}

const world = createWorld(rules, worldRows(rows), start)
const views = { live: world, shown: world }
const shared = prepareListV2({ world: world, key: '', closed: [] }, able)

const writer = createWriter({ take: (size) => Buffer.alloc(size), release() {} })

function bodyOf(list: Prepared | Joined): Buffer {
  if (list.kind === 'prepared') return list.body
  const { lease, length } = writtenBy(writer, list)
  return lease.subarray(0, length)
}

function entries(list: Prepared | Joined): Record<string, unknown>[] {
  const { data, ...envelope } = JSON.parse(bodyOf(list).toString()) as { data: Record<string, unknown>[] }
  expect(envelope).toEqual({ kind: 'goodChallenges', message: 'Challenges.' })
  return data
}

/** The fields that the caller's list has in addition to the shared one, by challenge. */
function added(teamId: string) {
  const list = entries(personalList(shared, views, teamId))
  return Object.fromEntries(
    list.map(({ yourScore, yourPointDelta, ...rest }, index) => {
      expect(rest).toEqual(entries(shared.prepared())[index])
      return [rest['id'], { yourScore, yourPointDelta }]
    }),
  )
}

describe('the list of challenges', () => {
  test('has the public ones in order, in both versions', () => {
    expect(entries(shared.prepared()).map(({ id }) => id)).toEqual(['first', 'live', 'last'])
    expect(entries(prepareListV1(world)).map(({ id }) => id)).toEqual(['first', 'live', 'last'])
  })

  test('conforms to the contract', () => {
    const list = entries(personalList(shared, views, 'a'))
    expect(list.map((entry) => ChallengeV2.strict().parse(entry))).toEqual(list)
  })

  test('is complete JSON when it is empty, also for a signed-in caller', () => {
    const empty = createWorld(rules, worldRows({ teams: [teamRow('a')] }), start)
    const list = prepareListV2({ world: empty, key: '', closed: [] }, able)
    expect(entries(list.prepared())).toEqual([])
    expect(personalList(list, { live: empty, shown: empty }, 'a')).toBe(list.prepared())
  })
})

describe('a list without live scores', () => {
  const ids = Array.from({ length: 6 }, (_, n) => `c${n}`)
  const patterns = Array.from({ length: 2 ** ids.length }, (_, bits) => bits)
  const solvers = patterns.map((bits) => ({ id: `t${bits}`, solved: ids.filter((_, n) => (bits >> n) % 2) }))
  const everySet = worldRows({
    challenges: ids.map((id) => challengeRow(id, { name: `Ünïcode ${id}` })),
    teams: solvers.map(({ id }) => teamRow(id)),
    solves: solvers.flatMap(({ id, solved }, team) =>
      solved.map((challengeId, n) => solveRow(team * 10 + n, { challengeId, teamId: id })),
    ),
  })
  const plain = createWorld(rules, everySet, start)
  const list = prepareListV2({ world: plain, key: '', closed: [] }, able)
  const both = { live: plain, shown: plain }

  test('has the points of exactly the solved challenges, for every set of solves, and another ETag for each', () => {
    const shown = entries(list.prepared())
    const etags = new Set<string>()
    for (const { id, solved } of solvers) {
      const joined = personalList(list, both, id)
      const own = solved.map((each) => [each, plain.challenge(each)?.points])
      const scored = entries(joined).filter((entry) => 'yourScore' in entry)
      expect(scored.map((entry) => [entry['id'], entry['yourScore']]).toSorted()).toEqual(own)
      expect(entries(joined)).toMatchObject(shown)
      etags.add(joined.etag)
    }
    expect(etags.size).toBe(solvers.length)
  })

  test('keeps the parts of all challenges but the one that was solved', () => {
    const played = createWorld(rules, everySet, start)
    const before = prepareListV2({ world: played, key: '', closed: [] }, able)
    const solve = solveRow(900, { challengeId: 'c2', teamId: 't0' })
    const solved = fold(played, { kind: 'solves', rows: [solve], removed: [] })
    const after = prepareListV2({ world: solved, key: '', closed: [] }, able)
    expect(after.tag).not.toBe(before.tag)
    const kept = after.challenges.filter((_, at) => after.entries[at] === before.entries[at])
    expect(kept.map(({ id }) => id).toSorted()).toEqual(ids.filter((id) => id !== 'c2'))
  })
})

describe("a caller's own fields", () => {
  test('are the current value of solved challenges, and the score and change of live ones', () => {
    expect(added('a')).toEqual({
      first: { yourScore: 498, yourPointDelta: undefined },
      live: { yourScore: 70, yourPointDelta: -5 },
      last: { yourScore: 499, yourPointDelta: undefined },
    })
    expect(entries(shared.prepared()).map(({ points }) => points)).toEqual([498, 0, 499])
  })

  test("have no change if the team's score did not change in the latest update", () => {
    expect(added('b')).toEqual({
      first: { yourScore: 498, yourPointDelta: undefined },
      live: { yourScore: 30, yourPointDelta: undefined },
      last: { yourScore: undefined, yourPointDelta: undefined },
    })
  })

  test('keep the scores of a banned team, without changes', () => {
    expect(added('banned')).toMatchObject({
      first: { yourScore: 498, yourPointDelta: undefined },
      live: { yourScore: 10, yourPointDelta: undefined },
    })
  })

  test('are absent for a team without scores, which gets the shared list', () => {
    expect(personalList(shared, views, 'none')).toBe(shared.prepared())
  })

  test('have their own ETag, which is equal for equal bytes', () => {
    const again = createWorld(rules, worldRows(rows), start)
    const other = prepareListV2({ world: again, key: '', closed: [] }, able)
    const tags = (['a', 'b', 'none'] as const).map((id) => personalList(shared, views, id).etag)
    expect(new Set(tags).size).toBe(3)
    expect(
      (['a', 'b', 'none'] as const).map((id) => personalList(other, { live: again, shown: again }, id).etag),
    ).toEqual(tags)
    const body = bodyOf(personalList(other, { live: again, shown: again }, 'a'))
    expect(body).toEqual(bodyOf(personalList(shared, views, 'a')))
  })
})
