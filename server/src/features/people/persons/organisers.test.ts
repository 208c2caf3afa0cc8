import { listActions, undoAction } from '@pennant/contract/actions.ts'
import { listOrganisers, setOrganiser } from '@pennant/contract/admin-organisers.ts'
import * as contract from '@pennant/contract/organiser-people.ts'
import { joinTeam, readMe, setJoinLink, listTeamPeople } from '@pennant/contract/people.ts'
import { ALL_PERMISSIONS, roles } from '@pennant/contract/permissions.ts'
import { readSignInWays, useSignInLink } from '@pennant/contract/sign-in.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { personIn, teamless } from '../../../../test/people.ts'

let contest: Contest
let owners: Member
let owner: Member

beforeAll(async () => {
  contest = await startContest({ config: { people: { maxTeamSize: 12 } } })
  owners = await contest.admin()
  owner = await personIn(contest, owners.id, { name: 'Grace' })
})
afterAll(() => contest[Symbol.asyncDispose]())

const permsOf = async ({ token }: Member) =>
  ((await contest.call(readMe, { token })).data as { perms: number }).perms
const setPerms = (id: string, perms: number | null, by = owner) =>
  contest.call(contract.setPersonPermissions, { token: by.token, params: { id }, body: { data: { perms } } })

async function peopleNow() {
  const { data } = await contest.call(contract.listOrganiserPeople, { token: owner.token })
  return (data as { people: { id: string; perms: number; ownPerms: number | null }[] }).people
}

test('who joins organisers by the link of the team has no permissions until an owner gives them', async () => {
  const { data } = await contest.call(setJoinLink, { token: owners.token, body: { isOn: true } })
  const newcomer = await teamless(contest)
  const body = { code: (data as { joinCode: string }).joinCode }
  expect((await contest.call(joinTeam, { token: newcomer.token, body })).kind).toBe('goodPlace')
  expect(await permsOf(newcomer)).toBe(0)
  expect((await contest.call(listOrganisers, { token: newcomer.token })).kind).toBe('badPerms')
  expect((await setPerms(newcomer.id, roles.judge)).kind).toBe('goodOrganiserPersonUpdate')
  expect(await permsOf(newcomer)).toBe(roles.judge)
  expect(await peopleNow()).toContainEqual(
    expect.objectContaining({ id: newcomer.id, perms: roles.judge, ownPerms: roles.judge, passkeys: 0 }),
  )
  await setPerms(newcomer.id, null)
  expect(await permsOf(newcomer)).toBe(ALL_PERMISSIONS)
  const log = await contest.call(listActions, { token: owner.token, query: { limit: '1' } })
  const [action] = (log.data as { actions: { seq: number; action: string }[] }).actions
  expect(action?.action).toBe('organiser.set-person')
  expect(
    await contest.call(undoAction, { token: owner.token, params: { id: String(action?.seq) } }),
  ).toMatchObject({ kind: 'goodActionUndo' })
  expect(await permsOf(newcomer)).toBe(roles.judge)
})

test('people of a team that becomes one of organisers have no permissions until an owner gives them', async () => {
  const team = await contest.team()
  const person = await personIn(contest, team.id)
  const perms = roles.support
  await contest.call(setOrganiser, { token: owner.token, params: { id: team.id }, body: { data: { perms } } })
  expect(await permsOf(person)).toBe(0)
  await setPerms(person.id, ALL_PERMISSIONS)
  // A part of what the team has, whatever was given.
  expect(await permsOf(person)).toBe(roles.support)
})

test('an owner adds a person, whose link signs in', async () => {
  const add = (id: string) =>
    contest.call(contract.addOrganiserPerson, {
      token: owner.token,
      params: { id },
      body: { data: { name: 'Linus', perms: roles.author } },
    })
  const made = await add(owners.id)
  const { link } = made.data as { link: string }
  const token = decodeURIComponent(link.split('#token=')[1] ?? '')
  const signedIn = await contest.call(useSignInLink, { body: { token } })
  const { authToken, person } = signedIn.data as { authToken: string; person: { id: string } }
  expect(await permsOf({ id: person.id, token: authToken })).toBe(roles.author)
  expect((await add('none')).kind).toBe('badUnknownUser')
  expect((await add((await contest.team()).id)).kind).toBe('badNoOrganisers')
  const full = await contest.admin(1)
  for (let made_ = 0; made_ < 12; made_ += 1) await personIn(contest, full.id)
  expect((await add(full.id)).kind).toBe('badTeamFull')
})

test('no one changes themselves, or someone who is no organiser', async () => {
  expect((await setPerms(owner.id, 0)).kind).toBe('badOwnPermissions')
  const player = await personIn(contest, (await contest.team()).id)
  expect((await setPerms(player.id, 1)).kind).toBe('badPerson')
  expect((await setPerms((await teamless(contest)).id, 1)).kind).toBe('badPerson')
  const reset = (id: string) =>
    contest.call(contract.resetSecondFactor, { token: owner.token, params: { id } })
  expect((await reset(owner.id)).kind).toBe('badOwnPermissions')
  expect((await reset(player.id)).kind).toBe('badPerson')
  const judge = await personIn(contest, owners.id, { perms: roles.judge })
  expect((await setPerms(judge.id, null, judge)).kind).toBe('badPerms')
})

test('who lost their second factor begins again', async () => {
  const person = await personIn(contest, owners.id)
  await contest.db.query(sql`
    insert into passkeys (id, person_id, name, public_key, counter) values ('lost', ${person.id}, 'Lost', '\\x00', 0)`)
  const params = { id: person.id }
  expect((await contest.call(contract.resetSecondFactor, { token: owner.token, params })).kind).toBe(
    'goodSecondFactorReset',
  )
  expect((await contest.call(readSignInWays, { token: person.token })).kind).toBe('badToken')
  expect(await contest.db.query(sql`select 1 from passkeys where id = 'lost'`)).toEqual([])
})

test('owners list the sessions of organisers and end them one by one', async () => {
  const person = await personIn(contest, owners.id, { name: 'Ken' })
  const player = await personIn(contest, (await contest.team()).id)
  const list = async () => {
    const { data } = await contest.call(contract.listOrganiserSessions, { token: owner.token })
    return (data as { sessions: { id: string; person: { id: string; name: string }; isCurrent: boolean }[] })
      .sessions
  }
  const sessions = await list()
  expect(sessions.find(({ isCurrent }) => isCurrent)?.person.id).toBe(owner.id)
  expect(sessions.some((each) => each.person.id === player.id)).toBe(false)
  const id = sessions.find((each) => each.person.id === person.id)?.id ?? ''
  const end = () => contest.call(contract.endOrganiserSession, { token: owner.token, params: { id } })
  expect((await end()).kind).toBe('goodOrganiserSessionEnd')
  expect((await end()).kind).toBe('badSession')
  expect((await contest.call(listTeamPeople, { token: person.token })).kind).toBe('badToken')
  expect((await list()).some((each) => each.id === id)).toBe(false)
})

test('nothing of it is there in an event of teams', async () => {
  await using off = await startContest({ config: { people: 'off' } })
  const { token } = await off.admin()
  const params = { id: 'none' }
  const kinds = await Promise.all([
    off.call(contract.listOrganiserPeople, { token }),
    off.call(contract.listOrganiserSessions, { token }),
    off.call(contract.addOrganiserPerson, { token, params, body: { data: { name: 'Ada', perms: 0 } } }),
    off.call(contract.setPersonPermissions, { token, params, body: { data: { perms: 0 } } }),
    off.call(contract.resetSecondFactor, { token, params }),
    off.call(contract.endOrganiserSession, { token, params }),
  ])
  expect(new Set(kinds.map(({ kind }) => kind))).toEqual(new Set(['badEndpoint']))
})
