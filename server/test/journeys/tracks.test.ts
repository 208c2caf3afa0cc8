import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { registerV2 } from '@pennant/contract/accounts.ts'
import { getClientConfigV2 } from '@pennant/contract/client-config.ts'
import { listSolvesV2 } from '@pennant/contract/challenges.ts'
import { HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import {
  getGraphV2,
  getLatestSolves,
  getLeaderboardChallenges,
  getLeaderboardV2,
  getLiveLeaderboard,
} from '@pennant/contract/leaderboard.ts'
import { getCeremony, getLeaderboardAt } from '@pennant/contract/replay.ts'
import { readProfileV2 } from '@pennant/contract/teams.ts'
import * as contract from '@pennant/contract/tracks.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { watchBloods } from '../../src/features/contest/bloods/store.ts'
import { submitAll } from '../../src/features/contest/submissions/store.ts'
import { putChallenge, putSettings, putSolve } from '../contest-data.ts'
import { challengeRow, solveRow } from '../contest-rows.ts'
import { noon, startContest, type Contest, type Member } from '../harness.ts'
import { submissionOf } from '../submissions.ts'

// Tracks through the API: docs/reference/tracks.md

const switches = {
  mayRegister: true,
  isRanked: true,
  affectsPoints: true,
  takesBloods: true,
  getsPrizes: true,
  namesAgent: false,
}
const human = { id: 'human', label: 'Humans', policy: 'No agents.', ...switches }
const assisted = { id: 'assisted', label: 'Assisted', policy: 'Agents may help.', ...switches }
const agent = {
  id: 'agent',
  label: 'Agents',
  policy: 'Agents play alone.',
  ...switches,
  isRanked: false,
  affectsPoints: false,
  takesBloods: false,
  getsPrizes: false,
  namesAgent: true,
}
const tracks = [human, assisted, agent]
const bot = { operator: 'Lab', model: 'M-1' }
const page = { limit: '10', offset: '0' }

let contest: Contest
let other: Contest
let organiser: Member
const teams: Record<string, Member> = {}
const memberOf = (name: string) => teams[name] ?? { id: 'nobody', token: '' }

beforeAll(async () => {
  contest = await startContest()
  other = await startContest({ beside: contest })
  organiser = await contest.admin()
  for (const name of ['ants', 'bees', 'robot']) teams[name] = await contest.team(name)
  for (const id of ['one', 'two']) await putChallenge(contest.db, challengeRow(id))
  let solves = 0
  const solve = (name: string, challengeId: string, minutes: number) =>
    putSolve(
      contest.db,
      solveRow((solves += 1), {
        challengeId,
        teamId: memberOf(name).id,
        createdAt: noon - HOUR_MS + minutes * MINUTE_MS,
      }),
    )
  await solve('robot', 'one', 1)
  await solve('robot', 'two', 2)
  await solve('ants', 'one', 3)
  await solve('bees', 'one', 4)
  await solve('ants', 'two', 5)
})
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await contest[Symbol.asyncDispose]()
})

async function everyoneKnows(): Promise<void> {
  for (const each of [contest, other]) await each.app.stores.follower.catchUp()
}

beforeEach(async () => {
  await putSettings(contest.db, { tracks })
  await contest.db.change(async (tx) => {
    await tx.query(sql`update teams set track = null, agent = null`)
    tx.changed(
      'teams',
      Object.values(teams).map(({ id }) => id),
    )
  })
  await everyoneKnows()
})

const declare = (name: string, body: { track: string; agent?: typeof bot }) =>
  contest.call(contract.declareTrack, { token: memberOf(name).token, body })
const move = (name: string, data: { track: string; agent?: typeof bot; reason: string }) =>
  contest.call(contract.moveTeam, {
    token: organiser.token,
    params: { id: memberOf(name).id },
    body: { data },
  })

/** Name, rank and score of each row. */
async function board(on: Contest, query: { track?: string; division?: string } = {}): Promise<string[]> {
  const read = await on.call(getLeaderboardV2, { query: { ...page, ...query } })
  if (read.kind !== 'goodLeaderboard') throw new Error(read.kind)
  return read.data.leaderboard.map(({ name, globalPlace, track = '' }) =>
    `${globalPlace} ${name} ${track}`.trim(),
  )
}

async function pointsOf(id: string): Promise<number> {
  const read = await contest.call(getLeaderboardChallenges, {})
  if (read.kind !== 'goodLeaderboardChallenges') throw new Error(read.kind)
  return read.data.challenges[id]?.points ?? 0
}

async function firstSolversOf(track?: string): Promise<string[]> {
  const read = await contest.call(getLeaderboardChallenges, { query: { ...(track && { track }) } })
  if (read.kind !== 'goodLeaderboardChallenges') throw new Error(read.kind)
  const names = new Map(Object.entries(teams).map(([name, { id }]) => [id, name]))
  return read.data.challenges['one']?.firstSolvers.map(({ id }) => names.get(id) ?? '') ?? []
}

describe('declaring', () => {
  test('a team that declared nothing is in the first track', async () => {
    const { token } = memberOf('ants')
    const own = await contest.call(contract.readOwnTrack, { token })
    expect(own).toMatchObject({
      kind: 'goodOwnTrack',
      data: { track: 'human', declared: false, agent: null, trackPlace: 2, teams: 3 },
    })
  })

  test('after the lock time a team only moves to more permissive tracks', async () => {
    expect(await declare('ants', { track: 'assisted' })).toMatchObject({
      kind: 'goodOwnTrack',
      data: { track: 'assisted', declared: true, choices: ['assisted', 'agent'] },
    })
    expect((await declare('ants', { track: 'human' })).kind).toBe('badTrack')
    await putSettings(contest.db, { tracks, tracksLockAt: noon + HOUR_MS })
    await everyoneKnows()
    expect((await declare('ants', { track: 'human' })).kind).toBe('goodOwnTrack')
  })

  test('a track of agents needs an operator and a model, and no other has them', async () => {
    expect((await declare('robot', { track: 'agent' })).kind).toBe('badTrackAgent')
    expect((await declare('robot', { track: 'human', agent: bot })).kind).toBe('badTrackAgent')
    expect(await declare('robot', { track: 'agent', agent: bot })).toMatchObject({ data: { agent: bot } })
    const hostile = { operator: 'Lab\u202e', model: 'x' }
    expect((await declare('robot', { track: 'agent', agent: hostile })).kind).toBe('badBody')
  })

  test('a track that is not open, or does not exist, is refused', async () => {
    await putSettings(contest.db, { tracks: [human, { ...assisted, mayRegister: false }] })
    await everyoneKnows()
    expect((await declare('ants', { track: 'assisted' })).kind).toBe('badTrack')
    expect((await declare('ants', { track: 'unknown' })).kind).toBe('badTrack')
  })

  test('a registration declares its track', async () => {
    const register = (name: string, declared?: { track: string; agent?: typeof bot }) =>
      contest.call(registerV2, {
        body: { name, email: `${name.replace(' ', '-')}@example.com`, ...(declared && { declared }) },
      })
    expect((await register('new robot', { track: 'agent' })).kind).toBe('badTrackAgent')
    expect((await register('new robot', { track: 'unknown' })).kind).toBe('badTrack')
    expect((await register('newrobot', { track: 'agent', agent: bot })).kind).toBe('goodRegisterV2')
    await everyoneKnows()
    const made = [...contest.world().teams()].find(({ name }) => name === 'newrobot')
    expect(made).toMatchObject({ track: 'agent', agent: bot })
  })

  test('an organiser moves a team to any track, and the action log has the reason', async () => {
    await declare('ants', { track: 'assisted' })
    expect((await move('ants', { track: 'human', reason: 'They asked for it.' })).kind).toBe('goodTeamTrack')
    expect(contest.world().trackOf(memberOf('ants').id)).toBe('human')
    const [action] = await contest.db.query<{ after: string }>(
      sql`select after from admin_actions where action = 'team.track' order by id desc limit 1`,
    )
    expect(JSON.stringify(action?.after)).toContain('They asked for it.')
    expect((await move('ants', { track: 'agent', reason: 'x' })).kind).toBe('badTrackAgent')
    expect((await move('ants', { track: 'unknown', reason: 'x' })).kind).toBe('badTrack')
    expect((await move('nobody', { track: 'human', reason: 'x' })).kind).toBe('badUnknownUser')
  })

  test('a solve is marked as assisted, and only who asks sees it', async () => {
    const { id: userId, token } = memberOf('ants')
    const mark = (id: string, isAssisted = true) =>
      contest.call(contract.markAssisted, { token, params: { id }, body: { assisted: isAssisted } })
    expect((await mark('one')).kind).toBe('goodAssistedMark')
    expect((await mark('unknown')).kind).toBe('badChallenge')
    expect(
      (
        await contest.call(contract.markAssisted, {
          token: memberOf('bees').token,
          params: { id: 'two' },
          body: { assisted: true },
        })
      ).kind,
    ).toBe('badSolve')
    await everyoneKnows()
    for (const on of [contest, other]) {
      const solves = await on.call(listSolvesV2, { params: { id: 'one' }, query: { ...page, track: 'main' } })
      expect(
        solves.kind === 'goodChallengeSolves' && solves.data.solves.find((each) => each.userId === userId),
      ).toMatchObject({ assisted: true, track: 'human' })
      const plain = await on.call(listSolvesV2, { params: { id: 'one' }, query: page })
      expect(JSON.stringify(plain.data)).not.toMatch(/assisted|track/)
    }
    const profile = await contest.call(readProfileV2, { params: { id: userId }, query: { track: 'main' } })
    expect(profile.data).toMatchObject({ track: 'human', trackPlace: 2 })
    expect(JSON.stringify(profile.data)).toContain('"assisted":true')
    const own = await contest.call(contract.readOwnTrack, { token })
    expect(own.data).toMatchObject({ assisted: ['one'] })
    await mark('one', false)
    expect((await contest.call(contract.readOwnTrack, { token })).data).toMatchObject({ assisted: [] })
  })

  test('without tracks none of it exists', async () => {
    await putSettings(contest.db, {})
    await everyoneKnows()
    const { token, id } = memberOf('ants')
    expect((await contest.call(contract.readOwnTrack, { token })).kind).toBe('badTracks')
    expect((await declare('ants', { track: 'human' })).kind).toBe('badTracks')
    expect((await move('ants', { track: 'human', reason: 'x' })).kind).toBe('badTracks')
    const assist = { token, params: { id: 'one' }, body: { assisted: true } }
    expect((await contest.call(contract.markAssisted, assist)).kind).toBe('badTracks')
    for (const track of ['all', 'main', 'human'])
      expect((await contest.call(getLeaderboardV2, { query: { ...page, track } })).kind).toBe('badBody')
    const config = await contest.call(getClientConfigV2, {})
    expect(config.data).not.toHaveProperty('tracks')
    const refused = { params: { id }, query: { track: 'all' } }
    expect((await contest.call(readProfileV2, refused)).kind).toBe('badBody')
  })
})

describe('standings', () => {
  test('without the parameter are the main ones, in every process, as soon as a team is moved', async () => {
    expect(await board(contest)).toEqual(['1 robot', '2 ants', '3 bees'])
    const before = await pointsOf('one')
    expect(await firstSolversOf()).toEqual(['robot', 'ants', 'bees'])
    await move('robot', { track: 'agent', agent: bot, reason: 'It is one.' })
    await everyoneKnows()
    for (const on of [contest, other]) {
      expect(await board(on)).toEqual(['1 ants', '2 bees'])
      expect(await board(on, { track: 'main' })).toEqual(['1 ants human', '2 bees human'])
      expect(await board(on, { track: 'all' })).toEqual(['1 robot agent', '2 ants human', '3 bees human'])
      expect(await board(on, { track: 'agent' })).toEqual(['1 robot agent'])
      expect(await board(on, { track: 'human,assisted', division: 'open' })).toEqual([
        '1 ants human',
        '2 bees human',
      ])
    }
    expect(await pointsOf('one')).toBeGreaterThan(before)
    expect(await firstSolversOf()).toEqual(['ants', 'bees'])
    expect(await firstSolversOf('agent')).toEqual(['robot'])
    await move('robot', { track: 'human', reason: 'It is none.' })
    expect(await board(contest)).toEqual(['1 robot', '2 ants', '3 bees'])
    expect(await pointsOf('one')).toBe(before)
  })

  test('of all routes follow the parameter', async () => {
    await move('robot', { track: 'agent', agent: bot, reason: 'It is one.' })
    const query = { ...page, track: 'agent' }
    const { token } = organiser
    const ids = [memberOf('robot').id]
    const graph = await contest.call(getGraphV2, { query })
    expect(graph.kind === 'goodLeaderboardGraph' && graph.data.graph.map(({ id }) => id)).toEqual(ids)
    const live = await contest.call(getLiveLeaderboard, { token, query })
    expect(live.kind === 'goodLeaderboard' && live.data.leaderboard.map(({ id }) => id)).toEqual(ids)
    const then = await contest.call(getLeaderboardAt, { query: { ...query, time: String(noon) } })
    expect(then.kind === 'goodLeaderboardAt' && then.data.leaderboard).toMatchObject([
      { id: ids[0], globalPlace: 1, track: 'agent' },
    ])
    const period = { from: String(noon - HOUR_MS), until: String(noon), limit: '5' }
    const ceremony = await contest.call(getCeremony, { token, query: { ...period, track: 'agent' } })
    expect(ceremony.kind === 'goodCeremony' && ceremony.data.teams).toMatchObject([
      { id: ids[0], after: { rank: 1 }, solves: [{ isFirst: true }, { isFirst: true }] },
    ])
    const latest = await contest.call(getLatestSolves, { query: { track: 'agent' } })
    expect(latest.kind === 'goodLatestSolves' && latest.data.solves.map(({ userId }) => userId)).toEqual([
      ...ids,
      ...ids,
    ])
    const solves = await contest.call(listSolvesV2, { params: { id: 'one' }, query })
    expect(solves.kind === 'goodChallengeSolves' && solves.data.solves).toMatchObject([
      { userId: ids[0], globalPlace: 1, bloodIndex: 0 },
    ])
  })

  test('of an unknown track are refused on each route', async () => {
    const query = { ...page, track: 'unknown' }
    const { token } = organiser
    for (const route of [getLeaderboardV2, getGraphV2] as const)
      expect((await contest.call(route, { query })).kind).toBe('badBody')
    expect((await contest.call(getLiveLeaderboard, { token, query })).kind).toBe('badBody')
    for (const route of [getLatestSolves, getLeaderboardChallenges] as const)
      expect((await contest.call(route, { query: { track: 'unknown' } })).kind).toBe('badBody')
    expect((await contest.call(listSolvesV2, { params: { id: 'one' }, query })).kind).toBe('badBody')
    const time = String(noon)
    expect((await contest.call(getLeaderboardAt, { query: { ...query, time } })).kind).toBe('badBody')
    const period = { from: String(noon - HOUR_MS), until: String(noon), limit: '5', track: 'unknown' }
    expect((await contest.call(getCeremony, { token, query: period })).kind).toBe('badBody')
  })

  test('of tracks are frozen too', async () => {
    await move('robot', { track: 'agent', agent: bot, reason: 'It is one.' })
    await putSettings(contest.db, { tracks, freezeTime: noon - HOUR_MS + MINUTE_MS })
    await everyoneKnows()
    expect(await board(contest, { track: 'all' })).toEqual(['1 robot agent'])
    expect(await board(contest)).toEqual([])
    expect(await board(contest, { track: 'human' })).toEqual([])
  })

  test('of sets that few ask for are rendered a limited number of times', async () => {
    const kinds = new Set<string>()
    for (let time = 0; time < 300 && !kinds.has('badRateLimit'); time += 1)
      kinds.add((await contest.call(getLatestSolves, { query: { track: 'human,assisted' } })).kind)
    expect(kinds).toEqual(new Set(['goodLatestSolves', 'badRateLimit']))
    expect((await contest.call(getLatestSolves, { query: { track: 'human' } })).kind).toBe('goodLatestSolves')
  })
})

test('messages announce first bloods of teams whose track takes them', async () => {
  await move('robot', { track: 'agent', agent: bot, reason: 'It is one.' })
  await watchBloods(contest.db, { bloodsCount: 1, destinations: ['a'] })
  await putChallenge(contest.db, challengeRow('three'))
  for (const name of ['robot', 'bees'])
    await submitAll(contest.db, [submissionOf('three', memberOf(name).id)])
  const rows = await contest.db.query<{ team: string }>(
    sql`select payload #>> '{team,name}' as team from outbox where kind = 'message'`,
  )
  expect(rows).toEqual([{ team: 'bees' }])
  await watchBloods(contest.db, null)
})

test('settings refuse tracks that contradict themselves', async () => {
  const save = async (list: unknown) =>
    (
      await contest.call(updateSettings, {
        token: organiser.token,
        body: { data: { tracks: list } } as never,
      })
    ).kind
  expect(await save([human, human])).toBe('badBody')
  expect(await save([])).toBe('badBody')
  expect(await save([{ ...human, mayRegister: false }])).toBe('badBody')
  expect(await save([{ ...human, id: 'all' }])).toBe('badBody')
  expect(await save([{ ...human, policy: 'x'.repeat(contract.trackLimits.policy + 1) }])).toBe('badBody')
  expect(await save(Array.from({ length: 9 }, (_, at) => ({ ...human, id: `t${at}` })))).toBe('badBody')
  expect(await save(tracks)).toBe('goodAdminSettingsUpdate')
  const config = await contest.call(getClientConfigV2, {})
  expect(config.data).toMatchObject({ tracks: { list: tracks, lockAt: noon - HOUR_MS } })
})
