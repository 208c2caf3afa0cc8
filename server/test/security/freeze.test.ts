import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { createAnnouncement } from '@pennant/contract/announcements.ts'
import { listChallengesV2, listSolvesV2 } from '@pennant/contract/challenges.ts'
import { getClientConfigV2 } from '@pennant/contract/client-config.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { getLeaderboardV2, getLiveGraph, getLiveLeaderboard } from '@pennant/contract/leaderboard.ts'
import { readOwnProfileV1, readOwnProfileV2 } from '@pennant/contract/teams.ts'
import { startContest, type Contest, type Member } from '../harness.ts'
import { eventsIn, readStream, type StreamReader } from '../stream.ts'
import { crawl, crawlAsOrganiser, differences, participantRoutes, type Crawl } from './frozen-crawl.ts'
import {
  actAfterTheEnd,
  actAlone,
  actOfOthers,
  openFrozenContest,
  submitTo,
  type FrozenContest,
  type Teams,
} from './frozen-contest.ts'

// The differential crawl (docs/reference/freeze.md): after the freeze, nothing that other teams do changes what anonymous visitors
// and teams can read.

const page = { limit: '10', offset: '0' }

let frozen: FrozenContest
let contest: Contest
let teams: Teams
interface Caller {
  readonly name: string
  readonly member: () => Member | undefined
  first?: Crawl
  last?: Crawl
  lastEventId?: string
}
const callers: readonly Caller[] = [
  { name: 'nobody', member: () => undefined },
  { name: 'an idle team', member: () => teams.idle },
  { name: 'a team that has solved before', member: () => teams.lone },
  { name: 'an organiser on public pages', member: () => teams.organiser },
]
let streams: { busy: StreamReader; idle: StreamReader; nobody: StreamReader }
/** Paths of routes that returned something to at least one caller. */
const readable = new Set<string>()

beforeAll(async () => {
  frozen = await openFrozenContest()
  ;({ contest, teams } = frozen)
})

afterAll(async () => {
  for (const stream of Object.values(streams ?? {})) stream.close()
  await frozen[Symbol.asyncDispose]()
})

async function firstId({ token }: { readonly token?: string } = {}): Promise<string> {
  const response = await fetch(`${contest.url}/api/v2/stream`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })
  return eventsIn(await response.text()).at(0)?.id ?? ''
}

async function crawlAs({ member, lastEventId = '' }: Caller): Promise<Crawl> {
  return await crawl(contest, { seeds: frozen.seeds, member: member(), lastEventId, readable })
}

const callerNamed = (name: string) => callers.find((each) => each.name === name) as Caller

describe('while the standings are frozen', () => {
  beforeAll(async () => {
    // An entry that everyone may know of, from which streams resume.
    await contest.call(createAnnouncement, {
      token: teams.organiser.token,
      body: { data: { title: 'Frozen' } },
    })
    for (const each of callers) each.lastEventId = await firstId(each.member())
    await actAlone(frozen)
    for (const each of callers) each.first = await crawlAs(each)
    streams = {
      busy: await readStream(contest.url, { token: teams.busy.token }),
      idle: await readStream(contest.url, { token: teams.idle.token }),
      nobody: await readStream(contest.url),
    }
    for (const stream of Object.values(streams)) await stream.next('hello')
    await actOfOthers(frozen)
    await crawlAsOrganiser(contest, frozen.seeds, teams.organiser)
  }, 120_000)

  test.each(callers)(
    'no byte that $name reads depends on what others do',
    { timeout: 60_000 },
    async (caller) => {
      expect(differences(caller.first ?? new Map(), await crawlAs(caller))).toEqual([])
    },
  )

  test('the crawl reads every route that participants have', () => {
    const unread = participantRoutes.filter(({ path }) => !readable.has(path)).map(({ path }) => path)
    expect(unread).toEqual([
      // Of a person, with no results.
      '/api/v2/people/me',
      '/api/v2/people/me/personal-data',
      '/api/v2/people/me/sign-in',
      '/api/v2/people/me/sessions',
      '/api/v2/people/me/fields',
      // Nothing to do with standings, and refused or not configured here.
      '/api/mcp',
      '/api/v2/integrations/analytics/script',
      '/api/v2/integrations/captcha/challenge',
      '/api/v2/external-auth/clients/:id',
      '/api/v2/openid/userinfo',
      // Closed until the results are published.
      '/api/v2/statistics',
      '/api/v2/statistics/tables/:table',
    ])
  })

  test('another process that starts now shows the same bytes', { timeout: 60_000 }, async () => {
    await using replica = await startContest({ beside: contest, config: frozen.config })
    const [anonymous] = callers
    const again = await crawl(replica, { seeds: frozen.seeds })
    const ofStream = [...again.keys()].filter((address) => address.startsWith('/api/v2/stream'))
    const differing = differences(again, anonymous?.first ?? new Map())
    // Positions of a process begin when it starts.
    expect(differing.filter((address) => !ofStream.includes(address))).toEqual([])
  })

  test('the stream sends a team its own solves without a place, and others nothing', async () => {
    const { token } = teams.organiser
    const news = await contest.call(createAnnouncement, { token, body: { data: { title: 'Still frozen' } } })
    expect(news.kind).toBe('goodAnnouncementUpdate')
    for (const stream of Object.values(streams)) await stream.next('announcements')
    // Sent every 20 seconds, whatever happens.
    const isNews = (name: string) => name !== 'position'
    const names = ({ events }: StreamReader) => events.map(({ name }) => name).filter(isNews)
    expect(names(streams.nobody)).toEqual(['hello', 'announcements'])
    // The team's standing may be sent twice; what matters is that nothing else is.
    expect([...new Set(names(streams.idle))]).toEqual(['hello', 'team', 'announcements'])
    const own = streams.busy.events.filter(({ name }) => name === 'solves')
    expect(own.map(({ data }) => data)).toMatchObject([
      { solves: [{ challengeId: 'three', userId: teams.busy.id, bloodIndex: null }], removed: [] },
    ])
    expect(names(streams.busy)).not.toContain('points')
    const resumed = await readStream(contest.url, {
      token: teams.busy.token,
      lastEventId: callers[0]?.lastEventId,
    })
    const { data } = await resumed.next('solves')
    expect(data.solves).toHaveLength(1)
    resumed.close()
  })

  test('a team sees its own later solves, with the value on the frozen scoreboard and no place', async () => {
    const { token } = teams.busy
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
    const row = board.data.leaderboard.find(({ id }) => id === teams.busy.id)
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
    expect((await submitTo(contest, teams.busy, ['three'])).kind).toBe('badAlreadySolvedChallenge')
  })

  test('organisers can read the standings as they are', async () => {
    const { token } = teams.organiser
    const live = await contest.call(getLiveLeaderboard, { token, query: page })
    if (live.kind !== 'goodLeaderboard') throw new Error(live.kind)
    expect(live.data.leaderboard.map(({ id }) => id)).toEqual(
      expect.arrayContaining([teams.busy.id, teams.other.id]),
    )
    const graph = await contest.call(getLiveGraph, { token, query: page })
    expect(graph.kind === 'goodLeaderboardGraph' && graph.data.graph).toHaveLength(4)
    const board = await contest.call(getLeaderboardV2, { token, query: page })
    expect(board.kind === 'goodLeaderboard' && board.data.total).toBe(3)
  })
})

describe('after the end, while the results are not published', () => {
  beforeAll(async () => {
    contest.clock.advance(41 * HOUR_MS)
    for (const each of callers) each.last = await crawlAs(each)
    await actAfterTheEnd(frozen)
    await crawlAsOrganiser(contest, frozen.seeds, teams.organiser)
  }, 120_000)

  test.each(callers)(
    'no byte that $name reads depends on what is hidden',
    { timeout: 60_000 },
    async (caller) => {
      expect(differences(caller.last ?? new Map(), await crawlAs(caller))).toEqual([])
    },
  )

  test('the standings are those of before the end', () => {
    const ended = callers.flatMap(({ first, last }) => differences(first ?? new Map(), last ?? new Map()))
    const standings = ended.filter((address) => /leaderboard\/(?!at)|users|challs/.test(address))
    expect(standings).toEqual([])
  })
})

describe('once the results are published', () => {
  beforeAll(async () => {
    const { token } = teams.organiser
    const saved = await contest.call(updateSettings, { token, body: { data: { resultsPublished: true } } })
    expect(saved.kind).toBe('goodAdminSettingsUpdate')
  })

  test('streams tell their clients to read everything again', async () => {
    for (const stream of Object.values(streams)) {
      await stream.next('resync')
      await stream.next('phase', (data) => !('freezeTime' in data))
    }
    const shown = await contest.call(getClientConfigV2, {})
    expect(shown.data).not.toHaveProperty('freezeTime')
  })

  // The positive control: the crawl would notice a path that forgets the freeze.
  test('every path that depends on the standings differs', { timeout: 60_000 }, async () => {
    const differing = async (name: string) => {
      const caller = callerNamed(name)
      const addresses = differences(caller.last ?? new Map(), await crawlAs(caller))
      const { idle, busy, other } = teams
      const ids = Object.entries({ idle, busy, other })
      return addresses.map((address) =>
        ids.reduce((path, [team, { id }]) => path.replace(id, `:${team}`), address.replace(/\?.*/, '')),
      )
    }
    expect(await differing('nobody')).toEqual(
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
        '/api/v2/leaderboard/at',
        '/api/v1/users/:busy',
        '/api/v2/users/:busy',
        '/api/v2/users/:idle',
        '/api/v2/users/:other/adjustments',
        '/api/v1/integrations/client/config',
        '/api/v2/integrations/extrank/standings',
        '/api/v2/statistics',
        '/api/v2/statistics/tables/over-time',
        'resumed',
      ]),
    )
    expect(await differing('an organiser on public pages')).toContain(
      '/api/v1/integrations/extrank/leaderboard',
    )
    const ofTeams = [await differing('an idle team'), await differing('a team that has solved before')]
    for (const paths of ofTeams)
      expect(paths).toEqual(
        expect.arrayContaining([
          '/api/v1/users/me',
          '/api/v2/users/me',
          '/api/v2/users/me/results',
          '/api/v2/stream',
        ]),
      )
    expect(ofTeams[1]).toContain('/api/v2/challs/gated/solves')
  })
})
