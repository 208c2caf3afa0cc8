import { FIRST_INSTANT } from '@pennant/contract/instants.ts'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import { getLeaderboardV2 } from '@pennant/contract/leaderboard.ts'
import { permissions } from '@pennant/contract/permissions.ts'
import { CEREMONY_TEAMS, getCeremony, getLeaderboardAt, REPLAY_STEP_MS } from '@pennant/contract/replay.ts'
import { verify } from '../../src/ops/verify/run.ts'
import { putChallenge, putFeed, putSolve, setBanned } from '../contest-data.ts'
import { challengeRow, solveRow } from '../contest-rows.ts'
import { noon, startContest, type Contest, type Member } from '../harness.ts'

// docs/reference/leaderboard.md#earlier-standings

const endTime = noon + 47 * HOUR_MS
const startTime = noon - HOUR_MS
const page = { limit: '25', offset: '0' }

let contest: Contest
const teams: Member[] = []
let reader: Member

beforeAll(async () => {
  contest = await startContest({
    config: { startTime, endTime, divisions: { open: 'Open', school: 'School' } },
  })
  reader = await contest.admin(permissions.leaderboardRead)
  for (const n of [1, 2, 3])
    await putChallenge(contest.db, challengeRow(`c${n}`, { tiebreakEligible: n !== 3 }))
  await putChallenge(contest.db, challengeRow('fixed', { scoringKind: 'static' }))
  await putChallenge(contest.db, challengeRow('hidden', { hidden: true }))
  await putChallenge(contest.db, challengeRow('live', { scoringKind: 'dynamic' }))
  for (let n = 0; n < 9; n += 1) teams.push(await contest.team())
  let number = 0
  for (const [at, { id: teamId }] of teams.entries())
    for (const [task, challengeId] of ['c1', 'c2', 'c3', 'fixed', 'hidden'].entries())
      if ((at * 7 + task * 3) % 4 > 0) {
        number += 1
        const createdAt = noon + number * 37 * SECOND_MS
        await putSolve(contest.db, solveRow(number, { challengeId, teamId, createdAt }))
      }
  for (const [team, points, minute] of [
    [0, 30, 5],
    [1, 20, 6],
    [2, 15, 7],
  ] as const) {
    const at = noon + minute * MINUTE_MS
    const teamId = teams[team]?.id ?? ''
    await putFeed(contest.db, {
      challengeId: 'live',
      teamId,
      points,
      scoredAt: at,
      delta: points,
      tickAt: at,
    })
  }
  await setBanned(contest.db, teams[3]?.id ?? '', true)
  contest.clock.advance(noon + HOUR_MS - contest.clock.now())
})
afterAll(() => contest[Symbol.asyncDispose]())

async function boardAt(time: number, more: object = {}) {
  const response = await contest.call(getLeaderboardAt, { query: { ...page, time: String(time), ...more } })
  if (response.kind !== 'goodLeaderboardAt') throw new Error(JSON.stringify(response))
  return response.data
}

/** What `pennant verify --at` computes from the tables. */
async function verifiedAt(at: number) {
  const client = new Client({ connectionString: contest.database.url })
  await client.connect()
  try {
    const rules = { score: contest.app.providers.score, startTime, endTime }
    const now = () => contest.clock.now()
    return (await verify({ client, rules, now, at, url: null, token: null })).standings
  } finally {
    await client.end()
  }
}

test('at any time the standings are those of pennant verify --at', async () => {
  for (let step = 0; step <= 24; step += 1) {
    const time = noon + step * 5 * REPLAY_STEP_MS
    const { leaderboard, total } = await boardAt(time)
    const expected = await verifiedAt(time)
    expect(total).toBe(expected.length)
    expect(
      leaderboard.map(({ id, name, division, score, globalPlace, divisionPlace }) => ({
        globalPlace,
        divisionPlace,
        id,
        name,
        division,
        score,
      })),
    ).toEqual(expected)
  }
  const { leaderboard } = await boardAt(noon + HOUR_MS)
  const now = await contest.call(getLeaderboardV2, { query: page })
  expect(now.kind === 'goodLeaderboard' && now.data.leaderboard.map(({ id, score }) => [id, score])).toEqual(
    leaderboard.map(({ id, score }) => [id, score]),
  )
})

test('a time is rounded down, and is never outside the event or in the future', async () => {
  const now = noon + HOUR_MS
  expect(await boardAt(now + 5)).toMatchObject({ time: now, from: startTime, until: now })
  expect((await boardAt(noon + REPLAY_STEP_MS - 1)).time).toBe(noon)
  expect(await boardAt(FIRST_INSTANT)).toMatchObject({ time: startTime, total: 0, leaderboard: [] })
  expect((await boardAt(Number.MAX_SAFE_INTEGER)).time).toBe(now)
  expect((await boardAt(now, { limit: '2', offset: '1', division: 'open' })).leaderboard.length).toBe(2)
  expect((await boardAt(now, { division: 'school' })).total).toBe(0)
})

test('a banned team and a hidden challenge do not count at any time', async () => {
  const { leaderboard } = await boardAt(noon + HOUR_MS)
  expect(leaderboard.map(({ id }) => id)).not.toContain(teams[3]?.id)
  const all = await contest.call(getLeaderboardV2, { query: page })
  if (all.kind !== 'goodLeaderboard') throw new Error(all.kind)
  expect(leaderboard.map(({ id, solves }) => [id, solves])).toEqual(
    all.data.leaderboard.map(({ id, solves }) => [id, solves.length]),
  )
})

test('a ceremony has where teams stood before, and solves that lead to their scores after', async () => {
  const [from, until] = [noon + 5 * MINUTE_MS, noon + HOUR_MS]
  const period = { limit: '50', from: String(from), until: String(until) }
  const { token } = reader
  const response = await contest.call(getCeremony, { token, query: period })
  if (response.kind !== 'goodCeremony') throw new Error(response.kind)
  const [before, after] = [await boardAt(from), await boardAt(until)]
  const { data } = response
  expect(data).toMatchObject({ from, until, total: after.total })
  expect(data.teams.map(({ id, after: { score, rank } }) => [id, score, rank])).toEqual(
    after.leaderboard.map(({ id, score, globalPlace }) => [id, score, globalPlace]),
  )
  for (const team of data.teams) {
    const known = before.leaderboard.find(({ id }) => id === team.id)
    expect(team.before).toEqual({ score: known?.score ?? 0, rank: known?.globalPlace ?? null })
    const later = team.solves.reduce((sum, { points }) => sum + points, team.base)
    // The rest are pushed scores.
    expect([0, 15, 20, 30]).toContain(team.after.score - later)
    expect(team.solves.every(({ at, challengeId }) => at > from && data.challenges[challengeId])).toBe(true)
  }
  expect(data.teams.some(({ solves }) => solves.length > 0)).toBe(true)
  expect(data.teams.some(({ base, before: { score } }) => base !== score)).toBe(true)
  const first = await contest.call(getCeremony, { token, query: { ...period, limit: '2', division: 'open' } })
  expect(first.kind === 'goodCeremony' && first.data.teams.length).toBe(2)
})

test('nonsense is refused', async () => {
  const { token } = reader
  const kindOf = async (more: object) =>
    (await contest.call(getLeaderboardAt, { query: { ...page, time: String(FIRST_INSTANT), ...more } })).kind
  for (const more of [{ time: 'now' }, { time: '-1' }, { limit: '0' }, { limit: '1000' }, { division: 'x' }])
    expect([more, await kindOf(more)]).toEqual([more, 'badBody'])
  const period = { limit: '50', from: String(FIRST_INSTANT), until: String(FIRST_INSTANT + 1) }
  const refused = [
    { until: String(FIRST_INSTANT) },
    { limit: String(CEREMONY_TEAMS + 1) },
    { division: 'x' },
    { from: 'x' },
  ]
  for (const more of refused) {
    const { kind } = await contest.call(getCeremony, { token, query: { ...period, ...more } })
    expect([more, kind]).toEqual([more, 'badBody'])
  }
})

test('a ceremony needs the permission to read the scoreboard', async () => {
  const query = { limit: '50', from: String(FIRST_INSTANT), until: String(FIRST_INSTANT + 1) }
  expect((await contest.call(getCeremony, { token: 'nonsense', query })).kind).toBe('badToken')
  expect((await contest.call(getCeremony, { token: teams[0]?.token ?? '', query })).kind).toBe('badPerms')
})

test('an address computes a limited number of times; known ones are free', async () => {
  const kinds = new Set<string>()
  const ask = async (time: number) =>
    (await contest.call(getLeaderboardAt, { query: { ...page, time: String(time) } })).kind
  for (let step = 0; step < 150; step += 1) kinds.add(await ask(startTime + step * REPLAY_STEP_MS))
  expect([...kinds]).toEqual(['goodLeaderboardAt', 'badRateLimit'])
  expect(await ask(startTime)).toBe('goodLeaderboardAt')
  const query = { limit: '7', from: String(FIRST_INSTANT), until: String(noon) }
  expect((await contest.call(getCeremony, { token: reader.token, query })).kind).toBe('badRateLimit')
})

test('no one sees it before the start without the permission', async () => {
  await using early = await startContest({ config: { startTime: noon + HOUR_MS, endTime } })
  const query = { ...page, time: String(noon) }
  expect((await early.call(getLeaderboardAt, { query })).kind).toBe('badNotStarted')
  const { token } = await early.admin(permissions.leaderboardRead)
  const { kind, data } = await early.call(getLeaderboardAt, { token, query })
  expect([kind, data]).toMatchObject(['goodLeaderboardAt', { total: 0 }])
})
