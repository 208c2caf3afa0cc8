import * as contract from '@pennant/contract/admin-challenges.ts'
import { listChallengesV2 } from '@pennant/contract/challenges.ts'
import { roles } from '@pennant/contract/permissions.ts'
import type { SentOf } from '@pennant/contract/route.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { putFeed, setBanned } from '../../../../test/contest-data.ts'
import { feedRow } from '../../../../test/contest-rows.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'

let contest: Contest
let admin: Member
beforeAll(async () => {
  contest = await startContest()
  admin = await contest.admin()
})
afterAll(() => contest[Symbol.asyncDispose]())

type DataV1 = SentOf<typeof contract.putChallengeV1>['body']['data']
type DataV2 = SentOf<typeof contract.putChallengeV2>['body']['data']

function putV1(id: string, data: DataV1) {
  return contest.call(contract.putChallengeV1, { token: admin.token, params: { id }, body: { data } })
}

function putV2(id: string, data: DataV2) {
  return contest.call(contract.putChallengeV2, { token: admin.token, params: { id }, body: { data } })
}

const readV1 = (id: string) =>
  contest.call(contract.readAdminChallengeV1, { token: admin.token, params: { id } })
const readV2 = (id: string) =>
  contest.call(contract.readAdminChallengeV2, { token: admin.token, params: { id } })

async function solve(id: string): Promise<Member> {
  const team = await contest.team()
  const response = await contest.call(submitFlag, {
    token: team.token,
    params: { id },
    body: { flag: 'flag{x}' },
  })
  expect(response.kind).toBe('goodFlag')
  return team
}

const dynamic = { kind: 'dynamic', source: { transport: 'webhook', secret: 'secret' } } as const

test('the first edit creates a challenge with defaults', async () => {
  const defaultsV1 = {
    id: 'fresh',
    name: '',
    description: '',
    category: '',
    author: '',
    files: [],
    points: { min: 0, max: 0 },
    flag: '',
    tiebreakEligible: false,
  }
  const defaults = {
    ...defaultsV1,
    flags: [],
    sortWeight: null,
    instancerConfig: null,
    adminBotConfig: null,
    hidden: false,
    releaseTime: null,
    scoring: { kind: 'decay' },
    tags: [],
  }
  expect(await putV2('fresh', {})).toEqual({
    kind: 'goodChallengeUpdateV2',
    status: 200,
    message: expect.any(String),
    data: defaults,
  })
  expect((await readV2('fresh')).data).toEqual({ ...defaults, solveCount: 0 })
  expect((await readV1('fresh')).data).toEqual(defaultsV1)
  expect(await putV1('fresh v1', {})).toMatchObject({
    kind: 'goodChallengeUpdate',
    data: { ...defaultsV1, id: 'fresh v1' },
  })
})

const written = {
  name: 'Name',
  category: 'web',
  author: 'ann',
  description: '# ünï',
  flags: [
    { provider: 'flags/regex', config: { pattern: '^x$' } },
    { provider: 'flags/static', config: { flag: 'flag{x}' } },
    { provider: 'flags/static', config: { flag: 'flag{y}' } },
    { provider: 'flags/dynamic', config: { base: 'flag{z}' } },
  ],
  points: { min: 100, max: 500 },
  tiebreakEligible: false,
  files: [
    { name: 'a', url: '/a', size: 3 },
    { name: 'b', url: '/b', size: null },
  ],
  sortWeight: -1.5,
  hidden: true,
  releaseTime: 1_900_000_000_000,
  scoring: dynamic,
  tags: ['easy', 'ünï'],
} satisfies DataV2

test('returns what was written, and writing it again changes nothing', async () => {
  await putV2('round', written)
  const { data } = await readV2('round')
  expect(data).toMatchObject(written)
  const { flag: _first, ...again } = data as unknown as Record<string, unknown>
  expect((await putV2('round', again as DataV2)).data).toEqual({
    ...again,
    flag: 'flag{x}',
    solveCount: undefined,
  })
  const listed = await contest.call(contract.listAdminChallengesV2, { token: admin.token })
  expect(listed.data).toContainEqual(expect.objectContaining(written))
})

test('older clients read and change only the fields they know', async () => {
  await putV2('shared', written)
  const { name, category, author, description, points, tiebreakEligible, sortWeight } = written
  const old = { name, category, author, description, points, tiebreakEligible, sortWeight }
  expect((await readV1('shared')).data).toEqual({
    id: 'shared',
    ...old,
    flag: 'flag{x}',
    files: [
      { name: 'a', url: '/a' },
      { name: 'b', url: '/b' },
    ],
  })
  // Unknown fields are dropped silently.
  const foreign = {
    name: 'New',
    managedBy: 'rcds',
    hidden: false,
    scoring: { kind: 'decay' },
    tags: [],
  } as DataV1
  expect(await putV1('shared', foreign)).toMatchObject({ kind: 'goodChallengeUpdate', data: { name: 'New' } })
  expect((await readV2('shared')).data).toMatchObject({ ...written, name: 'New' })
  // V1's single flag replaces the list, and V1 files have no size.
  await putV1('shared', { flag: 'flag{old}', files: [{ name: 'a', url: '/a' }] })
  expect((await readV2('shared')).data).toMatchObject({
    flag: 'flag{old}',
    flags: [{ provider: 'flags/static', config: { flag: 'flag{old}' } }],
    files: [{ name: 'a', url: '/a', size: null }],
  })
  await putV1('shared', { flag: '' })
  expect((await readV2('shared')).data).toMatchObject({ flag: '', flags: [] })
})

test('null clears optional fields', async () => {
  await putV2('unset', { ...written, scoring: { kind: 'static' } })
  await putV2('unset', { sortWeight: null, releaseTime: null, tags: null })
  expect((await readV2('unset')).data).toMatchObject({ sortWeight: null, releaseTime: null, tags: [] })
  expect((await readV1('unset')).data).not.toHaveProperty('sortWeight')
  expect((await putV1('unset', { sortWeight: null } as never)).kind).toBe('badBody')
})

test('a flag is static by default', async () => {
  await putV2('defaulted', { flags: [{ config: { flag: 'x' } }] })
  expect((await readV2('defaulted')).data).toMatchObject({ flags: [{ provider: 'flags/static' }] })
  await putV2('defaulted', { flag: 'y' })
  expect((await readV2('defaulted')).data).toMatchObject({ flags: [{ config: { flag: 'y' } }] })
})

describe('an edit is refused', () => {
  const refused: readonly (readonly [string, unknown, RegExp])[] = [
    ['without data', undefined, /^body:data: /],
    ['with points that are no range', { points: { min: 2, max: 1 } }, /^body:data\.points\.min: /],
    ['with points beyond 32 bits', { points: { min: 0, max: 2 ** 31 } }, /^body:data\.points\.max: /],
    ['with half a range', { points: { min: 0 } }, /^body:data\.points\.max: /],
    ['with flag and flags', { flag: '', flags: [] }, /^body:data\.flag: /],
    [
      'with a flag that its provider does not take',
      { flags: [{ config: { flag: 'x' } }, { config: { flag: 'x', extra: 1 } }] },
      /^body:data\.flags\.1: /,
    ],
    [
      'with an unknown provider',
      { flags: [{ provider: 'flags/none', config: {} }] },
      /^body:data\.flags\.0: /,
    ],
    ['with null where null means nothing', { name: null }, /^body:data\.name: /],
    ['with a negative size', { files: [{ name: 'a', url: '/a', size: -1 }] }, /^body:data\.files\.0\.size: /],
    [
      'with a link that runs code',
      { files: [{ name: 'a', url: 'javascript:x' }] },
      /^body:data\.files\.0\.url: /,
    ],
    [
      'with a text that all players wait for',
      { description: 'x'.repeat(200_001) },
      /^body:data\.description: /,
    ],
    ['with an unknown kind', { scoring: { kind: 'other' } }, /^body:data\.scoring/],
    [
      'with an empty secret',
      { scoring: { kind: 'dynamic', source: { transport: 'webhook', secret: '' } } },
      /^body:data\.scoring\.source\.secret: /,
    ],
    ['with a time that is no integer', { releaseTime: 1.5 }, /^body:data\.releaseTime: /],
    ['with a time no calendar has', { releaseTime: 9e15 }, /^body:data\.releaseTime: /],
    [
      'with a lifetime out of bounds',
      { instancerConfig: { timeoutMilliseconds: 999 } },
      /^body:data\.instancerConfig\.timeoutMilliseconds: /,
    ],
    ['with an unstorable text', { name: 'a\0b' }, /^body:data\.name: /],
  ]
  test.each(refused)('%s', async (_name, data, reason) => {
    const response = await putV2('refused', data as DataV2)
    expect(response).toMatchObject({ kind: 'badBody', data: { reason: expect.stringMatching(reason) } })
    expect((await readV2('refused')).kind).toBe('badChallenge')
  })

  test('with settings for an integration that is not configured', async () => {
    expect((await putV2('refused', { instancerConfig: {} })).kind).toBe('badInstancerConfig')
    expect((await putV2('refused', { adminBotConfig: { code: '' } })).kind).toBe('badAdminBotConfig')
    expect((await putV2('allowed', { instancerConfig: null, adminBotConfig: null })).kind).toBe(
      'goodChallengeUpdateV2',
    )
  })
})

test('webhook is the only transport and the default', async () => {
  const scoring = { kind: 'dynamic', source: { secret: 's' } } as const
  expect((await putV2('fed', { scoring })).data).toMatchObject({
    scoring: { kind: 'dynamic', source: { transport: 'webhook', secret: 's' } },
  })
  // Changing the kind deletes the secret.
  await putV2('fed', { scoring: { kind: 'decay' } })
  const [row] = await contest.db.query(sql`select scoring_secret from challenges where id = 'fed'`)
  expect(row).toEqual({ scoring_secret: null })
})

test('the secret of pushed scores is read by those who may write it, and others see that it is set', async () => {
  await putV2('secretive', { scoring: dynamic })
  const judge = await contest.admin(roles.judge)
  const author = await contest.admin(roles.author)
  const scoringFor = async ({ token }: Member) => {
    const one = await contest.call(contract.readAdminChallengeV2, { token, params: { id: 'secretive' } })
    const all = await contest.call(contract.listAdminChallengesV2, { token })
    if (one.kind !== 'goodAdminChallenge' || all.kind !== 'goodAdminChallenges') throw new Error(one.kind)
    const listed = all.data.find(({ id }) => id === 'secretive')
    expect(listed?.scoring).toEqual(one.data.scoring)
    return one.data.scoring
  }
  expect(await scoringFor(author)).toEqual(dynamic)
  const hidden = { kind: 'dynamic', source: { transport: 'webhook', secretSet: true } } as const
  expect(await scoringFor(judge)).toEqual(hidden)
  // What was read without the secret can be written back.
  for (const scoring of [hidden, { kind: 'dynamic' }] as const) {
    const saved = await putV2('secretive', { scoring, name: 'Renamed' })
    expect(saved.data).toMatchObject({ name: 'Renamed', scoring: dynamic })
  }
})

test('a challenge cannot become dynamic without a secret', async () => {
  const reason = 'body:data.scoring.source.secret: is missing; the challenge has none'
  for (const id of ['without a secret', 'fixed later']) {
    if (id === 'fixed later') await putV2(id, { scoring: { kind: 'static' } })
    expect(await putV2(id, { scoring: { kind: 'dynamic' } })).toMatchObject({
      kind: 'badBody',
      data: { reason },
    })
  }
  expect((await readV2('without a secret')).kind).toBe('badChallenge')
})

test('solves fix the kind of scoring, except between decay and static', async () => {
  await putV2('fixed', { flag: 'flag{x}', points: { min: 1, max: 9 } })
  await solve('fixed')
  await solve('fixed')
  expect(await putV2('fixed', { scoring: dynamic })).toMatchObject({
    kind: 'badBody',
    data: { reason: 'body:data.scoring.kind: decay->dynamic blocked, 2 solves exist' },
  })
  expect((await putV2('fixed', { scoring: { kind: 'static' } })).kind).toBe('goodChallengeUpdateV2')
  const listed = await contest.call(listChallengesV2, { token: admin.token })
  expect(listed.data).toContainEqual(
    expect.objectContaining({ id: 'fixed', points: 9, scoringKind: 'decay' }),
  )
})

test('points from a score feed fix it too', async () => {
  await putV2('fed and fixed', { scoring: dynamic })
  const { id } = await contest.team()
  await putFeed(contest.db, feedRow('fed and fixed', id))
  expect(await putV2('fed and fixed', { scoring: { kind: 'decay' } })).toMatchObject({
    data: { reason: 'body:data.scoring.kind: dynamic->decay blocked, 1 solves exist' },
  })
})

test('players see an edit immediately', async () => {
  await putV2('seen', { name: 'Before', hidden: true })
  const names = async () => {
    const { data } = await contest.call(listChallengesV2, { token: admin.token })
    return (data as { id: string; name: string }[]).filter(({ id }) => id === 'seen').map(({ name }) => name)
  }
  expect(await names()).toEqual([])
  await putV2('seen', { name: 'After', hidden: false })
  expect(await names()).toEqual(['After'])
})

test('lists every challenge by weight, then by id descending', async () => {
  await using other = await startContest()
  const { token } = await other.admin()
  for (const [id, sortWeight] of [
    ['a', 2],
    ['b', null],
    ['c', -1],
    ['d', null],
  ] as const) {
    const data = { sortWeight, hidden: id === 'a' }
    await other.call(contract.putChallengeV2, { token, params: { id }, body: { data } })
  }
  for (const [route, expected] of [
    [contract.listAdminChallengesV1, 'goodChallenges'],
    [contract.listAdminChallengesV2, 'goodAdminChallenges'],
  ] as const) {
    const { kind, data } = await other.call(route, { token })
    expect(kind).toBe(expected)
    expect((data as { id: string }[]).map(({ id }) => id)).toEqual(['c', 'a', 'd', 'b'])
  }
})

test('the details include solves of banned teams', async () => {
  await putV2('counted', { flag: 'flag{x}' })
  await solve('counted')
  await setBanned(contest.db, (await solve('counted')).id, true)
  expect((await readV2('counted')).data).toMatchObject({ solveCount: 2 })
})

test('an unknown challenge cannot be read', async () => {
  expect((await readV1('unknown')).kind).toBe('badChallenge')
  expect((await readV2('unknown')).kind).toBe('badChallenge')
  expect((await readV2('x'.repeat(256))).kind).toBe('badBody')
})

test('the audit records the changed fields of admin actions, but not their values', async () => {
  await using other = await startContest()
  const { id: actorId, token } = await other.admin()
  const params = { id: 'noted' }
  await other.call(contract.putChallengeV2, { token, params, body: { data: { name: 'x', flag: 'secret' } } })
  await other.call(contract.putChallengeV1, { token, params, body: { data: { flag: 'secret' } } })
  const team = await other.team()
  await other.call(submitFlag, { token: team.token, params, body: { flag: 'secret' } })
  await other.call(contract.deleteSolve, { token, params: { challengeId: 'noted', userId: team.id } })
  await other.call(contract.deleteChallenge, { token, params })
  const actions = await other.db.query(sql`
    select actor_id as "actorId", action, target, keys, ip from admin_actions order by id`)
  const by = { actorId, ip: '127.0.0.1' }
  expect(actions).toEqual([
    { ...by, action: 'challenge.create', target: 'noted', keys: ['name', 'flag'] },
    { ...by, action: 'challenge.update', target: 'noted', keys: ['flag'] },
    { ...by, action: 'solve.delete', target: `noted ${team.id}`, keys: [] },
    { ...by, action: 'challenge.delete', target: 'noted', keys: [] },
  ])
})

test('describes the kinds of flags', async () => {
  const response = await contest.call(contract.listFlagProviders, { token: admin.token })
  expect(response).toMatchObject({
    kind: 'goodFlagProviders',
    data: {
      defaultProvider: 'flags/static',
      providers: [{ name: 'flags/static' }, { name: 'flags/regex' }, { name: 'flags/dynamic' }],
    },
  })
})

test('each permission allows only its own routes', async () => {
  const [reader, writer, solver] = [await contest.admin(1), await contest.admin(2), await contest.admin(8)]
  const params = { id: 'rights' }
  const kindsOf = async ({ token }: Member) => [
    (await contest.call(contract.putChallengeV2, { token, params, body: { data: {} } })).kind,
    (await contest.call(contract.readAdminChallengeV2, { token, params })).kind,
    (await contest.call(contract.deleteSolve, { token, params: { challengeId: 'rights', userId: 'x' } }))
      .kind,
    (await contest.call(contract.deleteChallenge, { token, params })).kind,
  ]
  expect(await kindsOf(writer)).toEqual([
    'goodChallengeUpdateV2',
    'badPerms',
    'badPerms',
    'goodChallengeDelete',
  ])
  expect(await kindsOf(reader)).toEqual(['badPerms', 'badChallenge', 'badPerms', 'badPerms'])
  expect(await kindsOf(solver)).toEqual(['badPerms', 'badPerms', 'badUnknownSolve', 'badPerms'])
})
