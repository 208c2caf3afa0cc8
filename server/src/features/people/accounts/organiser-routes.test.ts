import { login, testToken } from '@pennant/contract/accounts.ts'
import { listOrganisers, setOrganiser } from '@pennant/contract/admin-organisers.ts'
import { createTeam } from '@pennant/contract/admin-teams.ts'
import { ALL_PERMISSIONS, roleOf, roles } from '@pennant/contract/permissions.ts'
import sql from 'sql-template-tag'
import { beforeEach, describe, expect, test } from 'vitest'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'

let contest: Contest
let owner: Member
beforeEach(async () => {
  contest = await startContest()
  owner = await contest.admin()
  return () => contest[Symbol.asyncDispose]()
})

const set = (id: string, perms: number, by = owner) =>
  contest.call(setOrganiser, { token: by.token, params: { id }, body: { data: { perms } } })
const kindOf = async (response: Promise<{ kind: string }>) => (await response).kind
const isAccepted = async ({ token }: Member) =>
  (await contest.call(testToken, { token })).kind === 'goodToken'
const permsOf = (id: string) => contest.world().team(id)?.perms

async function organisers() {
  const response = await contest.call(listOrganisers, { token: owner.token })
  if (response.kind !== 'goodOrganisers') throw new Error(response.kind)
  return response.data.organisers
}

describe('a team created by hand', () => {
  const data = { name: 'By hand', email: 'Hand@Teams.example', division: 'open' }
  const create = (given: object, by = owner) =>
    contest.call(createTeam, { token: by.token, body: { data: { ...data, ...given } } })

  test('signs in with the returned token, has no permissions, and is in the action log', async () => {
    const support = await contest.admin(roles.support)
    const response = await create({}, support)
    if (response.kind !== 'goodAdminUserCreate') throw new Error(response.kind)
    const { id, token: teamToken } = response.data
    expect(contest.world().team(id)).toMatchObject({ ...data, email: 'hand@teams.example', perms: 0 })
    expect(await kindOf(contest.call(login, { body: { teamToken } }))).toBe('goodLogin')
    const entries = await contest.db.query(
      sql`select action, actor_id, after from admin_actions where target = ${id}`,
    )
    expect(entries).toEqual([
      { action: 'team.create', actor_id: support.id, after: { name: 'By hand', perms: 0, division: 'open' } },
    ])
    expect(JSON.stringify(entries)).not.toContain(teamToken)
  })

  test('is refused with a taken or invalid name or address, or an unknown division', async () => {
    await create({})
    expect(await kindOf(create({ name: 'by  HAND', email: 'other@teams.example' }))).toBe('badKnownName')
    expect(await kindOf(create({ name: 'Other' }))).toBe('badKnownEmail')
    expect(await kindOf(create({ name: 'x' }))).toBe('badName')
    expect(await kindOf(create({ email: 'nowhere' }))).toBe('badEmail')
    expect(await create({ name: 'Other', email: 'other@teams.example', division: 'none' })).toMatchObject({
      kind: 'badBody',
      data: { reason: 'body:data.division: is not a division of this contest' },
    })
  })

  test('needs the permission to change teams', async () => {
    const author = await contest.admin(roles.author)
    expect(await kindOf(create({}, author))).toBe('badPerms')
    expect(await kindOf(create({}, await contest.team()))).toBe('badPerms')
    expect(await kindOf(contest.call(createTeam, { body: { data } }))).toBe('badToken')
  })

  test('is created once by concurrent requests', async () => {
    const kinds = await Promise.all(Array.from({ length: 8 }, () => kindOf(create({}))))
    expect(kinds.toSorted()).toEqual([...Array<string>(7).fill('badKnownName'), 'goodAdminUserCreate'])
  })
})

test('an owner gives a team a role, and the team signs in with the new token', async () => {
  const team = await contest.team('Judges')
  const response = await set(team.id, roles.judge)
  expect(response.kind).toBe('goodOrganiserUpdate')
  expect(await isAccepted(team)).toBe(false)
  const { token: teamToken } = response.data as { token: string }
  const signedIn = await contest.call(login, { body: { teamToken } })
  expect(signedIn.kind).toBe('goodLogin')
  expect((await organisers()).map(({ id, perms }) => [id, roleOf(perms)])).toEqual(
    expect.arrayContaining([
      [team.id, 'judge'],
      [owner.id, 'owner'],
    ]),
  )
  expect(await organisers()).toHaveLength(2)
})

test('permissions that are set already change nothing, and no token is issued', async () => {
  const judge = await contest.admin(roles.judge)
  expect(await set(judge.id, roles.judge)).toMatchObject({ data: { token: null } })
  expect(await isAccepted(judge)).toBe(true)
})

test('removing all permissions signs the former organiser out', async () => {
  const judge = await contest.admin(roles.judge)
  expect(await kindOf(set(judge.id, 0))).toBe('goodOrganiserUpdate')
  expect([await isAccepted(judge), permsOf(judge.id)]).toEqual([false, 0])
  expect((await organisers()).map(({ id }) => id)).toEqual([owner.id])
})

test('the last owner keeps all permissions', async () => {
  expect(await kindOf(set(owner.id, roles.author))).toBe('badLastOwner')
  expect(await kindOf(set(owner.id, 0))).toBe('badLastOwner')
  expect([await isAccepted(owner), permsOf(owner.id)]).toEqual([true, ALL_PERMISSIONS])
  const other = await contest.team()
  await set(other.id, ALL_PERMISSIONS)
  expect(await kindOf(set(owner.id, roles.author))).toBe('goodOrganiserUpdate')
})

test('of two owners who remove each other at the same time, one stays', async () => {
  for (let round = 0; round < 5; round += 1) {
    const other = await contest.admin()
    const outcomes = await Promise.all([kindOf(set(other.id, 0)), kindOf(set(owner.id, 0, other))])
    expect(outcomes.toSorted()).toEqual(['badPerms', 'goodOrganiserUpdate'])
    const [row] = await contest.db.query<{ count: number }>(
      sql`select count(*)::int from teams where perms = ${ALL_PERMISSIONS}`,
    )
    expect(row?.count).toBe(1)
    if (outcomes[1] === 'goodOrganiserUpdate') owner = other
  }
})

test.each([roles.author, roles.judge, roles.support, ALL_PERMISSIONS - 1])(
  'an organiser with the permissions %i cannot manage organisers',
  async (perms) => {
    const organiser = await contest.admin(perms)
    expect(await kindOf(contest.call(listOrganisers, { token: organiser.token }))).toBe('badPerms')
    expect(await kindOf(set(organiser.id, ALL_PERMISSIONS, organiser))).toBe('badPerms')
    expect(permsOf(organiser.id)).toBe(perms)
  },
)

test('refuses unknown teams and permissions that do not exist', async () => {
  expect(await kindOf(set('00000000-0000-4000-8000-000000000000', 1))).toBe('badUnknownUser')
  const team = await contest.team()
  for (const perms of [-1, 128, 1.5]) expect(await kindOf(set(team.id, perms))).toBe('badBody')
})

test('every change is recorded', async () => {
  const team = await contest.team()
  await set(team.id, roles.support)
  await set(team.id, roles.support)
  const recorded = await contest.db.query(sql`
    select actor_id as "actorId", action, keys from admin_actions where target = ${team.id}`)
  expect(recorded).toEqual([{ actorId: owner.id, action: 'organiser.update', keys: ['perms'] }])
})
