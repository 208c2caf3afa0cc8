import { listActions, undoAction } from '@pennant/contract/actions.ts'
import { filterTeams } from '@pennant/contract/admin-teams.ts'
import * as contract from '@pennant/contract/custom-fields.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { saveFields, textField } from '../../../../test/fields.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { personIn } from '../../../../test/people.ts'
import { personRows } from '../persons/rows.ts'

let contest: Contest
let admin: Member
const teams: Record<string, Member> = {}
const texts = [{ language: 'en', name: 'Junior prize' }]
const junior = {
  id: 'junior',
  texts,
  conditions: [{ kind: 'age', who: 'all', field: 'born', on: '2027-03-05', max: 20 }],
}
const domain = {
  id: 'uni',
  texts,
  division: 'other',
  conditions: [{ kind: 'domain', who: 'team', domains: ['uni.example'] }],
}

beforeAll(async () => {
  contest = await startContest({ config: { divisions: { open: 'Open', other: 'Other' } } })
  admin = await contest.admin()
  const fields = [textField('born', { kind: 'date', of: 'person' } as never), textField('city')]
  const saved = await saveFields(contest, admin, { data: { fields, eligibility: [junior, domain] } })
  expect(saved.kind).toBe('goodAdminSettingsUpdate')
  for (const [name, born] of Object.entries({ young: '2010-01-01', old: '1990-01-01', silent: '' })) {
    const team = (teams[name] = await contest.team(name))
    const person = await personIn(contest, team.id)
    if (born !== '')
      await contest.call(contract.writePersonAnswers, { token: person.token, body: { fields: { born } } })
  }
  teams['empty'] = await contest.team('empty')
})
afterAll(() => contest[Symbol.asyncDispose]())

const resultOf = async (name: string) => {
  const response = await contest.call(contract.readTeamAnswers, { token: teams[name]?.token ?? '' })
  return response.kind === 'goodTeamAnswers' ? response.data.eligibility : null
}
const decide = (name: string, data: object, rule = 'junior') =>
  contest.call(contract.decideEligibility, {
    token: admin.token,
    params: { id: teams[name]?.id ?? name, rule },
    body: { data: data as { result: null } },
  })
async function filtered(body: object): Promise<string[]> {
  const query = { limit: '100', offset: '0', sortBy: 'team' as const }
  const response = await contest.call(filterTeams, { token: admin.token, query, body })
  return response.kind === 'goodAdminUsers' ? response.data.users.map(({ name }) => name) : []
}

test('a team sees its results with reasons', async () => {
  expect(await resultOf('young')).toMatchObject([{ rule: 'junior', result: 'eligible', reasons: [] }])
  expect(await resultOf('old')).toMatchObject([
    { result: 'not', reasons: [{ kind: 'condition', condition: 0, people: 1 }] },
  ])
  expect(await resultOf('silent')).toMatchObject([{ result: 'unknown' }])
  expect(await resultOf('empty')).toMatchObject([{ result: 'unknown', reasons: [{ kind: 'people' }] }])
})

test('organisers filter teams by results and answers', async () => {
  const by = (include: string[]) => filtered({ eligibility: [{ rule: 'junior', result: { include } }] })
  expect(await by(['eligible'])).toEqual(['young'])
  expect(await by(['not', 'unknown'])).toEqual(expect.arrayContaining(['empty', 'old', 'silent']))
  expect(await filtered({ eligibility: [{ rule: 'uni', result: { include: ['none'] } }] })).toContain('young')
  const withBorn = (value: object) => filtered({ fields: [{ field: 'born', value }] })
  expect(await withBorn({ include: ['1990-01-01'] })).toEqual(['old'])
  expect(await withBorn({ exclude: [''] })).toEqual(['old', 'young'])
  await contest.call(contract.writeTeamAnswers, {
    token: teams['old']?.token ?? '',
    body: { fields: { city: 'Oslo' } },
  })
  expect(await filtered({ fields: [{ field: 'city', value: { include: ['Oslo'] } }] })).toEqual(['old'])
})

test('organisers decide instead of the rule, with a reason, and take it back', async () => {
  expect(await decide('old', { result: 'eligible', reason: 'Coach of the others' })).toMatchObject({
    kind: 'goodEligibilityDecision',
    data: { eligibility: { result: 'eligible', decision: { reason: 'Coach of the others' } } },
  })
  expect(await resultOf('old')).toMatchObject([
    { result: 'eligible', decision: { result: 'eligible', reason: 'Coach of the others' } },
  ])
  // The team does not see which organiser it was.
  expect(JSON.stringify(await resultOf('old'))).not.toContain('decidedBy')
  const log = await contest.call(listActions, { token: admin.token, query: { limit: '1' } })
  const [entry] = log.kind === 'goodActions' ? log.data.actions : []
  expect(entry).toMatchObject({ action: 'eligibility.decide', after: { junior: { result: 'eligible' } } })
  const undone = await contest.call(undoAction, { token: admin.token, params: { id: String(entry?.seq) } })
  expect(undone.kind).toBe('goodActionUndo')
  expect(await resultOf('old')).toMatchObject([{ result: 'not', decision: null }])
  expect(await decide('old', { result: null })).toMatchObject({ data: { eligibility: { decision: null } } })
})

test('organisers correct answers of teams and people, which the log names without the answers', async () => {
  const correct = (of: string, id: string, fields: object) =>
    contest.call(contract.updateAnswers, {
      token: admin.token,
      params: { of: of as 'team', id },
      body: { data: { fields: fields as Record<string, string> } },
    })
  const teamId = teams['silent']?.id ?? ''
  const [person] = contest.world().rows(personRows).ofTeam(teamId)
  expect(await correct('team', teamId, { city: 'Bergen' })).toMatchObject({
    kind: 'goodAdminAnswersUpdate',
    data: { owner: { id: teamId, answers: { city: 'Bergen' } } },
  })
  expect(await filtered({ fields: [{ field: 'city', value: { include: ['Bergen'] } }] })).toEqual(['silent'])
  expect((await correct('person', person?.id ?? '', { born: '2010-01-01' })).kind).toBe(
    'goodAdminAnswersUpdate',
  )
  expect(await resultOf('silent')).toMatchObject([{ rule: 'junior', result: 'eligible' }])
  const log = await contest.call(listActions, { token: admin.token, query: { limit: '2' } })
  if (log.kind !== 'goodActions') throw new Error(log.kind)
  expect(log.data.actions).toMatchObject([
    { action: 'answers.update', targets: [{ id: person?.id }] },
    { action: 'answers.update', targets: [{ id: teamId }] },
  ])
  expect(JSON.stringify(log.data)).not.toMatch(/Bergen|2010-/)
  const keys = await contest.db.query(
    sql`select keys from admin_actions where action = 'answers.update' order by id`,
  )
  expect(keys).toEqual([{ keys: ['city'] }, { keys: ['born'] }])

  expect(await correct('person', person?.id ?? '', { born: 'yesterday' })).toMatchObject({
    kind: 'badFieldAnswers',
    data: { problems: [{ field: 'born', problem: 'date' }] },
  })
  // Each field has its owners.
  expect((await correct('person', person?.id ?? '', { city: 'Oslo' })).kind).toBe('badFieldAnswers')
  for (const of of ['team', 'person']) expect((await correct(of, 'gone', {})).kind).toBe('badFieldOwner')
  expect((await correct('person', person?.id ?? '', { born: '' })).kind).toBe('goodAdminAnswersUpdate')
  expect(await resultOf('silent')).toMatchObject([{ result: 'unknown' }])
})

test('organisers do not consent for others', async () => {
  await using own = await startContest()
  const owner = await own.admin()
  const consent = { kind: 'consent', version: 1, texts: [{ language: 'en', label: 'Rules', content: 'x' }] }
  await saveFields(own, owner, { data: { fields: [textField('rules', consent as never)] } })
  const response = await own.call(contract.updateAnswers, {
    token: owner.token,
    params: { of: 'team', id: (await own.team()).id },
    body: { data: { fields: { rules: '1' } } },
  })
  expect(response.kind).toBe('badFieldAnswers')
})

test('a decision needs a team and a rule that is about it', async () => {
  expect((await decide('nowhere', { result: null })).kind).toBe('badUnknownUser')
  expect((await decide('old', { result: null }, 'uni')).kind).toBe('badEligibilityRule')
  expect((await decide('old', { result: null }, 'unknown')).kind).toBe('badEligibilityRule')
})

test('a rule needs fields that fit', async () => {
  const ofCity = { ...junior, conditions: [{ ...junior.conditions[0], field: 'city' }] }
  expect(await saveFields(contest, admin, { data: { eligibility: [ofCity] } })).toMatchObject({
    kind: 'badEligibilityField',
    data: { rule: 'junior', condition: 0 },
  })
  const fields = [textField('born')]
  expect((await saveFields(contest, admin, { data: { fields } })).kind).toBe('badEligibilityField')
})
