import { login } from '@pennant/contract/accounts.ts'
import { listActions, undoAction } from '@pennant/contract/actions.ts'
import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { updateTeam } from '@pennant/contract/admin-teams.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import * as contract from '@pennant/contract/people.ts'
import { permissions } from '@pennant/contract/permissions.ts'
import type { SentOf } from '@pennant/contract/route.ts'
import { readOwnProfileV2 } from '@pennant/contract/teams.ts'
import { registerV2 } from '@pennant/contract/accounts.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { filterSubmissions } from '@pennant/contract/admin-submissions.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { putChallenge, putSettings, putTracks } from '../../../../test/contest-data.ts'
import { challengeRow } from '../../../../test/contest-rows.ts'
import { personIn, teamless } from '../../../../test/people.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'

let contest: Contest
let admin: Member
beforeAll(async () => {
  contest = await startContest({
    config: { people: { maxTeamSize: 3, lockAt: Date.UTC(2030, 4, 2, 20) } },
  })
  admin = await contest.admin()
})
afterAll(() => contest[Symbol.asyncDispose]())

async function linkOf({ token }: Member): Promise<string> {
  const made = await contest.call(contract.setJoinLink, { token, body: { isOn: true } })
  if (made.kind !== 'goodTeamPeople' || made.data.joinCode === null) throw new Error(made.kind)
  return made.data.joinCode
}

const join = ({ token }: Member, code: string) => contest.call(contract.joinTeam, { token, body: { code } })
const leave = ({ token }: Member) => contest.call(contract.leaveTeam, { token })
const peopleOf = ({ token }: Member) => contest.call(contract.listTeamPeople, { token })
const profileOf = ({ token }: Member) => contest.call(readOwnProfileV2, { token })

describe('a person', () => {
  test('in no team creates one and is its captain', async () => {
    const person = await teamless(contest, { name: 'Ada' })
    const { token } = person
    expect(await contest.call(contract.readMe, { token })).toMatchObject({
      kind: 'goodPerson',
      data: { person: { name: 'Ada' }, team: null, mayCreateTeam: true, mayJoin: true, mayLeave: false },
    })
    expect((await profileOf(person)).kind).toBe('badNoTeam')
    const create = (body: SentOf<typeof contract.createOwnTeam>['body']) =>
      contest.call(contract.createOwnTeam, { token, body })
    expect((await create({})).kind).toBe('badBody')
    expect((await create({ name: 'x' })).kind).toBe('badName')
    expect((await create({ name: 'Lovelaces', division: 'nowhere' })).kind).toBe('badDivisionNotAllowed')
    await contest.team('Taken name')
    const known = await create({ name: 'taken name' })
    expect(known.kind).toBe('badKnownName')
    await putTracks(contest.db)
    await contest.app.stores.follower.catchUp()
    const agent = { operator: 'Lab', model: 'M-1' }
    expect((await create({ name: 'Lovelaces', declared: { track: 'nowhere' } })).kind).toBe('badTrack')
    expect((await create({ name: 'Lovelaces', declared: { track: 'human', agent } })).kind).toBe(
      'badTrackAgent',
    )
    expect((await create({ name: 'Lovelaces', declared: { track: 'guest' } })).kind).toBe('goodPlace')
    expect([...contest.world().teams()].find(({ name }) => name === 'Lovelaces')?.track).toBe('guest')
    await putSettings(contest.db, {})
    expect((await create({ name: 'Lovelaces 2' })).kind).toBe('badInTeam')
    expect(await profileOf(person)).toMatchObject({ kind: 'goodUserSelfData', data: { name: 'Lovelaces' } })
    expect(await peopleOf(person)).toMatchObject({
      data: { people: [{ name: 'Ada', isCaptain: true }], mayManage: true },
    })
  })

  test('has a name without characters that hide or reorder', async () => {
    const { token } = await teamless(contest)
    const rename = (name: string) => contest.call(contract.updateMe, { token, body: { name } })
    expect((await rename('Eve\u202e')).kind).toBe('badBody')
    expect((await rename('Eve\u061c')).kind).toBe('badBody')
    expect((await rename(' ')).kind).toBe('badBody')
    expect(await rename(' Zoë ')).toMatchObject({
      kind: 'goodPersonUpdate',
      data: { person: { name: 'Zoë' } },
    })
  })

  test('joins by the link until the team is full, and leaves', async () => {
    const team = await contest.team()
    const code = await linkOf(team)
    expect(code).toMatch(/^[a-z2-9]{16}$/)
    const [one, two, three, four] = await Promise.all([1, 2, 3, 4].map(() => teamless(contest)))
    expect((await join(one!, 'aaaaaaaaaaaaaaaa')).kind).toBe('badJoinCode')
    const unknown = { body: { code: 'aaaaaaaaaaaaaaaa' } }
    expect((await contest.call(contract.askJoin, unknown)).kind).toBe('badJoinCode')
    expect((await join(one!, code.toUpperCase())).kind).toBe('goodPlace')
    expect((await join(one!, code)).kind).toBe('badInTeam')
    expect((await join(two!, code)).kind).toBe('goodPlace')
    expect((await join(three!, code)).kind).toBe('goodPlace')
    expect((await join(four!, code)).kind).toBe('badTeamFull')
    expect(await contest.call(contract.askJoin, { body: { code } })).toMatchObject({ data: { isFull: true } })
    expect((await leave(two!)).kind).toBe('goodLeave')
    expect((await leave(two!)).kind).toBe('badNotInTeam')
    expect((await profileOf(two!)).kind).toBe('badNoTeam')
    expect((await join(four!, code)).kind).toBe('goodPlace')
  })

  test('without a place sees no team, and a team no other people', async () => {
    const { token } = await teamless(contest)
    expect((await contest.call(contract.listTeamPeople, { token })).kind).toBe('badNoTeam')
    const team = await contest.team()
    const other = await personIn(contest, (await contest.team()).id)
    const remove = { token: team.token, params: { id: other.id } }
    expect((await contest.call(contract.removeTeamPerson, remove)).kind).toBe('badNotInTeam')
    const captain = { token: team.token, body: { id: other.id } }
    expect((await contest.call(contract.setCaptain, captain)).kind).toBe('badNotInTeam')
  })
})

describe('a team', () => {
  test('is managed by its captain, who hands over before leaving', async () => {
    const team = await contest.team()
    const captain = await personIn(contest, team.id, { isCaptain: true })
    const member = await personIn(contest, team.id)
    expect(
      (await contest.call(contract.setJoinLink, { token: member.token, body: { isOn: true } })).kind,
    ).toBe('badPerms')
    const first = await linkOf(captain)
    expect(await peopleOf(member)).toMatchObject({ data: { joinCode: first, mayManage: false } })
    expect(await linkOf(captain)).not.toBe(first)
    expect((await join(await teamless(contest), first)).kind).toBe('badJoinCode')
    expect((await leave(captain)).kind).toBe('badHandOver')
    const handOver = { token: captain.token, body: { id: member.id } }
    expect(await contest.call(contract.setCaptain, handOver)).toMatchObject({
      data: {
        people: [
          { id: member.id, isCaptain: true },
          { id: captain.id, isCaptain: false },
        ],
        mayManage: false,
      },
    })
    expect((await leave(captain)).kind).toBe('goodLeave')
    const remove = { token: member.token, params: { id: member.id } }
    const third = await personIn(contest, team.id)
    expect((await contest.call(contract.removeTeamPerson, remove)).kind).toBe('badHandOver')
    expect((await leave(third)).kind).toBe('goodLeave')
    expect((await contest.call(contract.removeTeamPerson, remove)).kind).toBe('goodTeamPeople')
  })

  test('switches its own token off once a captain can sign in', async () => {
    const team = await contest.team()
    const own = await profileOf(team)
    if (own.kind !== 'goodUserSelfData') throw new Error(own.kind)
    const { teamToken } = own.data
    const set = (token: string, isOn: boolean) =>
      contest.call(contract.setOwnToken, { token, body: { isOn } })
    expect((await set(team.token, false)).kind).toBe('badNoCaptain')
    const captain = await personIn(contest, team.id, { isCaptain: true })
    expect(await set(captain.token, false)).toMatchObject({ data: { tokenOff: true } })
    expect((await profileOf(team)).kind).toBe('badToken')
    expect((await contest.call(login, { body: { teamToken } })).kind).toBe('badTokenVerification')
    expect(await profileOf(captain)).toMatchObject({ data: { teamToken: '' } })
    // An organiser switches it on, and takes that back.
    const data = { tokenOff: false }
    await contest.call(updateTeam, { token: admin.token, params: { id: team.id }, body: { data } })
    expect((await profileOf(team)).kind).toBe('goodUserSelfData')
    expect((await undoNewest()).kind).toBe('goodActionUndo')
    expect((await profileOf(team)).kind).toBe('badToken')
  })
})

async function undoNewest() {
  const { token } = admin
  const { data } = await contest.call(listActions, { token, query: { limit: '1' } })
  const [newest] = (data as { actions: { seq: number }[] }).actions
  return await contest.call(undoAction, { token, params: { id: String(newest?.seq) } })
}

describe('organisers', () => {
  const update = (id: string, data: object) =>
    contest.call(contract.updatePerson, { token: admin.token, params: { id }, body: { data } })

  test('find people, move them and undo it', async () => {
    const [from, to] = [await contest.team('Fromage'), await contest.team('Topaz')]
    const person = await personIn(contest, from.id, { name: 'Grace Hopper', isCaptain: true })
    const list = (query: object) =>
      contest.call(contract.listPeople, { token: admin.token, query: { limit: '10', offset: '0', ...query } })
    expect(await list({ search: 'HOPPER' })).toMatchObject({
      data: { total: 1, people: [{ id: person.id, teamName: 'Fromage' }] },
    })
    expect(await list({ search: 'fromage' })).toMatchObject({ data: { total: 1 } })
    expect(await update(person.id, { teamId: to.id })).toMatchObject({
      data: { person: { teamId: to.id, isCaptain: false } },
    })
    expect((await undoNewest()).kind).toBe('goodActionUndo')
    expect(await list({ teamId: from.id })).toMatchObject({
      data: { people: [{ id: person.id, isCaptain: true }] },
    })
    expect((await update(person.id, { teamId: 'none' })).kind).toBe('badUnknownUser')
    expect((await update(person.id, { teamId: admin.id })).kind).toBe('badUserPrivileged')
    expect((await update(person.id, { teamId: null, isCaptain: true })).kind).toBe('badNotInTeam')
    expect(await update(person.id, { teamId: null, name: 'Grace' })).toMatchObject({
      data: { person: { teamId: null, name: 'Grace' } },
    })
  })

  test('end sessions and delete, except of other organisers', async () => {
    const person = await personIn(contest, (await contest.team()).id)
    const params = { id: person.id }
    const { token } = admin
    expect((await contest.call(contract.signOutPerson, { token, params })).kind).toBe(
      'goodAdminPersonSignOut',
    )
    expect((await contest.call(contract.readMe, { token: person.token })).kind).toBe('badToken')
    expect((await contest.call(contract.deletePerson, { token, params })).kind).toBe('goodAdminPersonDelete')
    expect((await contest.call(contract.deletePerson, { token, params })).kind).toBe('badPerson')
    const organiser = await personIn(contest, admin.id)
    const other = { token, params: { id: organiser.id } }
    expect((await contest.call(contract.deletePerson, other)).kind).toBe('badUserPrivileged')
    expect((await contest.call(contract.signOutPerson, other)).kind).toBe('badUserPrivileged')
  })

  test('see who of a team submitted a flag', async () => {
    await putChallenge(contest.db, challengeRow('named'))
    const team = await contest.team()
    const person = await personIn(contest, team.id, { name: 'Alan' })
    const submit = ({ token }: Member) =>
      contest.call(submitFlag, { token, params: { id: 'named' }, body: { flag: 'wrong' } })
    await submit(person)
    await submit(team)
    const query = { limit: '10', offset: '0', sortOrder: 'asc' as const }
    const body = { team: { include: [team.id] } }
    const { data } = await contest.call(filterSubmissions, { token: admin.token, query, body })
    const rows = (data as { submissions: { person?: object }[] }).submissions
    expect(rows.map((row) => row.person)).toEqual([{ id: person.id, name: 'Alan' }, undefined])
  })

  test('need the permission', async () => {
    const { token } = await contest.admin(permissions.challsRead)
    const query = { limit: '10', offset: '0' }
    expect((await contest.call(contract.listPeople, { token, query })).kind).toBe('badPerms')
  })
})

test('after the lock players stay where they are, and organisers still move them', async () => {
  const team = await contest.team()
  const code = await linkOf(team)
  const member = await personIn(contest, team.id, { lifeMs: 48 * HOUR_MS })
  const other = await teamless(contest, { lifeMs: 48 * HOUR_MS })
  contest.clock.advance(10 * HOUR_MS)
  expect((await join(other, code)).kind).toBe('badTeamLocked')
  expect((await leave(member)).kind).toBe('badTeamLocked')
  const remove = { token: team.token, params: { id: member.id } }
  expect((await contest.call(contract.removeTeamPerson, remove)).kind).toBe('badTeamLocked')
  const data = { teamId: team.id }
  const moved = { token: admin.token, params: { id: other.id }, body: { data } }
  expect((await contest.call(contract.updatePerson, moved)).kind).toBe('goodAdminPersonUpdate')
})

test('with people off nothing of it is there', async () => {
  await using off = await startContest({ config: { people: 'off' } })
  const team = await off.team()
  const { token } = await teamless(off)
  expect((await off.call(contract.readMe, { token })).kind).toBe('badToken')
  expect((await off.call(contract.listTeamPeople, { token: team.token })).kind).toBe('badEndpoint')
  expect((await off.call(contract.askJoin, { body: { code: 'x' } })).kind).toBe('badEndpoint')
  const own = { token: team.token }
  const [isOn, params] = [{ isOn: true }, { id: 'x' }]
  const organiser = { token: (await off.admin()).token }
  const answers = [
    await off.call(contract.setJoinLink, { ...own, body: isOn }),
    await off.call(contract.removeTeamPerson, { ...own, params }),
    await off.call(contract.setCaptain, { ...own, body: params }),
    await off.call(contract.setOwnToken, { ...own, body: isOn }),
    await off.call(contract.listPeople, { ...organiser, query: { limit: '1', offset: '0' } }),
    await off.call(contract.updatePerson, { ...organiser, params, body: { data: { name: 'Eve' } } }),
    await off.call(contract.signOutPerson, { ...organiser, params }),
    await off.call(contract.deletePerson, { ...organiser, params }),
  ]
  expect(answers.map(({ kind }) => kind)).toEqual(answers.map(() => 'badEndpoint'))
})

test('with people required, tokens of teams are refused except those of organisers', async () => {
  await using strict = await startContest({ config: { people: 'required' } })
  const team = await strict.team()
  const organiser = await strict.admin()
  expect((await strict.call(readOwnProfileV2, { token: team.token })).kind).toBe('badToken')
  expect((await strict.call(readOwnProfileV2, { token: organiser.token })).kind).toBe('goodUserSelfData')
  const body = { name: 'New', email: 'new@ctf.example' }
  expect((await strict.call(registerV2, { body })).kind).toBe('badRegistrationsDisabled')
  const { token } = await personIn(strict, team.id)
  expect((await strict.call(readOwnProfileV2, { token })).kind).toBe('goodUserSelfData')
})

test('in an event for individuals each person is a team with the same name', async () => {
  await using solo = await startContest({ config: { people: { individual: true } } })
  const create = async (name: string) => {
    const { token } = await teamless(solo, { name })
    return await solo.call(contract.createOwnTeam, { token, body: {} })
  }
  expect(await create('Ada')).toMatchObject({ data: { team: { name: 'Ada' } } })
  expect(await create('Ada')).toMatchObject({
    data: { team: { name: expect.stringMatching(/^Ada \w{6}$/) } },
  })
  expect(await create('アダ')).toMatchObject({
    data: { team: { name: expect.stringMatching(/^Player \w{6}$/) } },
  })
  const { token } = await teamless(solo)
  expect((await solo.call(contract.joinTeam, { token, body: { code: 'x' } })).kind).toBe('badEndpoint')
  expect((await solo.call(contract.leaveTeam, { token })).kind).toBe('badEndpoint')
})

test('a person creates a team under the rules of registration', async () => {
  await using strict = await startContest()
  const { token: organiser } = await strict.admin()
  const { token } = await teamless(strict)
  const rule = (data: object) => strict.call(updateSettings, { token: organiser, body: { data } })
  const create = async (registrationCode?: string) => {
    const body = { name: 'Crew', ...(registrationCode && { registrationCode }) }
    return (await strict.call(contract.createOwnTeam, { token, body })).kind
  }
  await rule({ registrationMode: 'closed' })
  expect(await create()).toBe('badRegistrationsDisabled')
  await rule({ registrationMode: 'code' })
  expect(await create('AAAA-BBBB-CCCC-DDDD')).toBe('badRegistrationCode')
  await rule({ registrationMode: 'open', maxTeams: 1 })
  await strict.team()
  expect(await create()).toBe('badRegistrationsFull')
})

test('an organiser changes no person who does not exist', async () => {
  const request = { token: admin.token, params: { id: 'x' }, body: { data: { name: 'Eve' } } }
  expect((await contest.call(contract.updatePerson, request)).kind).toBe('badPerson')
})
