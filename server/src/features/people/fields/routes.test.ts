import { registerV1, registerV2, verifyV2 } from '@pennant/contract/accounts.ts'
import { getClientConfigV2 } from '@pennant/contract/client-config.ts'
import type { CustomField } from '@pennant/contract/custom-field-values.ts'
import * as contract from '@pennant/contract/custom-fields.ts'
import * as people from '@pennant/contract/people.ts'
import { approveRegistrations, importTeams, listRegistrations } from '@pennant/contract/registration.ts'
import { useSignInLink as requestSignIn, askSignInMail } from '@pennant/contract/sign-in.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { saveFields, textField } from '../../../../test/fields.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { tokenMailedTo, withMail } from '../../../../test/mail.ts'
import { personIn, teamless } from '../../../../test/people.ts'

let contest: Contest
let admin: Member
beforeEach(async () => {
  contest = await startContest()
  admin = await contest.admin()
})
afterEach(() => contest[Symbol.asyncDispose]())

const save = async (data: object) => {
  const response = await saveFields(contest, admin, { data })
  expect(response.kind).toBe('goodAdminSettingsUpdate')
}
const school = textField('school', { required: true })
const consent = textField('rules', { kind: 'consent', version: 1, required: true, asked: 'later' } as never)
const born = textField('born', { kind: 'date', of: 'person', required: true, visible: 'team' } as never)
const nick = textField('nick', { of: 'person', asked: 'later', visible: 'everyone' })
const diet = textField('diet', { of: 'person', asked: 'later' })
const city = textField('city', { asked: 'later', visible: 'everyone' })

const register = (name: string, fields?: Record<string, string>) =>
  contest.call(registerV2, { body: { name, email: `${name}@crews.test`, ...(fields && { fields }) } })
const readTeam = ({ token }: Member) => contest.call(contract.readTeamAnswers, { token })
const writeTeam = ({ token }: Member, fields: Record<string, string>) =>
  contest.call(contract.writeTeamAnswers, { token, body: { fields } })
const readPerson = ({ token }: Member) => contest.call(contract.readPersonAnswers, { token })
const writePerson = ({ token }: Member, fields: Record<string, string>) =>
  contest.call(contract.writePersonAnswers, { token, body: { fields } })
async function adminAnswers(teams: string[], of: string[] = []) {
  const body = { data: { teams, people: of } }
  const response = await contest.call(contract.listAnswers, { token: admin.token, body })
  if (response.kind !== 'goodAdminAnswers') throw new Error(response.kind)
  return response.data
}
const stored = (name: string) =>
  contest.db.query(
    sql`select field, value from field_answers join teams on teams.id = team_id where name = ${name} order by field`,
  )

describe('at registration', () => {
  test('a team without required answers is refused with reasons, and one with them has them', async () => {
    await save({ fields: [school, city] })
    expect(await contest.call(getClientConfigV2, {})).toMatchObject({ data: { fields: true } })
    expect(await register('crew')).toMatchObject({
      kind: 'badFieldAnswers',
      data: { problems: [{ field: 'school', label: 'Label of school', problem: 'missing' }] },
    })
    const v1 = await contest.call(registerV1, { body: { name: 'old', email: 'old@crews.test' } })
    expect(v1.kind).toBe('badFieldAnswers')
    expect(await register('crew', { school: 'Hill School', city: 'x' })).toMatchObject({
      data: { problems: [{ field: 'city', problem: 'unknown' }] },
    })
    expect((await register('crew', { school: 'Hill School' })).kind).toBe('goodRegisterV2')
    expect(await stored('crew')).toEqual([{ field: 'school', value: 'Hill School' }])
  })

  test('answers wait with a registration until organisers approve it', async () => {
    await save({ fields: [school], registrationMode: 'approval' })
    expect((await register('crew', { school: 'Hill School' })).kind).toBe('goodRegistrationPending')
    const list = await contest.call(listRegistrations, {
      token: admin.token,
      query: { limit: '10', offset: '0' },
    })
    const ids = list.kind === 'goodRegistrations' ? list.data.registrations.map(({ id }) => id) : []
    await contest.call(approveRegistrations, { token: admin.token, body: { data: { ids } } })
    expect(await stored('crew')).toEqual([{ field: 'school', value: 'Hill School' }])
    expect(await contest.db.query(sql`select 1 from registration_requests where fields is not null`)).toEqual(
      [],
    )
  })

  test('answers wait for the proof of the address', async () => {
    await using mailing = await startContest({ config: withMail })
    const organiser = await mailing.admin()
    await saveFields(mailing, organiser, { data: { fields: [school] } })
    const body = { name: 'crew', email: 'crew@crews.test', fields: { school: 'Hill School' } }
    expect((await mailing.call(registerV2, { body })).kind).toBe('goodVerifySent')
    const verifyToken = await tokenMailedTo(mailing, 'crew@crews.test')
    expect((await mailing.call(verifyV2, { body: { verifyToken } })).kind).toBe('goodRegisterV2')
    expect(await mailing.db.query(sql`select value from field_answers`)).toEqual([{ value: 'Hill School' }])
  })

  test('a person who creates or joins a team answers for both', async () => {
    await save({ fields: [school, born] })
    const [ada, bob] = [await teamless(contest, { name: 'Ada' }), await teamless(contest, { name: 'Bob' })]
    const create = (body: object) =>
      contest.call(people.createOwnTeam, { token: ada.token, body: { name: 'Lovelaces', ...body } })
    expect((await create({})).kind).toBe('badFieldAnswers')
    expect((await create({ fields: { school: 'Hill' } })).kind).toBe('badFieldAnswers')
    const made = await create({ fields: { school: 'Hill' }, personFields: { born: '2010-01-01' } })
    expect(made.kind).toBe('goodPlace')
    const link = await contest.call(people.setJoinLink, { token: ada.token, body: { isOn: true } })
    const code = link.kind === 'goodTeamPeople' ? (link.data.joinCode ?? '') : ''
    const join = (body: object) =>
      contest.call(people.joinTeam, { token: bob.token, body: { code, ...body } })
    expect((await join({})).kind).toBe('badFieldAnswers')
    expect((await join({ personFields: { born: '2010-02-30' } })).kind).toBe('badFieldAnswers')
    expect((await join({ personFields: { born: '2011-01-01' } })).kind).toBe('goodPlace')
    expect(await readPerson(bob)).toMatchObject({ data: { answers: { born: '2011-01-01' }, missing: [] } })
  })

  test('the first sign-in of a person asks too', async () => {
    await using mailing = await startContest({ config: withMail })
    await saveFields(mailing, await mailing.admin(), { data: { fields: [born] } })
    await mailing.call(askSignInMail, { body: { email: 'ada@people.test' } })
    const token = await tokenMailedTo(mailing, 'ada@people.test')
    const arrive = (more: object) => mailing.call(requestSignIn, { body: { token, name: 'Ada', ...more } })
    expect((await arrive({})).kind).toBe('badFieldAnswers')
    expect((await arrive({ personFields: { born: '2010-01-01' } })).kind).toBe('goodPersonSignIn')
    expect(await mailing.db.query(sql`select value from field_answers`)).toEqual([{ value: '2010-01-01' }])
  })

  test('a file of teams has columns of fields', async () => {
    await save({ fields: [school, born] })
    const load = (csv: string) =>
      contest.call(importTeams, { token: admin.token, body: { data: { csv, dryRun: false } } })
    const bad = await load('name,email,born\nA team,a@crews.test,2010-01-01\n')
    expect(bad).toMatchObject({ data: { problems: [{ column: 'born', problem: 'unknownColumn' }] } })
    const long = await load(`name,email,school\nA team,a@crews.test,${'x'.repeat(501)}\n`)
    expect(long).toMatchObject({ data: { problems: [{ line: 2, column: 'school', problem: 'badAnswer' }] } })
    const good = await load('name,email,school\nA team,a@crews.test,Hill\nB team,b@crews.test,\n')
    expect(good).toMatchObject({ data: { created: true } })
    expect(await stored('A team')).toEqual([{ field: 'school', value: 'Hill' }])
    expect(await stored('B team')).toEqual([])
  })
})

describe('later', () => {
  test('a team sees what is missing, answers, and accepts each version of a consent', async () => {
    const team = await contest.team('crew')
    await save({ fields: [city, consent] })
    expect(await readTeam(team)).toMatchObject({ data: { answers: {}, missing: ['rules'] } })
    expect(await writeTeam(team, { city: 'Oslo', rules: '2' })).toMatchObject({
      kind: 'badFieldAnswers',
      data: { problems: [{ field: 'rules', problem: 'consent' }] },
    })
    expect(await writeTeam(team, { city: 'Oslo', rules: '1' })).toMatchObject({
      data: { answers: { city: 'Oslo', rules: '1' }, missing: [] },
    })
    await save({ fields: [city, { ...consent, version: 2 }] })
    expect(await readTeam(team)).toMatchObject({ data: { answers: { city: 'Oslo' }, missing: ['rules'] } })
    const person = await personIn(contest, team.id)
    expect((await writeTeam(team, { city: '' })).kind).toBe('goodTeamAnswers')
    const captain = await personIn(contest, team.id, { isCaptain: true })
    expect(await writeTeam(captain, { rules: '2' })).toMatchObject({ data: { missing: [] } })
    const { teams } = await adminAnswers([team.id], [person.id])
    expect(teams).toMatchObject([
      {
        answers: { rules: '2' },
        consents: [
          { field: 'rules', version: 1, person: null },
          { field: 'rules', version: 2, person: captain.id },
        ],
      },
    ])
  })

  test('answers are seen by those whom the field allows', async () => {
    const team = await contest.team('crew')
    const other = await contest.team('other')
    const [captain, member] = [
      await personIn(contest, team.id, { isCaptain: true, name: 'Ada' }),
      await personIn(contest, team.id, { name: 'Bob' }),
    ]
    await save({ fields: [school, city, born, nick, diet] })
    await writeTeam(team, { school: 'secret school', city: 'Oslo' })
    await writePerson(member, { born: '2010-01-01', nick: 'b0b', diet: 'secret diet' })
    // The captain sees what the member answers for the team, not for organisers alone.
    const seen = await readTeam(captain)
    expect(seen).toMatchObject({
      data: {
        answers: { school: 'secret school', city: 'Oslo' },
        people: [
          { name: 'Ada', answers: {} },
          { name: 'Bob', answers: { born: '2010-01-01', nick: 'b0b' } },
        ],
      },
    })
    expect(JSON.stringify(seen)).not.toContain('secret diet')
    const ofMember = await readTeam(member)
    expect(ofMember).toMatchObject({ data: { answers: { city: 'Oslo' }, mayAnswer: ['city'] } })
    expect(JSON.stringify(ofMember)).not.toContain('secret')
    expect((await writeTeam(member, { school: 'mine' })).kind).toBe('badFieldAnswers')
    for (const token of [undefined, other.token]) {
      const request = { params: { id: team.id }, ...(token && { token }) }
      expect(await contest.call(contract.readProfileAnswers, request)).toMatchObject({
        data: {
          answers: [
            { field: 'city', values: ['Oslo'] },
            { field: 'nick', values: ['b0b'] },
          ],
        },
      })
    }
    const unknown = await contest.call(contract.readProfileAnswers, { params: { id: 'nobody' } })
    expect(unknown.kind).toBe('badUnknownUser')
    const listed = async (answer: string) => {
      const query = { limit: '10', offset: '0', field: 'diet', answer }
      const response = await contest.call(people.listPeople, { token: admin.token, query })
      return response.kind === 'goodAdminPeople' ? response.data.people.map(({ name }) => name) : []
    }
    expect(await listed('secret diet')).toEqual(['Bob'])
    expect(await listed('')).toEqual(['Ada'])
    const all = await adminAnswers([team.id], [member.id, 'unknown'])
    expect(all).toMatchObject({
      teams: [{ answers: { school: 'secret school' } }],
      people: [{ id: member.id, answers: { diet: 'secret diet' }, missing: [] }],
    })
  })

  test('a session of a person without a team answers, and tokens of teams do not', async () => {
    await save({ fields: [diet] })
    const person = await teamless(contest)
    expect((await writePerson(person, { diet: 'none' })).kind).toBe('goodPersonAnswers')
    expect((await writePerson(person, { other: 'x' })).kind).toBe('badFieldAnswers')
    expect((await readPerson(await contest.team('crew'))).kind).toBe('badNoPerson')
  })

  test('answers go with the team and the person', async () => {
    const team = await contest.team('crew')
    const person = await personIn(contest, team.id)
    await save({ fields: [city, diet] })
    await writeTeam(team, { city: 'Oslo' })
    await writePerson(person, { diet: 'none' })
    await contest.call(people.deletePerson, { token: admin.token, params: { id: person.id } })
    expect(await contest.db.query(sql`select field from field_answers`)).toEqual([{ field: 'city' }])
    await contest.db.query(sql`delete from teams where id = ${team.id}`)
    expect(await contest.db.query(sql`select field from field_answers`)).toEqual([])
  })
})

describe('definitions', () => {
  const counts = async () => {
    const response = await contest.call(contract.readAdminFields, { token: admin.token })
    return response.kind === 'goodAdminFields' ? response.data : null
  }

  test('keep answers when they are renamed, and name the answers that a deletion takes', async () => {
    const team = await contest.team('crew')
    await save({ fields: [city, consent] })
    await writeTeam(team, { city: 'Oslo', rules: '1' })
    const renamed: CustomField = { ...city, texts: [{ language: 'de', label: 'Stadt' }] }
    await save({ fields: [renamed, consent] })
    expect(await counts()).toMatchObject({ fields: [renamed, consent], answers: { city: 1, rules: 1 } })
    const refused = await saveFields(contest, admin, { data: { fields: [consent] } })
    expect(refused).toMatchObject({ kind: 'badFieldChange', data: { deleted: 1, unfitting: [] } })
    expect((await saveFields(contest, admin, { data: { fields: [consent] }, deletedAnswers: 1 })).kind).toBe(
      'goodAdminSettingsUpdate',
    )
    expect(await counts()).toMatchObject({ answers: { rules: 1 } })
    // A new field with the old id starts empty, in memory too.
    await save({ fields: [city, consent] })
    expect(await readTeam(team)).toMatchObject({ data: { answers: { rules: '1' } } })
  })

  test('do not change into kinds that answers do not fit', async () => {
    const team = await contest.team('crew')
    await save({ fields: [city] })
    await writeTeam(team, { city: 'Oslo' })
    for (const field of [
      { ...city, kind: 'number' },
      { ...city, of: 'person' },
      { ...city, maxLength: 3 },
      { ...city, kind: 'consent', version: 1 },
    ])
      expect(await saveFields(contest, admin, { data: { fields: [field] } })).toMatchObject({
        kind: 'badFieldChange',
        data: { deleted: 0, unfitting: [{ field: 'city', answers: 1 }] },
      })
    await save({ fields: [{ ...city, kind: 'choice', choices: ['Oslo', 'Rome'] }] })
    expect(await contest.call(contract.listFields, {})).toMatchObject({
      data: { fields: [{ kind: 'choice' }] },
    })
  })

  test('of the deployment apply where organisers have set none', async () => {
    await using deployed = await startContest({ config: { fields: [city] } })
    expect(await deployed.call(contract.listFields, {})).toMatchObject({ data: { fields: [{ id: 'city' }] } })
    const organiser = await deployed.admin()
    const saved = await saveFields(deployed, organiser, { data: { fields: [] } })
    expect(saved).toMatchObject({
      data: { overrides: { fields: [] }, defaults: { fields: [{ id: 'city' }] } },
    })
    expect(await deployed.call(contract.listFields, {})).toMatchObject({ data: { fields: [] } })
  })

  test('are not asked of people where there are none', async () => {
    await using deployed = await startContest({ config: { people: 'off', fields: [born] } })
    const team = await deployed.team('crew')
    expect(await deployed.call(contract.readTeamAnswers, { token: team.token })).toMatchObject({
      data: { people: [], missing: [] },
    })
  })
})

test('another process has the answers', async () => {
  await using replica = await startContest({ beside: contest })
  const team = await contest.team('crew')
  await save({ fields: [city] })
  await writeTeam(team, { city: 'Oslo' })
  await eventually(async () => {
    const seen = await replica.call(contract.readProfileAnswers, { params: { id: team.id } })
    expect(seen).toMatchObject({ data: { answers: [{ values: ['Oslo'] }] } })
  })
})
