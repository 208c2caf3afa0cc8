import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { pullAdminBotJob } from '@pennant/contract/admin-bot-worker.ts'
import { listChallengesV2 } from '@pennant/contract/challenges.ts'
import { ALL_PERMISSIONS } from '@pennant/contract/permissions.ts'
import { reply, route } from '@pennant/contract/route.ts'
import { pushScores } from '@pennant/contract/scores.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { updateProfileV2 } from '@pennant/contract/teams.ts'
import { bareServer } from '../../../test/bare-server.ts'
import { on, type Actor } from '../handler.ts'
import { RANKS, rankOf, watchOverload, type Sample, type Overload, type Rank } from './overload.ts'
import type { HttpServer } from '../server.ts'

const TARGET_MS = 100
/** Samples that are evaluated together. */
const WINDOW = 5
/** Of a processor, from which a process is busy. */
const HALF = 0.5
const SAMPLE_MS = 50

function start() {
  let take = (_sample: Sample): void => {
    throw new Error('nobody watches')
  }
  let isWatched = false
  const refused: Rank[] = []
  const overload = watchOverload({
    targetMs: TARGET_MS,
    onRefused: (rank) => refused.push(rank),
    sampler(given) {
      take = given
      isWatched = true
      return () => (isWatched = false)
    },
  })
  return {
    overload,
    refused,
    isWatched: () => isWatched,
    /** Windows in which all samples are this late, one request arrives, and the process uses this share of a processor. */
    wait(lateMs: number, windows = 1, share = HALF) {
      const elapsedMs = SAMPLE_MS + lateMs
      for (let at = 0; at < windows * WINDOW; at += 1) {
        if (at % WINDOW === 0 && share > 0) overload.arrived()
        take({ lateMs, usedMs: share * elapsedMs, elapsedMs })
      }
    },
    late: (lateMs: number) => take({ lateMs, usedMs: lateMs, elapsedMs: SAMPLE_MS + lateMs }),
    shares: () =>
      RANKS.map((rank) => Array.from({ length: 100 }, () => overload.refuses(rank)).filter(Boolean).length),
  }
}

describe('the level of refusals', () => {
  test('is zero while nothing waits, whatever single pauses there are', () => {
    const { late, wait, shares, overload, refused } = start()
    overload.arrived()
    for (let at = 0; at < 50; at += 1) late(at % WINDOW === 0 ? 5000 : 20)
    wait(TARGET_MS)
    expect(overload.level()).toBe(0)
    expect(shares()).toEqual([0, 0, 0, 0])
    expect(refused).toEqual([])
  })

  test('refuses anonymous reads first, then reads, then changes, and never all flags', () => {
    const { wait, shares, overload } = start()
    const seen: number[][] = []
    while (seen.length < 40) {
      wait(TARGET_MS * 2)
      seen.push(shares())
    }
    expect(seen.find(([anonymous = 0]) => anonymous > 0)).toEqual([50, 0, 0, 0])
    for (const [anonymous = 0, read = 0, write = 0, flag = 0] of seen) {
      if (read > 0) expect(anonymous).toBe(100)
      if (write > 0) expect(read).toBe(100)
      if (flag > 0) expect(write).toBe(100)
    }
    expect(seen.at(-1)).toEqual([100, 100, 100, 50])
    expect(overload.level()).toBe(3.5)
  })

  test('rises faster the longer requests wait, and falls more slowly', () => {
    const { wait, overload } = start()
    wait(TARGET_MS * 50)
    expect(overload.level()).toBe(1)
    // Between half of the target and the target, nothing changes.
    wait(TARGET_MS * 0.7, 10)
    expect(overload.level()).toBe(1)
    wait(0, 4)
    expect(overload.level()).toBeCloseTo(0.6)
    wait(0, 7)
    expect(overload.level()).toBe(0)
  })

  test('does not rise, and falls, while the process uses little: then other programs use the processor', () => {
    const { wait, overload } = start()
    wait(TARGET_MS * 50, 10, HALF - 0.01)
    expect(overload.level()).toBe(0)
    wait(TARGET_MS * 50)
    expect(overload.level()).toBe(1)
    wait(TARGET_MS * 50, 4, HALF - 0.01)
    expect(overload.level()).toBeCloseTo(0.6)
  })

  test('spreads refusals evenly and reports each', () => {
    const { wait, overload, refused } = start()
    wait(TARGET_MS * 2)
    const results = Array.from({ length: 8 }, () => overload.refuses('anonymous-read'))
    expect(results).toEqual([false, true, false, true, false, true, false, true])
    expect(refused).toEqual(Array.from({ length: 4 }, () => 'anonymous-read'))
  })

  test('is watched only while requests arrive or some are refused', () => {
    const { overload, isWatched, wait } = start()
    expect(isWatched()).toBe(false)
    wait(TARGET_MS * 2)
    expect([isWatched(), overload.level() > 0]).toEqual([true, true])
    wait(0, 3, 0)
    expect([isWatched(), overload.level() > 0]).toEqual([true, true])
    wait(0, 10, 0)
    expect([isWatched(), overload.level()]).toEqual([false, 0])
    overload.arrived()
    expect(isWatched()).toBe(true)
  })

  test('is no longer watched after the end', () => {
    const { overload, isWatched } = start()
    overload.arrived()
    overload.stop()
    expect(isWatched()).toBe(false)
  })
})

test('ranks requests by what they are and who sends them', () => {
  const team: Actor = { id: 't', perms: 0, banned: false, isExternal: false, tokenIssuedAt: 0, person: null }
  const ranks = [
    rankOf(listChallengesV2, null),
    rankOf(listChallengesV2, team),
    rankOf(listChallengesV2, { ...team, perms: 1 }),
    rankOf(updateProfileV2, team),
    rankOf(pushScores, null),
    rankOf(submitFlag, team),
    rankOf(putChallengeV2, null),
    rankOf(pullAdminBotJob, null),
  ]
  expect(ranks).toEqual(['anonymous-read', 'read', null, 'write', 'write', 'flag', null, null])
})

describe('the server, under load', () => {
  const team: Actor = {
    id: 'player',
    perms: 0,
    banned: false,
    isExternal: false,
    tokenIssuedAt: 0,
    person: null,
  }
  const teams = new Map([
    ['player', team],
    ['organiser', { ...team, id: 'organiser', perms: ALL_PERMISSIONS }],
  ])
  const goodEcho = reply(200, 'goodEcho', 'Echo.', z.object({}))
  const common = { summary: 'A test.', limits: [], replies: [goodEcho] } as const
  const readPage = route({ ...common, method: 'GET', path: '/api/v2/page', auth: 'public' })
  const readGated = route({
    ...common,
    method: 'GET',
    path: '/api/v2/gated',
    auth: 'optional',
    scope: null,
    gate: { started: 'challsRead' },
  })

  /** Refuses the requests of these ranks. */
  const refusing = (...ranks: Rank[]): Overload => ({
    arrived() {},
    refuses: (rank) => ranks.includes(rank),
    level: () => 1,
    stop() {},
  })

  let app: HttpServer | undefined
  afterEach(async () => {
    await app?.close()
  })

  async function open(overload: Overload) {
    app = bareServer({
      endpoints: [on(readPage, () => goodEcho({})), on(readGated, () => goodEcho({}))],
      authenticate: async (token) => ({ team: teams.get(token) ?? null, person: null }),
      // Not begun: organisers see it.
      eventWindow: () => ({ startTime: 1500, endTime: 2000 }),
      overload,
    })
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    return (path: string, token?: string) =>
      fetch(url + path, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } })
  }

  test('refuses before the gate, with Retry-After', async () => {
    const get = await open(refusing('anonymous-read'))
    const refused = await get('/api/v2/gated')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
    expect(await refused.json()).toMatchObject({ kind: 'errorUnavailable' })
    expect((await get('/api/v2/gated', 'player')).status).toBe(401)
    expect((await get('/api/v2/gated', 'organiser')).status).toBe(200)
  })

  test('knows teams also on routes that need no token, and believes no forged ones', async () => {
    const get = await open(refusing('anonymous-read'))
    expect((await get('/api/v2/page', 'player')).status).toBe(200)
    expect((await get('/api/v2/page', 'forged')).status).toBe(503)
    expect((await get('/api/v2/page')).status).toBe(503)
  })

  test('never refuses organisers', async () => {
    const get = await open(refusing(...RANKS))
    expect((await get('/api/v2/page', 'player')).status).toBe(503)
    expect((await get('/api/v2/page', 'organiser')).status).toBe(200)
  })

  test('asks nothing while there is no overload', async () => {
    const get = await open({ ...refusing(...RANKS), level: () => 0 })
    expect((await get('/api/v2/page')).status).toBe(200)
  })
})
