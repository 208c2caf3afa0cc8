import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { deleteSolve } from '@pennant/contract/admin-challenges.ts'
import { getClientConfigV2 } from '@pennant/contract/client-config.ts'
import { HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import { getLeaderboardV2 } from '@pennant/contract/leaderboard.ts'
import { readProfileV2, updateProfileV2 } from '@pennant/contract/teams.ts'
import { putChallenge, putSolve, setBanned } from '../contest-data.ts'
import { challengeRow, solveRow } from '../contest-rows.ts'
import { noon, startContest, type Contest, type Member } from '../harness.ts'

// What organisers and teams do during a freeze: docs/reference/freeze.md

const freezeTime = noon + HOUR_MS
const page = { limit: '10', offset: '0' }

let contest: Contest
let organiser: Member
const teams: Record<string, Member> = {}

beforeAll(async () => {
  contest = await startContest()
  organiser = await contest.admin()
  for (const name of ['ants', 'bees', 'crows']) teams[name] = await contest.team(name)
  for (const id of ['one', 'two', 'three']) await putChallenge(contest.db, challengeRow(id))
})
afterAll(() => contest[Symbol.asyncDispose]())

const memberOf = (name: string) => teams[name] ?? { id: 'nobody', token: '' }

let solves = 0
async function solve(name: string, challengeId: string, createdAt: number): Promise<void> {
  const { id: teamId } = memberOf(name)
  await putSolve(contest.db, solveRow((solves += 1), { challengeId, teamId, createdAt }))
}

/** Name and number of solves of each row, in order. */
async function board(): Promise<string[]> {
  const read = await contest.call(getLeaderboardV2, { query: page })
  if (read.kind !== 'goodLeaderboard') throw new Error(read.kind)
  return read.data.leaderboard.map(({ name, solves: { length } }) => `${name} ${length}`)
}

async function save(data: Record<string, unknown>): Promise<void> {
  const saved = await contest.call(updateSettings, { token: organiser.token, body: { data } })
  expect(saved.kind).toBe('goodAdminSettingsUpdate')
}

const frozenSince = async () => {
  const config = await contest.call(getClientConfigV2, {})
  if (config.kind !== 'goodClientConfig') throw new Error(config.kind)
  return config.data.freezeTime
}

describe('a freeze', () => {
  test('leaves the standings before it as they are, and clients learn its time', async () => {
    await solve('ants', 'one', noon)
    await save({ freezeTime })
    expect(await board()).toEqual(['ants 1'])
    await solve('bees', 'one', noon + MINUTE_MS)
    expect(await board()).toEqual(['ants 1', 'bees 1'])
    expect(await frozenSince()).toBe(freezeTime)
    expect(contest.world().frozenAt).toBeNull()
  })

  test('includes solves at its very time and nothing later, from the first request on', async () => {
    await solve('crows', 'one', freezeTime)
    await solve('crows', 'two', freezeTime + 1)
    // The database dates solves, and its clock may be ahead of this process.
    expect(await board()).toEqual(['ants 1', 'bees 1', 'crows 1'])
    contest.clock.advance(freezeTime - noon)
    await solve('ants', 'two', freezeTime + MINUTE_MS)
    await solve('ants', 'three', freezeTime + MINUTE_MS)
    expect(await board()).toEqual(['ants 1', 'bees 1', 'crows 1'])
    expect(contest.world().solvesOfChallenge('two').length).toBe(2)
  })

  test('shows bans, names and new teams at once', async () => {
    await setBanned(contest.db, memberOf('bees').id, true)
    expect(await board()).toEqual(['ants 1', 'crows 1'])
    await setBanned(contest.db, memberOf('bees').id, false)
    expect(await board()).toEqual(['ants 1', 'bees 1', 'crows 1'])
    const { token } = memberOf('ants')
    const renamed = await contest.call(updateProfileV2, { token, body: { name: 'army ants' } })
    expect(renamed.kind).toBe('goodUserUpdate')
    expect(await board()).toEqual(['army ants 1', 'bees 1', 'crows 1'])
    teams['dogs'] = await contest.team('dogs')
    await solve('dogs', 'one', freezeTime + 2 * MINUTE_MS)
    expect(await board()).toEqual(['army ants 1', 'bees 1', 'crows 1'])
    const profile = await contest.call(readProfileV2, { params: { id: memberOf('dogs').id } })
    expect(profile.data).toMatchObject({ name: 'dogs', score: 0, globalPlace: null, solves: [] })
  })

  test('loses a solve that an organiser removes, also if the team solves again', async () => {
    const params = { challengeId: 'one', userId: memberOf('bees').id }
    const removed = await contest.call(deleteSolve, { token: organiser.token, params })
    expect(removed.status).toBe(200)
    await solve('bees', 'one', freezeTime + 3 * MINUTE_MS)
    expect(await board()).toEqual(['army ants 1', 'crows 1'])
  })

  test('does not end with the event', async () => {
    contest.clock.advance(60 * HOUR_MS)
    expect(await board()).toEqual(['army ants 1', 'crows 1'])
    expect(await frozenSince()).toBe(freezeTime)
  })

  test('ends when the results are published', async () => {
    expect((await contest.call(getClientConfigV2, {})).data).toMatchObject({ freezeTime })
    await save({ resultsPublished: true })
    expect((await contest.call(getClientConfigV2, {})).data).not.toHaveProperty('freezeTime')
    expect(await board()).toEqual(['army ants 3', 'crows 2', 'dogs 1', 'bees 1'])
    expect(await frozenSince()).toBeUndefined()
  })

  test('begins again with a new time, until those results are published', async () => {
    await save({ freezeTime: freezeTime + 1 })
    expect(contest.world().settings).not.toHaveProperty('resultsPublished')
    expect(await board()).toEqual(['crows 2', 'army ants 1'])
    await save({ freezeTime: null })
    expect(await board()).toEqual(['army ants 3', 'crows 2', 'dogs 1', 'bees 1'])
  })
})
