import { listAdminInstances } from '@pennant/contract/admin-instances.ts'
import { filterSubmissions } from '@pennant/contract/admin-submissions.ts'
import { revokeApiToken } from '@pennant/contract/api-tokens.ts'
import { eraseTeam } from '@pennant/contract/personal-data.ts'
import { buyHint, createHint } from '@pennant/contract/hints.ts'
import { FIRST_INSTANT } from '@pennant/contract/instants.ts'
import { extendInstance, startInstance, stopInstance } from '@pennant/contract/instances.ts'
import * as messages from '@pennant/contract/messages.ts'
import * as contract from '@pennant/contract/people.ts'
import { permissions } from '@pennant/contract/permissions.ts'
import { createScoreAdjustment } from '@pennant/contract/score-adjustments.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiTokenOf } from '../../../../test/api-tokens.ts'
import { botConfig, botSettings, submit } from '../../../../test/bot-contest.ts'
import { asTeam } from '../../../../test/acting.ts'
import { putChallenge } from '../../../../test/contest-data.ts'
import { challengeRow } from '../../../../test/contest-rows.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { answer, ask, adminThread } from '../../../../test/message-threads.ts'
import { personIn } from '../../../../test/people.ts'
import { recordInstanceAction } from '../../engines/instances/actions.ts'

const config = { ...botConfig, instancers: { local: { name: 'instancers/memory' } } }
const box = { challengeIntegrationId: 'box', config: {}, expose: [], timeoutMilliseconds: 60_000 }
const flags = [{ provider: 'flags/static', config: { flag: 'flag{one}' } }]

let contest: Contest
let admin: Member
let [team, other, ada, ben]: Member[] = []
beforeAll(async () => {
  contest = await startContest({ config })
  admin = await contest.admin()
  ;[team, other] = [await contest.team('Engines'), await contest.team('Others')]
  ada = await personIn(contest, idOf(team), { name: 'Ada' })
  ben = await personIn(contest, idOf(team), { name: 'Ben' })
  const one = { instancerConfig: box, adminBotConfig: botSettings, flags }
  await putChallenge(contest.db, challengeRow('one', one))
  await putChallenge(contest.db, challengeRow('two', { flags }))
})
afterAll(() => contest[Symbol.asyncDispose]())

const idOf = (member: Member | undefined) => member?.id ?? ''
const tokenOf = (member: Member | undefined) => member?.token ?? ''
const params = { id: 'one' }
const name = (member: Member | undefined, called: string) => ({ person: { id: idOf(member), name: called } })

async function activityOf(member: Member | undefined) {
  const read = await contest.call(contract.readTeamActivity, { token: tokenOf(member) })
  if (read.kind !== 'goodTeamActivity') throw new Error(read.kind)
  return read.data
}

async function auditOf(person: object) {
  const query = { limit: '100', offset: '0', sortOrder: 'asc' as const }
  const found = await contest.call(filterSubmissions, { token: admin.token, query, body: { person } })
  if (found.kind !== 'goodAdminSubmissions') throw new Error(found.kind)
  return found.data.submissions.map(({ kind, result, person: who }) => [kind, result, who?.name ?? null])
}

describe('what a person does names the person', () => {
  test('flags and bot jobs, in the audit, filtered by person', async () => {
    const flag = (member: Member | undefined, id: string, text: string) =>
      contest.call(submitFlag, { token: tokenOf(member), params: { id }, body: { flag: text } })
    expect((await flag(ada, 'one', 'flag{one}')).kind).toBe('goodFlag')
    expect((await flag(team, 'two', 'flag{one}')).kind).toBe('goodFlag')
    expect((await submit(contest, ben as Member, { id: 'one', inputs: { url: 'no' } })).kind).not.toMatch(
      /^good/,
    )
    contest.clock.advance(60_000)
    expect((await submit(contest, ben as Member, { id: 'one' })).kind).toBe('goodAdminBotJobSubmitted')
    expect(await auditOf({ include: [idOf(ada)] })).toEqual([['flag', 'correct', 'Ada']])
    const jobs = ['invalid_input', 'queued'].map((result) => ['admin_bot', result, 'Ben'])
    expect(await auditOf({ include: [idOf(ben)] })).toEqual(jobs)
    expect(await auditOf({ exclude: [idOf(ada)] })).toEqual([['flag', 'correct', null], ...jobs])
    expect(await auditOf({ include: ['nobody'] })).toEqual([])
  })

  test('hints bought', async () => {
    const points = { userId: idOf(team), points: 100, reason: 'Enough for a hint' }
    await contest.call(createScoreAdjustment, { token: admin.token, body: { data: points } })
    const data = { text: 'Look.', price: 10, release: { kind: 'time' as const, at: FIRST_INSTANT } }
    const made = await contest.call(createHint, { token: admin.token, params: { id: 'two' }, body: { data } })
    if (made.kind !== 'goodAdminHint') throw new Error(made.kind)
    const request = { params: { id: 'two', hintId: made.data.hint.id }, body: { price: 10 } }
    expect((await contest.call(buyHint, { token: tokenOf(ben), ...request })).kind).toBe('badHintSolved')
    await contest.db.query(sql`delete from solves where challenge_id = 'two'`)
    await contest.db.change(async (tx) => tx.changed('solves', ['two', idOf(team)]))
    await contest.app.stores.follower.catchUp()
    expect((await contest.call(buyHint, { token: tokenOf(ben), ...request })).kind).toBe('goodHint')
    const { actions } = await activityOf(ada)
    expect(actions.find(({ kind }) => kind === 'hint')).toMatchObject({
      challengeId: 'two',
      ...name(ben, 'Ben'),
    })
  })

  test('instances, which organisers see with who started them', async () => {
    const call = { params, body: {} }
    await contest.call(startInstance, { token: tokenOf(ada), ...call })
    const query = { limit: '10', offset: '0' }
    const listed = await contest.call(listAdminInstances, { token: admin.token, query })
    expect(listed).toMatchObject({ data: { instances: [{ userId: idOf(team), ...name(ada, 'Ada') }] } })
    contest.clock.advance(1000)
    await contest.call(extendInstance, { token: tokenOf(ben), ...call })
    contest.clock.advance(1000)
    await contest.call(stopInstance, { token: tokenOf(team), params })
    const { actions } = await activityOf(ada)
    const of = actions.filter(({ kind }) => ['start', 'extend', 'stop'].includes(kind))
    expect(of.map(({ kind, person }) => [kind, person?.name ?? null])).toEqual([
      ['stop', null],
      ['extend', 'Ben'],
      ['start', 'Ada'],
    ])
  })

  test('questions: the team sees its own people, and organisers both sides', async () => {
    const { id } = await ask(contest, ben as Member, { challengeId: 'one' })
    const organiser = await personIn(contest, admin.id, { name: 'Grace' })
    await answer(contest, organiser, { id })
    const thread = await contest.call(messages.readMessageThread, { token: tokenOf(ada), params: { id } })
    if (thread.kind !== 'goodMessageThread') throw new Error(thread.kind)
    expect(thread.data.messages.map(({ person }) => person?.name ?? null)).toEqual(['Ben', null])
    expect(JSON.stringify(thread.data)).not.toContain('Grace')
    const { messages: all } = await adminThread(contest, admin, id)
    expect(all.map(({ person }) => person?.name)).toEqual(['Ben', 'Grace'])
  })

  test('an API token of a person stands for the person', async () => {
    const { token } = await apiTokenOf(contest, tokenOf(ada), ['submit'])
    await contest.call(submitFlag, { token, params: { id: 'two' }, body: { flag: 'wrong' } })
    expect(await auditOf({ include: [idOf(ada)] })).toContainEqual(['flag', 'incorrect', 'Ada'])
  })
})

describe('what a program does names its API token', () => {
  const scopes = ['read', 'submit', 'instances', 'messages'] as const

  test('beside the person, everywhere, and after it was revoked', async () => {
    const crew = await contest.team('Robots')
    const person = await personIn(contest, crew.id, { name: 'Eve' })
    const { id, token } = await apiTokenOf(contest, person.token, scopes)
    const apiToken = { id, name: 'script' }
    const call = { token, params: { id: 'two' } }
    await contest.call(submitFlag, { ...call, body: { flag: 'wrong' } })
    await contest.call(submitFlag, { ...call, params, body: { flag: 'flag{one}' } })
    await contest.call(startInstance, { ...call, params, body: {} })
    const data = { text: 'Look.', price: 10, release: { kind: 'time' as const, at: FIRST_INSTANT } }
    const hint = await contest.call(createHint, { token: admin.token, params: { id: 'two' }, body: { data } })
    if (hint.kind !== 'goodAdminHint') throw new Error(hint.kind)
    const points = { userId: crew.id, points: 100, reason: 'Enough for a hint' }
    await contest.call(createScoreAdjustment, { token: admin.token, body: { data: points } })
    const wanted = { params: { id: 'two', hintId: hint.data.hint.id }, body: { price: 10 } }
    expect((await contest.call(buyHint, { token, ...wanted })).kind).toBe('goodHint')
    const asked = await ask(contest, { id: person.id, token }, { challengeId: 'one' })
    await contest.call(revokeApiToken, { token: person.token, params: { id } })

    const { actions } = await activityOf(crew)
    expect(new Set(actions.map(({ kind }) => kind))).toEqual(new Set(['flag', 'start', 'hint', 'message']))
    for (const action of actions) expect(action).toMatchObject({ apiToken, person: { name: 'Eve' } })
    const query = { limit: '10', offset: '0' }
    const body = { person: { include: [person.id] } }
    const audit = await contest.call(filterSubmissions, { token: admin.token, query, body })
    if (audit.kind !== 'goodAdminSubmissions') throw new Error(audit.kind)
    expect(audit.data.submissions.length).toBeGreaterThan(1)
    for (const row of audit.data.submissions) expect(row.apiToken).toEqual(apiToken)
    const { messages: written } = await adminThread(contest, admin, asked.id)
    expect(written).toMatchObject([{ apiToken, person: { name: 'Eve' } }])
    await contest.call(eraseTeam, { token: admin.token, params: { id: crew.id } })
    const erased = await contest.call(filterSubmissions, { token: admin.token, query, body })
    if (erased.kind !== 'goodAdminSubmissions') throw new Error(erased.kind)
    for (const row of erased.data.submissions) expect(row.apiToken).toEqual({ id, name: null })
  })

  test('of the team itself, and a session names none', async () => {
    const crew = await contest.team('More robots')
    const { id, token } = await apiTokenOf(contest, crew.token, scopes)
    const flag = { params: { id: 'two' }, body: { flag: 'wrong' } }
    await contest.call(submitFlag, { token, ...flag })
    await contest.call(submitFlag, { token: crew.token, ...flag })
    const rows = await contest.db.query<object>(sql`
      select api_token_id as id, api_token_name as name, person_id as person from submissions
      where team_id = ${crew.id} order by created_at`)
    expect(rows).toEqual([
      { id, name: 'script', person: null },
      { id: null, name: null, person: null },
    ])
  })
})

describe('the activity of a team', () => {
  test('names who solved a challenge, and nothing that the token of the team did', async () => {
    const { solvers, actions } = await activityOf(ben)
    expect(solvers).toEqual([{ challengeId: 'one', ...name(ada, 'Ada') }])
    expect(actions.at(-1)).toMatchObject({ kind: expect.stringMatching('flag') as string })
    expect(actions.filter(({ kind }) => kind === 'message')).toHaveLength(1)
    expect(actions.map(({ at }) => at)).toEqual(actions.map(({ at }) => at).toSorted((a, b) => b - a))
  })

  test('is for the team and organisers', async () => {
    const own = await activityOf(other)
    expect(own).toEqual({ solvers: [], actions: [] })
    const of = (token: string, id: string) => contest.call(contract.readActivityOf, { token, params: { id } })
    expect(await of(admin.token, idOf(team))).toMatchObject({ data: await activityOf(team) })
    expect((await of(admin.token, 'gone')).kind).toBe('badUnknownUser')
    expect((await of(tokenOf(other), idOf(team))).kind).toBe('badPerms')
    const { token } = await contest.admin(permissions.usersWrite)
    expect((await of(token, idOf(team))).kind).toBe('badPerms')
    const external = contest.app.stores.tokens.issueExternal(idOf(team), contest.clock.now())
    expect((await contest.call(contract.readTeamActivity, { token: external })).kind).toBe('badPerms')
  })

  test('leaves out challenges that the team no longer sees', async () => {
    await putChallenge(contest.db, challengeRow('one', { hidden: true }))
    await contest.app.stores.follower.catchUp()
    const { solvers, actions } = await activityOf(ada)
    expect(solvers).toEqual([])
    expect(actions.map(({ challengeId }) => challengeId)).not.toContain('one')
    await putChallenge(contest.db, challengeRow('one', { flags }))
  })

  test('keeps what a deleted person did, without the name', async () => {
    await contest.call(contract.deletePerson, { token: admin.token, params: { id: idOf(ada) } })
    const { solvers } = await activityOf(ben)
    expect(solvers).toEqual([{ challengeId: 'one', person: { id: idOf(ada), name: null } }])
    expect(await auditOf({ include: [idOf(ada)] })).toContainEqual(['flag', 'correct', null])
  })

  test('keeps the latest actions with instances', async () => {
    const entry = { teamId: idOf(other), challengeId: 'one', action: 'start', ...asTeam } as const
    for (let at = 1; at <= 205; at++) await recordInstanceAction(contest.db, entry, at)
    await recordInstanceAction(contest.db, { ...entry, teamId: 'gone' }, 1)
    const [kept] = await contest.db.query<{ count: number; first: Date }>(sql`
      select count(*)::int as count, min(at) as first from instance_actions where team_id = ${idOf(other)}`)
    expect(kept).toEqual({ count: 200, first: new Date(6) })
    expect((await activityOf(other)).actions).toHaveLength(contract.ACTIVITY_LENGTH)
  })
})

test('without people there is no activity', async () => {
  await using off = await startContest({ config: { people: 'off' } })
  const { token } = await off.team()
  expect((await off.call(contract.readTeamActivity, { token })).kind).toBe('badEndpoint')
  const organiser = await off.admin()
  const request = { token: organiser.token, params: { id: organiser.id } }
  expect((await off.call(contract.readActivityOf, request)).kind).toBe('badEndpoint')
})
