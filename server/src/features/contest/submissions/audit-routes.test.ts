import { filterSubmissions, listSubmissions } from '@pennant/contract/admin-submissions.ts'
import { deleteTeam, updateTeam } from '@pennant/contract/admin-teams.ts'
import type { BodyOf, SentOf } from '@pennant/contract/route.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { putChallenge } from '../../../../test/contest-data.ts'
import { challengeRow } from '../../../../test/contest-rows.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'

type Sent = SentOf<typeof filterSubmissions>
type Filter = Partial<BodyOf<typeof filterSubmissions>>

interface Shown {
  readonly id: string
  readonly challengeId: string
  readonly userId: string
  readonly result: string
  readonly createdAt: string
}

let contest: Contest
let admin: Member
let foxes: Member
let bears: Member
beforeAll(async () => {
  contest = await startContest()
  admin = await contest.admin()
  foxes = await contest.team('Foxes 100%')
  bears = await contest.team('Bears_1')
  await putChallenge(contest.db, challengeRow('web', { name: 'Shop', category: 'web' }))
  await putChallenge(contest.db, challengeRow('gone', { name: 'Old', category: 'pwn' }))
  await submit(foxes, 'web', 'wrong')
  await submit(foxes, 'web')
  await submit(foxes, 'web')
  await submit(bears, 'gone')
  await queueJob(foxes, 'web')
})
afterAll(() => contest[Symbol.asyncDispose]())

async function submit({ token }: Member, id: string, flag = 'flag{x}') {
  await contest.call(submitFlag, { token, params: { id }, body: { flag } })
}

/** Writes the same rows as the admin bot route. */
async function queueJob({ id }: Member, challengeId: string) {
  const details = { inputs: { url: 'http://x' }, configRevision: 'r', instancerInstances: [] }
  await contest.db.query(sql`
    insert into submissions (id, kind, challenge_id, team_id, ip, result, details, related_id, created_at)
    values (gen_random_uuid(), 'admin_bot', ${challengeId}, ${id}, 'unknown', 'queued',
      ${JSON.stringify(details)}, 'job-1', clock_timestamp())`)
}

const page = { limit: '100', offset: '0' }
const list = (query: Partial<Sent['query']> = {}) =>
  contest.call(listSubmissions, { token: admin.token, query: { ...page, ...query } })
const filter = (body: Filter, query: Partial<Sent['query']> = {}) =>
  contest.call(filterSubmissions, { token: admin.token, query: { ...page, ...query }, body: body as never })
const shown = ({ data }: { data: unknown }) => (data as { submissions: Shown[] }).submissions
const results = async (response: Promise<{ data: unknown }>) =>
  shown(await response).map(({ result }) => result)
const kindOf = async (response: Promise<{ kind: string }>) => (await response).kind

test('lists every field of each submission, newest first', async () => {
  const response = await list()
  const [job, other, again, solve, wrong] = shown(response)
  expect(response.data).toMatchObject({ total: 5 })
  const common = {
    id: expect.any(String),
    kind: 'flag',
    challengeId: 'web',
    challengeName: 'Shop',
    challengeCategory: 'web',
    userId: foxes.id,
    userName: 'Foxes 100%',
    userDivision: 'open',
    userAvatarUrl: null,
    userCountryCode: null,
    userStatusText: null,
    userBanned: false,
    ip: '127.0.0.1',
    cheatedFromId: null,
    cheatedFromName: null,
    relatedId: null,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\.\d{3}Z$/),
  }
  expect(wrong).toEqual({ ...common, result: 'incorrect', details: { submittedFlag: 'wrong' } })
  expect(again).toEqual({ ...common, result: 'already_solved', details: { submittedFlag: 'flag{x}' } })
  expect(solve).toEqual({
    ...common,
    result: 'correct',
    relatedId: contest.world().solve('web', foxes.id)?.id,
    details: {
      submittedFlag: 'flag{x}',
      matchedFlagIndex: 0,
      matchedFlagProvider: 'flags/static',
      matchedFlagConfig: { flag: 'flag{x}' },
    },
  })
  expect(other).toMatchObject({ challengeId: 'gone', userId: bears.id })
  expect(job).toEqual({
    ...common,
    kind: 'admin_bot',
    result: 'queued',
    ip: 'unknown',
    relatedId: 'job-1',
    details: { inputs: { url: 'http://x' }, configRevision: 'r', instancerInstances: [] },
  })
  expect(await filter({})).toEqual(response)
})

test('concurrent identical requests get the rows that existed when they were sent', async () => {
  const before = await Promise.all(Array.from({ length: 32 }, () => list({ limit: '1' })))
  expect(new Set(before.map(({ data }) => (data as { total: number }).total))).toEqual(new Set([5]))
  const asking = list()
  await queueJob(foxes, 'web')
  const after = list()
  await asking
  expect((await after).data).toMatchObject({ total: 6 })
  await contest.db.query(sql`delete from submissions where id = ${shown(await after)[0]?.id}`)
})

describe('searches', () => {
  test('search names and categories, and treat wildcards as literal characters', async () => {
    const search = (query: Partial<Sent['query']>) => results(list(query))
    expect(await search({ challengeSearch: 'sHo' })).toHaveLength(4)
    expect(await search({ challengeSearch: 'PWN' })).toEqual(['correct'])
    expect(await search({ challengeSearch: '%' })).toEqual([])
    expect(await search({ teamSearch: '100%' })).toHaveLength(4)
    expect(await search({ teamSearch: '_' })).toEqual(['correct'])
    expect(await search({ teamSearch: '_o' })).toEqual([])
    expect(await search({ teamSearch: 'bear', challengeSearch: 'shop' })).toEqual([])
    expect(await search({ teamSearch: '  ' })).toHaveLength(5)
  })
})

describe('filters', () => {
  test('by the submitted item', async () => {
    expect(await results(filter({ kind: { include: ['admin_bot'] } }))).toEqual(['queued'])
    expect(await results(filter({ result: { exclude: ['correct', 'queued'] } }))).toEqual([
      'already_solved',
      'incorrect',
    ])
    expect(await results(filter({ kind: { include: ['flag'] }, result: { include: ['queued'] } }))).toEqual(
      [],
    )
    expect(await results(filter({ challenge: { include: ['gone', '__proto__'] } }))).toEqual(['correct'])
    expect(await results(filter({ category: { exclude: ['web'] } }))).toEqual(['correct'])
    expect(await results(filter({ category: { include: ['constructor'] } }))).toEqual([])
  })

  test('by the submitting team', async () => {
    expect(await results(filter({ team: { exclude: [foxes.id] } }))).toEqual(['correct'])
    expect(await results(filter({ division: { include: ['open'] } }))).toHaveLength(5)
    const ban = (banned: boolean) =>
      contest.call(updateTeam, { token: admin.token, params: { id: bears.id }, body: { data: { banned } } })
    await ban(true)
    expect(shown(await filter({ teamStatus: { include: ['banned'] } }))).toMatchObject([{ userBanned: true }])
    expect(await results(filter({ teamStatus: { include: ['not_banned'] } }))).toHaveLength(4)
    await ban(false)
    expect(await results(filter({ teamStatus: { include: ['banned'] } }))).toEqual([])
  })

  test('by IP address', async () => {
    expect(await results(filter({ ip: { include: ['unknown'] } }))).toEqual(['queued'])
    expect(await results(filter({ ip: { exclude: ['127.0.0.1'] } }, { sortBy: 'ip' }))).toEqual(['queued'])
    expect(await results(filter({ ip: { include: ['10.0.0.1'] } }))).toEqual([])
  })

  test('by time, including both bounds, in any format that JavaScript parses', async () => {
    const rows = shown(await list())
    const [newest, second] = rows
    const oldest = rows.at(-1)
    const between = (createdAfter?: string, createdBefore?: string) =>
      results(filter({ ...(createdAfter && { createdAfter }), ...(createdBefore && { createdBefore }) }))
    expect(await between(newest!.createdAt)).toEqual(['queued'])
    expect(await between(undefined, oldest!.createdAt)).toEqual(['incorrect'])
    expect(await between(oldest!.createdAt, second!.createdAt)).toHaveLength(4)
    expect(await between('1 Jan 2001', '1 Jan 2002')).toEqual([])
    expect(await between('-200000-01-01T00:00:00Z', '+200000-01-01T00:00:00Z')).toHaveLength(5)
  })

  test('are refused if they are contradictory or invalid', async () => {
    const at = '2026-01-01T00:00:00Z'
    for (const createdBefore of [at, '2025-12-31T00:00:00Z'])
      expect(await filter({ createdAfter: at, createdBefore })).toMatchObject({
        kind: 'badBody',
        data: { reason: expect.stringMatching(/^body:createdAfter: /) },
      })
    for (const body of [
      { createdAfter: 'soon' },
      { createdAfter: '' },
      { createdAfter: `${at}${' '.repeat(64)}` },
      { kind: { include: ['toString'] } },
      { result: { include: ['wrong'] } },
      { team: { include: [1] } },
      { challenge: { exclude: Array.from({ length: 1025 }, () => 'a') } },
    ])
      expect(await kindOf(filter(body as never)), JSON.stringify(body).slice(0, 60)).toBe('badBody')
    for (const query of [{ limit: '101' }, { sortBy: 'details' }, { sortOrder: '' }, { teamSearch: '' }])
      expect(await kindOf(list(query as never)), JSON.stringify(query)).toBe('badBody')
  })
})

test('deleted items keep their ids and can be found by them', async () => {
  await contest.db.change(async (tx) => {
    await tx.query(sql`delete from challenges where id = 'gone'`)
    tx.changed('challenges', ['gone'])
  })
  await contest.call(deleteTeam, { token: admin.token, params: { id: bears.id } })
  const row = {
    challengeId: 'gone',
    challengeName: 'gone',
    challengeCategory: 'deleted',
    userId: bears.id,
    userName: bears.id,
    userDivision: 'unknown',
    userBanned: false,
  }
  expect(shown(await list({ challengeSearch: 'gon' }))).toMatchObject([row])
  expect(shown(await list({ teamSearch: bears.id.slice(3, 20) }))).toMatchObject([row])
  expect(shown(await filter({ team: { include: [bears.id] } }))).toMatchObject([row])
  expect(shown(await filter({ teamStatus: { exclude: ['banned'] } }))).toHaveLength(5)
  for (const body of [{ category: { include: ['deleted'] } }, { division: { include: ['unknown'] } }])
    expect(await results(filter(body))).toEqual([])
  // A deleted challenge has no category, so an exclude filter does not remove it.
  expect(await results(filter({ category: { exclude: ['web', 'deleted'] } }))).toEqual(['correct'])
  const byChallenge = shown(await list({ sortBy: 'challenge', sortOrder: 'asc' }))
  expect(byChallenge.map(({ challengeId }) => challengeId)).toEqual(['gone', 'web', 'web', 'web', 'web'])
})
