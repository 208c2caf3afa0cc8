import { login } from '@pennant/contract/accounts.ts'
import * as contract from '@pennant/contract/admin-teams.ts'
import { listSolvesV2 } from '@pennant/contract/challenges.ts'
import { getLeaderboardV2 } from '@pennant/contract/leaderboard.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { readOwnProfileV2, readProfileV2 } from '@pennant/contract/teams.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { putChallenge, putFeed } from '../../../../test/contest-data.ts'
import { challengeRow, feedRow } from '../../../../test/contest-rows.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'

let contest: Contest
let admin: Member
beforeAll(async () => {
  contest = await startContest({ config: { divisions: { open: 'Open', uni: 'University' } } })
  admin = await contest.admin()
  for (const id of ['one', 'two']) await putChallenge(contest.db, challengeRow(id, { category: 'web' }))
  await putChallenge(contest.db, challengeRow('fed', { scoringKind: 'dynamic', hidden: true }))
})
afterAll(() => contest[Symbol.asyncDispose]())

const page = { limit: '100', offset: '0' }
const as = (token = admin.token) => ({ token })
const about = (id: string) => ({ ...as(), params: { id } })
const update = (id: string, data: object) =>
  contest.call(contract.updateTeam, { ...about(id), body: { data } })
const solve = ({ token }: Member, id: string, flag = 'flag{x}') =>
  contest.call(submitFlag, { token, params: { id }, body: { flag } })
const kindOf = async (response: Promise<{ kind: string }>) => (await response).kind

async function board(on = contest) {
  const { data } = await on.call(getLeaderboardV2, { query: page })
  return (data as { leaderboard: { id: string; score: number; globalPlace: number | null }[] }).leaderboard
}

async function actions(target: string) {
  return await contest.db.query<{ action: string; actor_id: string; keys: string[]; ip: string }>(sql`
    select action, actor_id, keys, ip from admin_actions where target = ${target} order by id`)
}

describe('the list of teams', () => {
  test('responds equally to both methods, with counts of hidden challenges too', async () => {
    const team = await contest.team('Listed')
    await solve(team, 'one')
    await putFeed(contest.db, feedRow('fed', team.id))
    const query = { ...page, search: ' LISTED ' }
    const response = await contest.call(contract.listTeams, { ...as(), query })
    expect(response.data).toEqual({
      total: 1,
      users: [
        {
          id: team.id,
          name: 'Listed',
          email: expect.any(String),
          division: 'open',
          perms: 0,
          banned: false,
          score: 500,
          solveCount: 2,
          avatarUrl: null,
          countryCode: null,
          statusText: null,
          createdAt: new Date(contest.world().team(team.id)!.createdAt).toISOString(),
        },
      ],
    })
    expect(await contest.call(contract.filterTeams, { ...as(), query, body: {} })).toEqual(response)
  })

  test('filters by status and division', async () => {
    const team = await contest.team()
    await update(team.id, { banned: true, division: 'uni' })
    const query = { ...page, sortBy: 'team' } as const
    const body = { status: { include: ['banned' as const] }, division: { include: ['uni'], exclude: [] } }
    const { data } = await contest.call(contract.filterTeams, { ...as(), query, body })
    expect(data).toMatchObject({ total: 1, users: [{ id: team.id, banned: true, score: 0 }] })
  })

  test('rejects unknown options', async () => {
    const list = (query: object, body: object = {}) =>
      kindOf(contest.call(contract.filterTeams, { ...as(), query: { ...page, ...query } as never, body }))
    for (const query of [{ sortBy: 'constructor' }, { sortOrder: 'up' }, { limit: '101' }, { offset: '-1' }])
      expect(await list(query), JSON.stringify(query)).toBe('badBody')
    for (const search of ['', 'x'.repeat(101)]) expect(await list({ search })).toBe('badBody')
    const many = Array.from({ length: 1025 }, () => 'open')
    for (const body of [
      { status: { include: ['toString'] } },
      { division: { exclude: many } },
      { division: [] },
    ])
      expect(await list({}, body), JSON.stringify(body).slice(0, 60)).toBe('badBody')
    expect(await list({}, { division: { include: many.slice(1) }, __proto__: null })).toBe('goodAdminUsers')
  })
})

describe('one team', () => {
  test('includes everything that it solved, oldest first', async () => {
    const team = await contest.team()
    await solve(team, 'two')
    await solve(team, 'one')
    await putFeed(contest.db, feedRow('fed', team.id, { scoredAt: Date.UTC(2020, 1, 1) }))
    const { data } = await contest.call(contract.readTeam, about(team.id))
    const { solves } = data as { solves: { challengeId: string; createdAt: string }[] }
    expect(solves.map(({ challengeId }) => challengeId)).toEqual(['fed', 'two', 'one'])
    expect(solves[0]).toEqual({
      challengeId: 'fed',
      challengeName: 'Challenge fed',
      challengeCategory: 'misc',
      createdAt: '2020-02-01T00:00:00.000Z',
    })
  })

  test('is unknown if it does not exist', async () => {
    expect(await kindOf(contest.call(contract.readTeam, about('nobody')))).toBe('badUnknownUser')
  })
})

describe('a change', () => {
  test('applies all given fields and is audited without their values', async () => {
    const team = await contest.team()
    const data = { name: ' New name ', division: 'uni', countryCode: 'NZ', statusText: 'here' }
    expect(await kindOf(update(team.id, data))).toBe('goodAdminUserUpdate')
    expect(contest.world().team(team.id)).toMatchObject({ ...data, name: 'New name' })
    expect(await kindOf(update(team.id, { countryCode: null, statusText: null }))).toBe('goodAdminUserUpdate')
    expect(contest.world().team(team.id)).toMatchObject({ countryCode: null, statusText: null })
    const fields = ['name', 'division', 'countryCode', 'statusText']
    const note = { action: 'team.update', actor_id: admin.id, ip: '127.0.0.1' }
    expect(await actions(team.id)).toEqual([
      { ...note, keys: fields },
      { ...note, keys: fields.slice(2) },
    ])
  })

  test('without fields succeeds', async () => {
    const team = await contest.team()
    expect(await kindOf(update(team.id, {}))).toBe('goodAdminUserUpdate')
    expect(await kindOf(update(team.id, { banned: false }))).toBe('goodAdminUserUpdate')
  })

  test('with a name that is taken applies nothing, including a ban', async () => {
    await contest.team('Occupied')
    const team = await contest.team()
    expect(await kindOf(update(team.id, { name: 'OCCUPIED', banned: true }))).toBe('badKnownName')
    expect(contest.world().team(team.id)).toMatchObject({ banned: false })
    expect(await actions(team.id)).toEqual([])
  })

  test('is refused for malformed fields before the team is looked up', async () => {
    expect(await kindOf(update('nobody', { name: 'x' }))).toBe('badName')
    for (const data of [
      { name: 7 },
      { division: 'nowhere' },
      { division: 'constructor' },
      { countryCode: 'nz' },
      { statusText: 'x'.repeat(61) },
      { banned: 'yes' },
      { banned: null },
    ])
      expect(await kindOf(update('nobody', data)), JSON.stringify(data)).toBe('badBody')
    expect(await kindOf(update('nobody', {}))).toBe('badUnknownUser')
  })

  test('by two admins at once keeps both fields, and one of two names', async () => {
    const team = await contest.team()
    await Promise.all([update(team.id, { statusText: 'both' }), update(team.id, { countryCode: 'FR' })])
    expect(contest.world().team(team.id)).toMatchObject({ statusText: 'both', countryCode: 'FR' })
    const others = await Promise.all([contest.team(), contest.team()])
    const kinds = await Promise.all(others.map(({ id }) => kindOf(update(id, { name: 'Only one' }))))
    expect(kinds.sort()).toEqual(['badKnownName', 'goodAdminUserUpdate'])
  })
})

describe('a ban', () => {
  test('keeps the login, stops submissions and clears the board; an unban restores everything', async () => {
    const [first, second] = [await contest.team(), await contest.team()]
    await putChallenge(contest.db, challengeRow('banned'))
    for (const team of [first, second]) await solve(team, 'banned')
    const before = await board()
    const place = (rows: typeof before, id: string) => rows.find((row) => row.id === id)?.globalPlace

    expect(await kindOf(update(first.id, { banned: true }))).toBe('goodAdminUserUpdate')
    const teamToken = contest.app.stores.tokens.issueTeam(first.id)
    expect(await kindOf(contest.call(login, { body: { teamToken } }))).toBe('goodLogin')
    expect(await kindOf(solve(first, 'banned', 'wrong'))).toBe('badPerms')
    const own = await contest.call(readOwnProfileV2, as(first.token))
    expect(own.data).toMatchObject({ banned: true, score: 0, globalPlace: null, solves: [] })
    expect(await kindOf(contest.call(readProfileV2, { params: { id: first.id } }))).toBe('badUnknownUser')
    const during = await board()
    expect(place(during, first.id)).toBeUndefined()
    expect(place(during, second.id)).toBeLessThan(place(before, second.id)!)
    const solves = await contest.call(listSolvesV2, { params: { id: 'banned' }, query: page })
    expect(solves.data).toMatchObject({ solves: [{ userId: second.id, bloodIndex: 0 }] })

    expect(await kindOf(update(first.id, { banned: false }))).toBe('goodAdminUserUpdate')
    expect(await board()).toEqual(before)
  })

  test('applies in other processes too', async () => {
    await using other = await startContest({ beside: contest })
    const team = await contest.team()
    await solve(team, 'two')
    // The second process gets no notification from the first, so it polls.
    const patience = { timeout: 60_000, interval: 20 }
    const isShown = async () => (await board(other)).some(({ id }) => id === team.id)
    await vi.waitUntil(isShown, patience)
    await update(team.id, { banned: true })
    await vi.waitUntil(async () => !(await isShown()), patience)
    const response = other.call(submitFlag, {
      token: team.token,
      params: { id: 'one' },
      body: { flag: 'flag{x}' },
    })
    expect(await kindOf(response)).toBe('badPerms')
  })
})

test('deleting a team deletes its data and invalidates its tokens', async () => {
  const team = await contest.team()
  await solve(team, 'one')
  await putFeed(contest.db, feedRow('fed', team.id))
  const teamToken = contest.app.stores.tokens.issueTeam(team.id)
  expect(await kindOf(contest.call(contract.deleteTeam, about(team.id)))).toBe('goodAdminUserDelete')
  expect(await kindOf(contest.call(readOwnProfileV2, as(team.token)))).toBe('badToken')
  expect(await kindOf(solve(team, 'two'))).toBe('badToken')
  expect(await kindOf(contest.call(login, { body: { teamToken } }))).toBe('badUnknownUser')
  expect((await board()).some(({ id }) => id === team.id)).toBe(false)
  const [left] = await contest.db.query(sql`
    select (select count(*) from solves where team_id = ${team.id}) as solves,
      (select count(*) from feed_scores where team_id = ${team.id}) as scores,
      (select count(*) from submissions where team_id = ${team.id}) as audit`)
  expect(left).toEqual({ solves: 0, scores: 0, audit: 1 })
  expect(await kindOf(contest.call(contract.deleteTeam, about(team.id)))).toBe('badUnknownUser')
  expect(await actions(team.id)).toMatchObject([{ action: 'team.delete', actor_id: admin.id }])
})

test('a team token signs in, also for a banned team', async () => {
  const team = await contest.team()
  await update(team.id, { banned: true })
  const { data } = await contest.call(contract.createTeamToken, about(team.id))
  const { token } = data as { token: string }
  expect(await kindOf(contest.call(login, { body: { teamToken: token } }))).toBe('goodLogin')
  expect(await kindOf(contest.call(contract.createTeamToken, about('nobody')))).toBe('badUnknownUser')
  expect((await actions(team.id)).map(({ action }) => action)).toEqual(['team.update', 'team.token'])
})

test('teams with any permission are protected', async () => {
  const { id } = await contest.admin(4)
  for (const response of [
    update(id, { banned: true }),
    contest.call(contract.deleteTeam, about(id)),
    contest.call(contract.createTeamToken, about(id)),
  ])
    expect(await kindOf(response)).toBe('badUserPrivileged')
  expect(contest.world().team(id)).toMatchObject({ banned: false })
  expect(await actions(id)).toEqual([])
})

test('all solves of a team are deleted at once, including feed scores, and it may solve again', async () => {
  const team = await contest.team()
  const clear = (userId: string) => contest.call(contract.deleteTeamSolves, { ...as(), params: { userId } })
  for (const id of ['one', 'two']) await solve(team, id)
  await putFeed(contest.db, feedRow('fed', team.id))
  expect(await kindOf(clear(team.id))).toBe('goodAllChallengeSolvesDelete')
  expect(contest.world().solveCountOfTeam(team.id)).toBe(0)
  expect(contest.world().feedScoresOfTeam(team.id)).toEqual([])
  expect((await board()).some(({ id }) => id === team.id)).toBe(false)
  const [history] = await contest.db.query(
    sql`select sum(delta)::integer as sum from feed_events where team_id = ${team.id}`,
  )
  expect(history).toEqual({ sum: 0 })
  expect(await kindOf(solve(team, 'one'))).toBe('goodFlag')
  for (const id of ['nobody', (await contest.admin()).id])
    expect(await kindOf(clear(id))).toBe('goodAllChallengeSolvesDelete')
})
