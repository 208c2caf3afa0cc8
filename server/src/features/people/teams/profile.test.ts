import {
  type OwnProfileV2,
  readOwnProfileV1,
  readOwnProfileV2,
  readOwnResults,
  readProfileV1,
  readProfileV2,
} from '@pennant/contract/teams.ts'
import type { z } from 'zod'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import { putChallenge, putFeed, putSolve } from '../../../../test/contest-data.ts'
import { challengeRow, feedRow, solveRow } from '../../../../test/contest-rows.ts'
import { noon, startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { changeTeam } from '../../../../test/team-rows.ts'

type Own = z.output<typeof OwnProfileV2>

let contest: Contest
/** In the order in which they solved `easy`. The fourth team never solved anything. */
let teams: readonly Member[]
beforeAll(async () => {
  contest = await startContest({ config: { divisions: { open: 'Open', uni: 'University' } } })
  const names = ['one', 'two', 'three', 'four']
  teams = await Promise.all(names.map((name) => contest.team(name)))
  const { db } = contest
  for (const row of [
    challengeRow('easy'),
    challengeRow('hard', { category: 'pwn' }),
    challengeRow('secret', { hidden: true }),
    challengeRow('fixed', { scoringKind: 'static' }),
    challengeRow('king', { scoringKind: 'dynamic' }),
  ]) {
    await putChallenge(db, row)
  }
  const solves = [
    ['easy', 0, 1],
    ['easy', 1, 2],
    ['easy', 2, 3],
    ['hard', 0, 4],
    ['fixed', 0, 5],
    ['secret', 0, 6],
  ] as const
  for (const [challengeId, team, at] of solves) {
    await putSolve(db, solveRow(at, { challengeId, teamId: idOf(team), createdAt: noon + at * MINUTE_MS }))
  }
  const tick = (at: number) => ({ scoredAt: noon + MINUTE_MS, tickAt: noon + at * MINUTE_MS })
  await putFeed(db, feedRow('king', idOf(0), { points: 30, delta: 30, ...tick(1) }))
  await putFeed(db, feedRow('king', idOf(1), { points: 7, delta: -3, ...tick(2) }))
  contest.clock.advance(30 * MINUTE_MS)
})
afterAll(() => contest[Symbol.asyncDispose]())

const idOf = (at: number) => teams[at]?.id ?? ''
const tokenOf = (at: number) => teams[at]?.token
const read = async (id: string) => (await contest.call(readProfileV2, { params: { id } })).data as never
const readOwn = async (at: number) =>
  (await contest.call(readOwnProfileV2, { token: tokenOf(at) })).data as never

describe('a profile', () => {
  test('shows name, score, ranks and the details the team has set', async () => {
    await changeTeam(contest, idOf(0), sql`country_code = 'DE', status_text = 'hi', extrank_id = 'x1'`)
    const { score, globalRank } = contest.world().standing(idOf(0))
    expect(globalRank).toBe(1)
    expect(await read(idOf(0))).toMatchObject({
      name: 'one',
      division: 'open',
      extrankId: 'x1',
      score,
      globalPlace: 1,
      divisionPlace: 1,
      avatarUrl: null,
      countryCode: 'DE',
      statusText: 'hi',
    })
  })

  test('lists flag solves of public challenges, newest first, with their original and current values', async () => {
    const { points } = contest.world().challenge('easy') ?? {}
    expect(points).toBeLessThan(500)
    expect(await read(idOf(0))).toMatchObject({
      solves: [
        { id: 'fixed', points: 500, solves: 1, awardedPoints: 500, bloodIndex: 0 },
        {
          id: 'hard',
          name: 'Challenge hard',
          category: 'pwn',
          createdAt: noon + 4 * MINUTE_MS,
          bloodIndex: 0,
        },
        { id: 'easy', points, solves: 3, awardedPoints: 500, bloodIndex: 0, createdAt: noon + MINUTE_MS },
      ],
    })
    // The last solver was credited the value with all solves, which is the current value.
    expect(await read(idOf(2))).toMatchObject({ solves: [{ awardedPoints: points, bloodIndex: 2 }] })
  })

  test('lists feed scores with the change of the latest push', async () => {
    expect(await read(idOf(0))).toMatchObject({ dynamicScores: [{ id: 'king', points: 30, pointDelta: 0 }] })
    expect(await read(idOf(1))).toMatchObject({ dynamicScores: [{ id: 'king', points: 7, pointDelta: -3 }] })
  })

  test('of a team without solves has no ranks', async () => {
    expect(await read(idOf(3))).toMatchObject({
      score: 0,
      globalPlace: null,
      divisionPlace: null,
      solves: [],
      dynamicScores: [],
      extrankId: null,
    })
  })

  test('in version 1 omits newer fields', async () => {
    const { data } = await contest.call(readProfileV1, { params: { id: idOf(2) } })
    expect(Object.keys(data as object).toSorted()).toEqual([
      'division',
      'divisionPlace',
      'globalPlace',
      'name',
      'score',
      'solves',
    ])
    expect(data).toMatchObject({ solves: [{ id: 'easy', solves: 3 }] })
    await changeTeam(contest, idOf(2), sql`extrank_id = 'x3'`)
    expect((await contest.call(readProfileV1, { params: { id: idOf(2) } })).data).toMatchObject({
      extrankId: 'x3',
    })
  })

  test('of an unknown team is not found', async () => {
    for (const route of [readProfileV1, readProfileV2]) {
      expect((await contest.call(route, { params: { id: 'nobody' } })).kind).toBe('badUnknownUser')
    }
  })

  test('is not readable before the start without permission', async () => {
    const config = { startTime: noon + HOUR_MS, endTime: noon + 2 * HOUR_MS }
    await using early = await startContest({ config })
    const [{ id, token }, admin] = [await early.team(), await early.admin()]
    for (const route of [readProfileV1, readProfileV2]) {
      expect((await early.call(route, { params: { id } })).kind).toBe('badNotStarted')
      expect((await early.call(route, { params: { id }, token })).kind).toBe('badNotStarted')
      expect((await early.call(route, { params: { id }, token: admin.token })).kind).toBe('goodUserData')
    }
    expect((await early.call(readOwnProfileV2, { token })).kind).toBe('goodUserSelfData')
  })
})

describe("a team's own profile", () => {
  test('adds id, address, permissions, divisions and a team token', async () => {
    const data = await readOwn(1)
    expect(data).toMatchObject({
      ...((await read(idOf(1))) as object),
      id: idOf(1),
      email: contest.world().team(idOf(1))?.email,
      perms: 0,
      banned: false,
      allowedDivisions: ['open', 'uni'],
    })
    const { teamToken } = data as { teamToken: string }
    expect(contest.app.stores.tokens.open(teamToken, ['team'])).toMatchObject({
      kind: 'team',
      teamId: idOf(1),
    })
    expect((await readOwn(1)) as { teamToken: string }).not.toMatchObject({ teamToken })
  })

  test('in version 1 omits a missing address', async () => {
    const read1 = () => contest.call(readOwnProfileV1, { token: tokenOf(0) })
    expect((await read1()).data).toHaveProperty('email')
    await changeTeam(contest, idOf(0), sql`email = null`)
    expect((await read1()).data).not.toHaveProperty('email')
    expect(await readOwn(0)).toMatchObject({ email: null })
  })

  test('is never cached', async () => {
    const headers = { authorization: `Bearer ${tokenOf(0)}` }
    const response = await fetch(`${contest.url}/api/v2/users/me`, { headers })
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('etag')).toBeNull()
  })

  test('requires a team', async () => {
    for (const route of [readOwnProfileV1, readOwnProfileV2]) {
      expect((await contest.call(route, {})).kind).toBe('badToken')
    }
  })
})

describe('own results', () => {
  const fetched = (at: number, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${contest.url}${readOwnResults.path}`, {
      headers: { authorization: `Bearer ${tokenOf(at)}`, 'accept-encoding': 'identity', ...headers },
    })

  test('are those of the own profile, without what the list of challenges has', async () => {
    for (const at of teams.keys()) {
      const {
        teamToken: _,
        allowedDivisions: __,
        email: ___,
        extrankId: ____,
        ...profile
      } = (await readOwn(at)) as Own
      const solves = profile.solves.map(({ id, createdAt, bloodIndex }) => ({ id, createdAt, bloodIndex }))
      const { kind, data } = await contest.call(readOwnResults, { token: tokenOf(at) })
      expect(kind).toBe('goodOwnResults')
      expect(data).toEqual({ ...profile, solves })
    }
  })

  test('are sent again only when they changed, and never compressed', async () => {
    const whole = await fetched(3)
    const etag = whole.headers.get('etag') ?? ''
    expect((await fetched(3, { 'if-none-match': etag })).status).toBe(304)
    await changeTeam(contest, idOf(3), sql`status_text = ${'so '.repeat(400)}`)
    const changed = await fetched(3, { 'if-none-match': etag })
    expect(changed.status).toBe(200)
    const accepting = await fetched(3, { 'accept-encoding': 'gzip, br' })
    expect(accepting.headers.get('content-encoding')).toBeNull()
    expect(await accepting.text()).toBe(await changed.text())
  })

  test('require a team', async () => {
    expect((await contest.call(readOwnResults, {})).kind).toBe('badToken')
  })
})

describe('a banned team', () => {
  test('has no public profile, and an empty record in its own profile', async () => {
    await changeTeam(contest, idOf(1), sql`banned = true`)
    const admin = await contest.admin()
    for (const token of [undefined, tokenOf(1), admin.token]) {
      const { kind } = await contest.call(readProfileV2, { params: { id: idOf(1) }, token })
      expect(kind).toBe('badUnknownUser')
    }
    const empty = {
      banned: true,
      score: 0,
      globalPlace: null,
      divisionPlace: null,
      solves: [],
      dynamicScores: [],
    }
    expect(await readOwn(1)).toMatchObject(empty)
    expect((await contest.call(readOwnResults, { token: tokenOf(1) })).data).toMatchObject(empty)
  })

  test('moves later solvers up', async () => {
    expect(await read(idOf(2))).toMatchObject({ solves: [{ id: 'easy', solves: 2, bloodIndex: 1 }] })
    await changeTeam(contest, idOf(1), sql`banned = false`)
    expect(await read(idOf(2))).toMatchObject({ solves: [{ id: 'easy', solves: 3, bloodIndex: 2 }] })
  })
})
