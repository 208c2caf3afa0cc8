import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { createAnnouncement } from '@pennant/contract/announcements.ts'
import { listChallengesV2, listSolvesV2 } from '@pennant/contract/challenges.ts'
import { getClientConfigV2 } from '@pennant/contract/client-config.ts'
import { HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import { createScoreAdjustment } from '@pennant/contract/score-adjustments.ts'
import { startInstance } from '@pennant/contract/instances.ts'
import { getLeaderboardV2, getLiveGraph, getLiveLeaderboard } from '@pennant/contract/leaderboard.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { readOwnProfileV1, readOwnProfileV2 } from '@pennant/contract/teams.ts'
import { botConfig, botSettings, submit, workerOf } from '../bot-contest.ts'
import { putChallenge, putSolve } from '../contest-data.ts'
import { challengeRow, solveRow } from '../contest-rows.ts'
import { startContest, type Contest, type Member } from '../harness.ts'
import { push, putDynamic } from '../pushes.ts'
import { eventsIn, readStream, type StreamReader } from '../stream.ts'
import type { Seeds } from './crawl.ts'
import { crawl, differences, type Crawl } from './frozen-crawl.ts'

// The differential crawl (docs/reference/freeze.md): after the freeze, nothing that other teams do changes what
// anonymous visitors and idle teams can read. The database dates solves, so this contest runs at the present time.

const instancerConfig = {
  challengeIntegrationId: 'box',
  config: {},
  expose: [],
  timeoutMilliseconds: 60_000,
}
const started = Date.now()
const freezeTime = started - MINUTE_MS
const before = (minutes: number) => freezeTime - minutes * MINUTE_MS
const config = {
  ...botConfig,
  instancers: { local: { name: 'instancers/memory' } },
  startTime: started - 6 * HOUR_MS,
  endTime: started + 40 * HOUR_MS,
  freezeTime,
}
const page = { limit: '10', offset: '0' }

let contest: Contest
let seeds: Seeds
let idle: Member
let busy: Member
let other: Member
let organiser: Member
const crawls: { name: string; member: () => Member | undefined; first?: Crawl }[] = [
  { name: 'nobody', member: () => undefined },
  { name: 'an idle team', member: () => idle },
  { name: 'an organiser on public pages', member: () => organiser },
]
let streams: { busy: StreamReader; idle: StreamReader; nobody: StreamReader }
let firstIds: Record<string, string>

beforeAll(async () => {
  contest = await startContest({
    startsAt: started,
    config,
  })
  ;[idle, busy, other] = [
    await contest.team('team idle'),
    await contest.team('team busy'),
    await contest.team(),
  ]
  organiser = await contest.admin()
  for (const id of ['one', 'two', 'three'])
    await putChallenge(contest.db, challengeRow(id, { instancerConfig }))
  await putChallenge(contest.db, challengeRow('visited', { adminBotConfig: botSettings }))
  await putDynamic(contest, 'pushed')
  const solves = [
    [idle, 'one', 60],
    [busy, 'one', 50],
    [busy, 'two', 0],
  ] as const
  for (const [number, [{ id: teamId }, challengeId, minutes]] of solves.entries())
    await putSolve(contest.db, solveRow(number + 1, { teamId, challengeId, createdAt: before(minutes) }))
  await pushAt(before(30), [{ userId: idle.id, points: 40 }])
  seeds = {
    challengeIds: ['one', 'two', 'three', 'visited', 'pushed', 'nothing'],
    teamIds: [idle.id, busy.id, other.id],
    token: contest.app.stores.tokens.issueTeam(idle.id),
  }
})

afterAll(async () => {
  for (const stream of Object.values(streams ?? {})) stream.close()
  await contest[Symbol.asyncDispose]()
})

/** A push, dated back: the database dates events. */
async function pushAt(at: number, scores: Parameters<typeof push>[2]): Promise<void> {
  await push(contest, 'pushed', scores)
  await contest.db.change(async (tx) => {
    await tx.query(sql`update feed_events set at = ${new Date(at)}`)
    await tx.query(sql`update feed_scores set scored_at = ${new Date(at)}, tick_at = ${new Date(at)}`)
    tx.changed('feed', ['pushed'])
  })
}

const solve = ({ token }: Member, id: string, flag = 'flag{x}') =>
  contest.call(submitFlag, { token, params: { id }, body: { flag } })

async function lastId(member?: Member): Promise<string> {
  const { token } = member ?? {}
  const response = await fetch(`${contest.url}/api/v2/stream`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })
  return eventsIn(await response.text()).at(0)?.id ?? ''
}

async function crawlAll(name: string): Promise<Crawl> {
  const member = crawls.find((each) => each.name === name)?.member()
  return await crawl(contest, { seeds, member, lastEventId: firstIds[name] ?? '' })
}

/** All that others can do, except changes of their own names and the like. */
async function actOfOthers(): Promise<void> {
  expect((await solve(busy, 'three', 'wrong')).kind).toBe('badFlag')
  expect((await solve(busy, 'three')).kind).toBe('goodFlag')
  expect((await solve(other, 'one')).kind).toBe('goodFlag')
  expect((await solve(other, 'three')).kind).toBe('goodFlag')
  expect(
    await push(contest, 'pushed', [
      { userId: busy.id, points: 90 },
      { userId: idle.id, points: 1 },
    ]),
  ).toBe('1 1 0')
  const award = { userId: other.id, points: 70, reason: 'a fair write-up' }
  const made = await contest.call(createScoreAdjustment, { token: organiser.token, body: { data: award } })
  expect(made.kind).toBe('goodScoreAdjustment')
  const box = await contest.call(startInstance, { token: busy.token, params: { id: 'one' }, body: {} })
  expect(box.kind).toBe('goodInstanceStatus')
  expect((await submit(contest, busy, { id: 'visited' })).kind).toBe('goodAdminBotJobSubmitted')
  await workerOf(contest).drain()
}

describe('while the standings are frozen', () => {
  beforeAll(async () => {
    // An entry that everybody may know of, from which streams resume.
    await contest.call(createAnnouncement, { token: organiser.token, body: { data: { title: 'Frozen' } } })
    firstIds = {}
    for (const { name, member } of crawls) firstIds[name] = await lastId(member())
    for (const each of crawls) each.first = await crawlAll(each.name)
    streams = {
      busy: await readStream(contest.url, { token: busy.token }),
      idle: await readStream(contest.url, { token: idle.token }),
      nobody: await readStream(contest.url),
    }
    for (const stream of Object.values(streams)) await stream.next('hello')
    await actOfOthers()
  }, 120_000)

  test.each(crawls)(
    'no byte that $name reads depends on what others do',
    { timeout: 60_000 },
    async ({ name, first }) => {
      const differing = differences(first ?? new Map(), await crawlAll(name))
      // The state of the machine, which is slower at some moments than at others.
      expect(differing.filter((address) => address !== '/api/v2/status')).toEqual([])
    },
  )

  test('another process that starts now shows the same bytes', { timeout: 60_000 }, async () => {
    await using replica = await startContest({ beside: contest, config })
    const [anonymous] = crawls
    const again = await crawl(replica, { seeds })
    const ofStream = [...again.keys()].filter((address) => address.startsWith('/api/v2/stream'))
    const differing = differences(again, anonymous?.first ?? new Map())
    // Positions of a process begin when it starts.
    const known = [...ofStream, '/api/v2/status']
    expect(differing.filter((address) => !known.includes(address))).toEqual([])
  })

  test('the stream sends a team its own solves without a place, and others nothing', async () => {
    const { token } = organiser
    const news = await contest.call(createAnnouncement, { token, body: { data: { title: 'Still frozen' } } })
    expect(news.kind).toBe('goodAnnouncementUpdate')
    for (const stream of Object.values(streams)) await stream.next('announcements')
    const names = ({ events }: StreamReader) => events.map(({ name }) => name)
    expect(names(streams.nobody)).toEqual(['hello', 'announcements'])
    // The team's standing may be sent twice; what matters is that nothing else is.
    expect([...new Set(names(streams.idle))]).toEqual(['hello', 'team', 'announcements'])
    const own = streams.busy.events.filter(({ name }) => name === 'solves')
    expect(own.map(({ data }) => data)).toMatchObject([
      { solves: [{ challengeId: 'three', userId: busy.id, bloodIndex: null }], removed: [] },
    ])
    expect(names(streams.busy)).not.toContain('points')
    // Numbers of entries would tell how much happened.
    const ids = streams.idle.events.flatMap(({ id }) => id ?? [])
    expect(ids.filter((id) => !id.startsWith('0-'))).toEqual([])
    expect(streams.busy.lastEventId()).toMatch(/^0-/)
    const resumed = await readStream(contest.url, { token: busy.token, lastEventId: firstIds['nobody'] })
    const { data } = await resumed.next('solves')
    expect(data.solves).toHaveLength(1)
    resumed.close()
  })

  test('a team sees its own later solves, with the value on the frozen scoreboard and no place', async () => {
    const { token } = busy
    const list = await contest.call(listChallengesV2, { token })
    if (list.kind !== 'goodChallenges') throw new Error(list.kind)
    expect(list.data.find(({ id }) => id === 'three')).toMatchObject({
      yourScore: 500,
      points: 500,
      solves: 0,
    })
    const own = await contest.call(readOwnProfileV2, { token })
    if (own.kind !== 'goodUserSelfData') throw new Error(own.kind)
    expect(own.data.solves.map(({ id }) => id)).toEqual(['three', 'two', 'one'])
    expect(own.data.solves[0]).toMatchObject({
      points: 500,
      solves: 0,
      awardedPoints: null,
      bloodIndex: null,
    })
    const board = await contest.call(getLeaderboardV2, { query: page })
    if (board.kind !== 'goodLeaderboard') throw new Error(board.kind)
    const row = board.data.leaderboard.find(({ id }) => id === busy.id)
    expect(own.data.score).toBe(row?.score)
    expect(row?.solves.map(({ id }) => id)).toEqual(['one', 'two'])
    const ownV1 = await contest.call(readOwnProfileV1, { token })
    expect(ownV1.kind === 'goodUserData' && ownV1.data.solves.map(({ id }) => id)).toEqual([
      'three',
      'two',
      'one',
    ])
    const solves = await contest.call(listSolvesV2, { token, params: { id: 'three' }, query: page })
    expect(solves.data).toEqual({ solves: [], mySolvePosition: null })
    expect((await solve(busy, 'three')).kind).toBe('badAlreadySolvedChallenge')
  })

  test('organisers can read the standings as they are', async () => {
    const { token } = organiser
    const live = await contest.call(getLiveLeaderboard, { token, query: page })
    if (live.kind !== 'goodLeaderboard') throw new Error(live.kind)
    expect(live.data.leaderboard.map(({ id }) => id)).toEqual(expect.arrayContaining([busy.id, other.id]))
    const graph = await contest.call(getLiveGraph, { token, query: page })
    expect(graph.kind === 'goodLeaderboardGraph' && graph.data.graph).toHaveLength(3)
    const board = await contest.call(getLeaderboardV2, { token, query: page })
    expect(board.kind === 'goodLeaderboard' && board.data.total).toBe(2)
  })
})

describe('once the results are published', () => {
  beforeAll(async () => {
    const { token } = organiser
    const saved = await contest.call(updateSettings, { token, body: { data: { resultsPublished: true } } })
    expect(saved.kind).toBe('goodAdminSettingsUpdate')
  })

  test('streams tell their clients to read everything again', async () => {
    for (const stream of Object.values(streams)) {
      await stream.next('resync')
      const { data } = await stream.next('phase')
      expect(data).not.toHaveProperty('freezeTime')
    }
    const shown = await contest.call(getClientConfigV2, {})
    expect(shown.data).not.toHaveProperty('freezeTime')
  })

  // The positive control: the crawl would notice a path that forgets the freeze.
  test('every path that depends on the standings differs', { timeout: 60_000 }, async () => {
    const [nobody, team] = crawls
    const paths = (addresses: readonly string[]) =>
      new Set(
        addresses.map((address) =>
          address
            .replace(/\?.*/, '')
            .replace(idle.id, ':idle')
            .replace(busy.id, ':busy')
            .replace(other.id, ':other'),
        ),
      )
    const ofNobody = paths(differences(nobody?.first ?? new Map(), await crawlAll('nobody')))
    expect([...ofNobody]).toEqual(
      expect.arrayContaining([
        '/api/v1/challs',
        '/api/v2/challs',
        '/api/v1/challs/one/solves',
        '/api/v2/challs/three/solves',
        '/api/v2/challs/pushed/scores',
        '/api/v1/leaderboard/now',
        '/api/v2/leaderboard/now',
        '/api/v2/leaderboard/with-graph',
        '/api/v1/leaderboard/graph',
        '/api/v2/leaderboard/graph',
        '/api/v2/leaderboard/challs',
        '/api/v2/leaderboard/solves',
        '/api/v1/users/:busy',
        '/api/v2/users/:busy',
        '/api/v2/users/:idle',
        '/api/v2/users/:other/adjustments',
        '/api/v1/integrations/client/config',
        '/api/v2/integrations/client/times',
        'resumed',
      ]),
    )
    const [, , onPublicPages] = crawls
    const ofOrganiser = paths(
      differences(onPublicPages?.first ?? new Map(), await crawlAll('an organiser on public pages')),
    )
    expect([...ofOrganiser]).toContain('/api/v1/integrations/extrank/leaderboard')
    const ofTeam = paths(differences(team?.first ?? new Map(), await crawlAll('an idle team')))
    expect([...ofTeam]).toEqual(
      expect.arrayContaining(['/api/v1/users/me', '/api/v2/users/me', '/api/v2/stream']),
    )
  })
})
