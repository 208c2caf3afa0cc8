import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  listChallengesV1,
  listChallengesV2,
  listSolvesV1,
  listSolvesV2,
} from '@pennant/contract/challenges.ts'
import { permissions } from '@pennant/contract/permissions.ts'
import { HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import { putChallenge, putFeed, putSettings, putSolve, setBanned } from '../../../../test/contest-data.ts'
import { challengeRow, feedRow, solveRow } from '../../../../test/contest-rows.ts'
import { noon, startContest, type Contest, type Member } from '../../../../test/harness.ts'

let contest: Contest
let ants: Member
let bees: Member
let idle: Member

/** A solve `number` minutes after noon. Two-digit ids keep the sort order. */
const solveAt = (number: number, challengeId: string, team: Member) =>
  putSolve(
    contest.db,
    solveRow(number, { challengeId, teamId: team.id, createdAt: noon + number * MINUTE_MS }),
  )

const page = { limit: '100', offset: '0' }

async function raw(path: string, init: RequestInit & { token?: string } = {}) {
  const headers = { ...(init.token ? { authorization: `Bearer ${init.token}` } : {}), ...init.headers }
  const response = await fetch(contest.url + path, { ...init, headers })
  return {
    status: response.status,
    etag: response.headers.get('etag'),
    headers: response.headers,
    text: await response.text(),
  }
}

beforeAll(async () => {
  contest = await startContest()
  ants = await contest.team('Ants')
  bees = await contest.team('Bees')
  idle = await contest.team('Idle')
  const { db } = contest
  await putChallenge(db, challengeRow('web', { sortWeight: 1 }))
  await putChallenge(db, challengeRow('pwn', { sortWeight: 1 }))
  await putChallenge(db, challengeRow('live', { sortWeight: 0, scoringKind: 'dynamic' }))
  await putChallenge(db, challengeRow('unsorted'))
  await putChallenge(db, challengeRow('hidden', { hidden: true }))
  await putChallenge(db, challengeRow('later', { releaseAt: noon + 20 * HOUR_MS }))
  await solveAt(1, 'web', ants)
  await solveAt(2, 'web', bees)
  await solveAt(3, 'hidden', ants)
  await putFeed(db, feedRow('live', bees.id, { points: 12, delta: 12, scoredAt: noon, tickAt: noon }))
})
afterAll(() => contest[Symbol.asyncDispose]())

describe('the challenge list', () => {
  test('has the public challenges by weight, then by id descending, in both versions', async () => {
    const order = ['live', 'web', 'pwn', 'unsorted']
    for (const route of [listChallengesV1, listChallengesV2]) {
      const result = await contest.call(route, {})
      expect(result.kind).toBe('goodChallenges')
      expect((result.data as { id: string }[]).map(({ id }) => id)).toEqual(order)
    }
  })

  test('does not show hidden and unreleased challenges, even to admins', async () => {
    const { token } = await contest.admin()
    const result = await contest.call(listChallengesV2, { token })
    expect(JSON.stringify(result.data)).not.toMatch(/hidden|later/)
    for (const id of ['hidden', 'later', 'unknown']) {
      const solves = await contest.call(listSolvesV2, { params: { id }, query: page, token })
      expect([id, solves.kind]).toEqual([id, 'badChallenge'])
    }
  })

  test('has the same bytes for callers without a valid token and for teams without a score', async () => {
    const anonymous = await raw('/api/v2/challs')
    for (const token of ['nonsense', idle.token]) {
      const other = await raw('/api/v2/challs', { token })
      expect([other.text, other.etag]).toEqual([anonymous.text, anonymous.etag])
    }
    const mine = await raw('/api/v2/challs', { token: ants.token })
    expect(mine.etag).not.toBe(anonymous.etag)
    expect((await raw('/api/v1/challs', { token: ants.token })).text).toBe((await raw('/api/v1/challs')).text)
  })

  test("has the caller's scores, consistent with the points in the same list", async () => {
    const listOf = async (token: string) => {
      const result = await contest.call(listChallengesV2, { token })
      return result.kind === 'goodChallenges' ? result.data : []
    }
    const [live, web] = await listOf(bees.token)
    expect([live?.yourScore, live?.yourPointDelta]).toEqual([12, 12])
    expect(web?.yourScore).toBe(web?.points)
    const before = web?.points
    const wasps = await contest.team('Wasps')
    await solveAt(4, 'web', wasps)
    const after = (await listOf(bees.token))[1]
    expect(after?.points).not.toBe(before)
    expect(after?.yourScore).toBe(after?.points)
    await setBanned(contest.db, wasps.id, true)
    expect((await listOf(bees.token))[1]?.points).toBe(before)
    expect((await listOf(wasps.token))[1]?.yourScore).toBe(before)
  })

  test('returns 304 while its bytes are unchanged, and has a new ETag when they change', async () => {
    for (const token of [undefined, bees.token]) {
      const init = token === undefined ? {} : { token }
      const first = await raw('/api/v2/challs', init)
      expect(first.headers.get('cache-control')).toBe('private, no-cache')
      const headers = { 'if-none-match': String(first.etag) }
      expect((await raw('/api/v2/challs', { ...init, headers })).status).toBe(304)
      // Changes no challenge: the state's version changes, but the response bytes do not.
      await putSettings(contest.db, { ctfName: `renamed ${token}` })
      await contest.team()
      expect((await raw('/api/v2/challs', { ...init, headers })).status).toBe(304)
      await putChallenge(contest.db, challengeRow('pwn', { sortWeight: 1, name: `renamed ${token}` }))
      const changed = await raw('/api/v2/challs', { ...init, headers })
      expect(changed.status).toBe(200)
      expect(changed.etag).not.toBe(first.etag)
    }
  })

  test('responds to HEAD with the headers of GET', async () => {
    const get = await raw('/api/v2/challs')
    const head = await raw('/api/v2/challs', { method: 'HEAD' })
    expect([head.status, head.text, head.etag]).toEqual([200, '', get.etag])
    for (const name of ['content-length', 'content-type', 'cache-control']) {
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)])
    }
  })

  test('shows a challenge as soon as it is released', async () => {
    const other = await startContest()
    await putChallenge(other.db, challengeRow('later', { releaseAt: noon + HOUR_MS }))
    const ids = async () => {
      const result = await other.call(listChallengesV1, {})
      return result.kind === 'goodChallenges' ? result.data.map(({ id }) => id) : result.kind
    }
    other.clock.advance(HOUR_MS - 1)
    expect(await ids()).toEqual([])
    other.clock.advance(1)
    expect(await ids()).toEqual(['later'])
    await other[Symbol.asyncDispose]()
  })
})

describe('the solves of a challenge', () => {
  test('are listed oldest first, with the ranks at solve time and the first bloods', async () => {
    const { data } = await contest.call(listSolvesV2, { params: { id: 'web' }, query: page })
    expect(data).toMatchObject({
      solves: [
        { userId: ants.id, userName: 'Ants', createdAt: noon + MINUTE_MS, bloodIndex: 0, division: 'open' },
        { userId: bees.id, userName: 'Bees', bloodIndex: 1, userAvatarUrl: null },
      ],
    })
    const v1 = await contest.call(listSolvesV1, { params: { id: 'web' }, query: { limit: '1', offset: '1' } })
    expect(v1.data).toEqual({
      solves: [
        expect.objectContaining({ userId: bees.id, userName: 'Bees', createdAt: noon + 2 * MINUTE_MS }),
      ],
    })
  })

  test('show the rank at solve time before it is recorded and after', async () => {
    const ranksOf = async (team: Member) => {
      const { data } = await contest.call(listSolvesV2, { params: { id: 'web' }, query: page })
      const rows = (data as { solves: { userId: string; globalPlace: number; divisionPlace: number }[] })
        .solves
      const found = rows.find(({ userId }) => userId === team.id)
      return [found?.globalPlace, found?.divisionPlace]
    }
    // Bees lead now because of their live score.
    expect(await ranksOf(bees)).toEqual([2, 2])
    const recorded = { challengeId: 'web', teamId: bees.id, createdAt: noon + 2 * MINUTE_MS }
    await putSolve(contest.db, solveRow(2, { ...recorded, globalRank: 7, divisionRank: 5 }))
    expect(await ranksOf(bees)).toEqual([7, 5])
    expect(await ranksOf(ants)).toEqual([1, 1])
  })

  test("include the caller's position on every page, and none for anonymous callers", async () => {
    const position = async (token?: string, query = page) => {
      const request = { params: { id: 'web' }, query, ...(token === undefined ? {} : { token }) }
      const { data } = await contest.call(listSolvesV2, request)
      return (data as { mySolvePosition?: number | null }).mySolvePosition
    }
    expect(await position(bees.token)).toBe(2)
    expect(await position(bees.token, { limit: '1', offset: '500' })).toBe(2)
    expect(await position(idle.token)).toBeNull()
    expect(await position('nonsense')).toBeUndefined()
    expect(await position()).toBeUndefined()
  })

  test('leave banned teams out and move later solves up', async () => {
    await setBanned(contest.db, ants.id, true)
    const request = { params: { id: 'web' }, query: page, token: ants.token }
    const banned = await contest.call(listSolvesV2, request)
    expect(banned.data).toMatchObject({ mySolvePosition: null, solves: [{ userId: bees.id, bloodIndex: 0 }] })
    await setBanned(contest.db, ants.id, false)
    const back = await contest.call(listSolvesV2, request)
    expect(back.data).toMatchObject({
      mySolvePosition: 1,
      solves: [{ userId: ants.id }, { userId: bees.id }],
    })
  })

  test('are empty for a challenge with live scoring', async () => {
    const { data } = await contest.call(listSolvesV2, { params: { id: 'live' }, query: page })
    expect(data).toEqual({ solves: [] })
  })

  test('refuse invalid paging before looking up the challenge', async () => {
    for (const route of [listSolvesV1, listSolvesV2]) {
      const refused = async (query: { limit: string; offset: string }) => {
        const { data } = await contest.call(route, { params: { id: 'unknown' }, query })
        return (data as { reason: string } | undefined)?.reason.split(' ')[0]
      }
      expect(await refused({ limit: '0', offset: '0' })).toBe('query:limit:')
      expect(await refused({ limit: '101', offset: '0' })).toBe('query:limit:')
      expect(await refused({ limit: '1', offset: '4294967297' })).toBe('query:offset:')
      const unknown = await contest.call(route, { params: { id: 'unknown' }, query: page })
      expect(unknown.kind).toBe('badChallenge')
    }
  })
})

describe('before the start', () => {
  test('lists and solves require challsRead, before any other check', async () => {
    const startTime = noon + 24 * HOUR_MS
    const early = await startContest({ config: { startTime, endTime: startTime + HOUR_MS } })
    await putChallenge(early.db, challengeRow('web'))
    const { token } = await early.admin(permissions.challsRead)
    const other = (await early.admin(permissions.leaderboardRead)).token
    const wrong = { params: { id: 'unknown' }, query: { limit: '0', offset: 'x' } }
    for (const route of [listChallengesV1, listChallengesV2]) {
      expect((await early.call(route, {})).kind).toBe('badNotStarted')
      expect((await early.call(route, { token: other })).kind).toBe('badNotStarted')
      expect((await early.call(route, { token })).kind).toBe('goodChallenges')
    }
    for (const route of [listSolvesV1, listSolvesV2]) {
      expect((await early.call(route, wrong)).kind).toBe('badNotStarted')
      expect((await early.call(route, { ...wrong, token })).kind).toBe('badBody')
    }
    await early[Symbol.asyncDispose]()
  })
})
