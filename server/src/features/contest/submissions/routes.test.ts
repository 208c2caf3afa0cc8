import { once } from 'node:events'
import { request as startRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { filterSubmissions } from '@pennant/contract/admin-submissions.ts'
import { readOwnProfileV2 } from '@pennant/contract/teams.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { putChallenge, setBanned } from '../../../../test/contest-data.ts'
import { challengeRow } from '../../../../test/contest-rows.ts'
import { exchange } from '../../../../test/raw-exchange.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import type { ChallengeRow } from '../../../world/model.ts'

let contest: Contest
beforeAll(async () => {
  contest = await startContest()
})
afterAll(() => contest[Symbol.asyncDispose]())

let made = 0

/** Creates a challenge with the flag `flag{x}`. */
async function challenge(row: Partial<ChallengeRow> = {}): Promise<string> {
  const id = `challenge ${++made}`
  await putChallenge(contest.db, challengeRow(id, row))
  return id
}

async function submit({ token }: Pick<Member, 'token'>, id: string, flag: string): Promise<string> {
  return (await contest.call(submitFlag, { token, params: { id }, body: { flag } })).kind
}

function readAudit(id: string) {
  return contest.db.query(sql`
    select kind, team_id as "teamId", ip, result, details, related_id as "relatedId" from submissions
    where challenge_id = ${id} order by id`)
}

test("a correct flag solves, and the team's next read shows it", async () => {
  const [team, id] = [await contest.team(), await challenge()]
  expect(await submit(team, id, 'flag{x}')).toBe('goodFlag')
  const { data } = await contest.call(readOwnProfileV2, { token: team.token })
  expect(data).toMatchObject({ solves: [{ id }] })
  const solve = contest.world().solve(id, team.id)
  expect(await readAudit(id)).toEqual([
    {
      kind: 'flag',
      teamId: team.id,
      ip: '127.0.0.1',
      result: 'correct',
      details: {
        submittedFlag: 'flag{x}',
        matchedFlagIndex: 0,
        matchedFlagProvider: 'flags/static',
        matchedFlagConfig: { flag: 'flag{x}' },
      },
      relatedId: solve?.id,
    },
  ])
})

test('flags are compared exactly as submitted', async () => {
  const [team, id] = [await contest.team(), await challenge()]
  for (const flag of ['', ' flag{x}', 'flag{x} ', 'FLAG{X}'])
    expect(await submit(team, id, flag)).toBe('badFlag')
  expect(await readAudit(id)).toMatchObject([
    { result: 'incorrect', details: { submittedFlag: '' }, relatedId: null },
    { result: 'incorrect', details: { submittedFlag: ' flag{x}' } },
    { result: 'incorrect' },
    { result: 'incorrect' },
  ])
})

test('distinguishes correct from wrong flags for a solved challenge', async () => {
  const [team, id] = [await contest.team(), await challenge()]
  await submit(team, id, 'flag{x}')
  expect(await submit(team, id, 'flag{x}')).toBe('badAlreadySolvedChallenge')
  expect(await submit(team, id, 'flag{y}')).toBe('badFlag')
  expect(await readAudit(id)).toMatchObject([
    { result: 'correct' },
    { result: 'already_solved', details: { submittedFlag: 'flag{x}' }, relatedId: null },
    { result: 'incorrect' },
  ])
})

test('the sixth flag within the window is rate-limited, correct or not, and adds no row', async () => {
  const [team, id] = [await contest.team(), await challenge()]
  for (let time = 0; time < 5; time++) expect(await submit(team, id, 'no')).toBe('badFlag')
  const refused = await contest.call(submitFlag, {
    token: team.token,
    params: { id },
    body: { flag: 'flag{x}' },
  })
  expect(refused).toMatchObject({ kind: 'badRateLimit', data: { timeLeft: 5000 } })
  expect(await readAudit(id)).toHaveLength(5)
  // Other teams and other challenges are not affected.
  expect(await submit(await contest.team(), id, 'flag{x}')).toBe('goodFlag')
  expect(await submit(team, await challenge(), 'flag{x}')).toBe('goodFlag')
  contest.clock.advance(5000)
  expect(await submit(team, id, 'flag{x}')).toBe('goodFlag')
})

test('over the limit, a body is neither read nor parsed', async () => {
  const [team, id] = [await contest.team(), await challenge()]
  const statusOf = async (body: string) => {
    const headers = { authorization: `Bearer ${team.token}` }
    const url = `${contest.url}/api/v1/challs/${encodeURIComponent(id)}/submit`
    return JSON.parse((await exchange(url, { method: 'POST', headers, body })).body).kind as string
  }
  expect(await statusOf(' '.repeat(64 * 1024))).toBe('badBodySize')
  expect(await statusOf('{')).toBe('badJson')
  for (let time = 0; time < 3; time++) expect(await submit(team, id, 'no')).toBe('badFlag')
  for (const body of ['{', ' '.repeat(64 * 1024), '{"flag":"flag{x}"}'])
    expect(await statusOf(body)).toBe('badRateLimit')
  // The largest flag fits, however a client writes it.
  const escaped = `{"flag":"${String.raw`\u00e9`.repeat(1024)}"}`
  contest.clock.advance(25_000)
  expect(await statusOf(escaped)).toBe('badFlag')
})

test('a challenge that is released while bodies are on their way takes their tokens then', async () => {
  const [team, id] = [await contest.team(), await challenge({ hidden: true })]
  const sent = Array.from({ length: 6 }, () => {
    const headers = { authorization: `Bearer ${team.token}`, expect: '100-continue', 'content-length': '13' }
    const url = `${contest.url}/api/v1/challs/${encodeURIComponent(id)}/submit`
    return startRequest(url, { method: 'POST', headers })
  })
  // The server has seen the heads.
  await Promise.all(sent.map((each) => (each.flushHeaders(), once(each, 'continue'))))
  await putChallenge(contest.db, challengeRow(id))
  const kinds: string[] = []
  for (const each of sent) {
    each.end('{"flag":"no"}')
    const [response] = (await once(each, 'response')) as [IncomingMessage]
    kinds.push((JSON.parse(await text(response)) as { kind: string }).kind)
  }
  expect(kinds).toEqual([...Array<string>(5).fill('badFlag'), 'badRateLimit'])
})

test('challenges that no one can submit to do not exist', async () => {
  const team = await contest.team()
  const closed = [
    'nothing',
    await challenge({ hidden: true }),
    await challenge({ releaseAt: contest.clock.now() + HOUR_MS }),
    await challenge({ flags: [] }),
    await challenge({ scoringKind: 'dynamic' }),
  ]
  for (const id of closed) {
    expect(await submit(team, id, 'flag{x}')).toBe('badChallenge')
    expect(await readAudit(id)).toEqual([])
  }
})

test('a challenge that was deleted, but is still known to this process, is refused as unknown', async () => {
  const [team, id] = [await contest.team(), await challenge()]
  await contest.db.query(sql`delete from challenges where id = ${id}`)
  expect(contest.world().challenge(id)).toBeDefined()
  expect(await submit(team, id, 'flag{x}')).toBe('badChallenge')
})

test('a team that was deleted, but is still known to this process, is refused as unknown', async () => {
  const [team, id] = [await contest.team(), await challenge()]
  await contest.db.query(sql`delete from teams where id = ${team.id}`)
  expect(await submit(team, id, 'flag{x}')).toBe('badUnknownUser')
  expect(await readAudit(id)).toEqual([])
})

test('a banned team is refused before the challenge is looked up', async () => {
  const [team, id] = [await contest.team(), await challenge()]
  await setBanned(contest.db, team.id, true)
  expect(await submit(team, id, 'flag{x}')).toBe('badPerms')
  expect(await submit(team, 'nothing', 'flag{x}')).toBe('badPerms')
  expect(await readAudit(id)).toEqual([])
  await setBanned(contest.db, team.id, false)
  expect(await submit(team, id, 'flag{x}')).toBe('goodFlag')
})

test('a ban that this process has not read yet applies too', async () => {
  const [team, id] = [await contest.team(), await challenge()]
  await contest.db.query(sql`update teams set banned = true where id = ${team.id}`)
  expect(await submit(team, id, 'flag{x}')).toBe('badPerms')
  expect(await submit(team, id, 'wrong')).toBe('badPerms')
  expect(await readAudit(id)).toEqual([])
})

test('flags are at most 1024 characters', async () => {
  const [team, id] = [await contest.team(), await challenge()]
  expect(await submit(team, id, '😀'.repeat(512))).toBe('badFlag')
  expect(await submit(team, id, 'x'.repeat(1025))).toBe('badBody')
  expect(await readAudit(id)).toHaveLength(1)
})

test('submissions are open from the start to the end, and always with permission to write challenges', async () => {
  await using other = await startContest()
  const id = 'c'
  await putChallenge(other.db, challengeRow(id))
  const [team, admin, reader] = [await other.team(), await other.admin(2), await other.admin(1)]
  const kindFor = async ({ token }: Member) =>
    (await other.call(submitFlag, { token, params: { id }, body: { flag: 'no' } })).kind
  other.clock.advance(-2 * HOUR_MS)
  expect([await kindFor(team), await kindFor(reader), await kindFor(admin)]).toEqual([
    'badNotStarted',
    'badNotStarted',
    'badFlag',
  ])
  other.clock.advance(HOUR_MS)
  expect(await kindFor(team)).toBe('badFlag')
  other.clock.advance(48 * HOUR_MS - 1)
  expect(await kindFor(team)).toBe('badFlag')
  other.clock.advance(1)
  expect([await kindFor(team), await kindFor(reader), await kindFor(admin)]).toEqual([
    'badEnded',
    'badEnded',
    'badFlag',
  ])
})

test('of concurrent copies of a correct flag on two processes, exactly one solves', async () => {
  await using second = await startContest({ beside: contest })
  const [team, id] = [await contest.team(), await challenge()]
  const { token } = team
  const responses = await Promise.all(
    [contest, second, contest, second].map(({ call }) =>
      call(submitFlag, { token, params: { id }, body: { flag: 'flag{x}' } }),
    ),
  )
  expect(responses.map(({ kind }) => kind).sort()).toEqual([
    'badAlreadySolvedChallenge',
    'badAlreadySolvedChallenge',
    'badAlreadySolvedChallenge',
    'goodFlag',
  ])
})

test('a flag of another team solves, and the audit names its owner', async () => {
  const flags = [{ provider: 'flags/dynamic', config: { base: 'flag{mine}' } }]
  const [owner, thief, id] = [await contest.team(), await contest.team(), await challenge({ flags })]
  const [minted] = await contest.app.providers.flags.flagsForTeam({ id, flags }, owner.id)
  expect(await submit(thief, id, minted!.flag)).toBe('goodFlag')
  expect(await submit(owner, id, minted!.flag)).toBe('goodFlag')
  const [stolen, own] = await readAudit(id)
  const { token } = await contest.admin()
  const request = {
    token,
    query: { limit: '100', offset: '0' },
    body: { challenge: { include: [id] }, team: { include: [thief.id] } },
  }
  expect(await contest.call(filterSubmissions, request)).toMatchObject({
    data: { submissions: [{ cheatedFromId: owner.id, cheatedFromName: expect.stringMatching(/./) }] },
  })
  expect(stolen).toMatchObject({ result: 'correct', details: { cheatedFrom: owner.id } })
  expect(own).not.toMatchObject({ details: { cheatedFrom: expect.anything() } })
})

test('a pattern that does not terminate is a wrong flag', async () => {
  const flags = [{ provider: 'flags/regex', config: { pattern: '^flag\\{(\\w+\\s?)*\\}$' } }]
  const [team, id] = [await contest.team(), await challenge({ flags })]
  expect(await submit(team, id, `flag{${'a'.repeat(50)}`)).toBe('badFlag')
  expect(await submit(team, id, 'flag{a b}')).toBe('goodFlag')
})

test('a correct flag submitted just before the end counts, however late the database processes it', async () => {
  // The database uses its own clock, which is years past this end.
  const endTime = Date.UTC(2020, 5, 1)
  await using over = await startContest({
    startsAt: endTime - 1,
    config: { startTime: endTime - HOUR_MS, endTime },
  })
  await putChallenge(over.db, challengeRow('c'))
  const [team, admin] = [await over.team(), await over.admin(2)]
  const body = { flag: 'flag{x}' }
  expect((await over.call(submitFlag, { token: team.token, params: { id: 'c' }, body })).kind).toBe(
    'goodFlag',
  )
  expect((await over.call(submitFlag, { token: admin.token, params: { id: 'c' }, body })).kind).toBe(
    'goodFlag',
  )
  expect(over.world().solve('c', team.id)?.createdAt).toBe(endTime)
  expect(over.world().standing(team.id).score).toBeGreaterThan(0)
  expect(over.world().solve('c', admin.id)?.createdAt).toBeGreaterThan(endTime)
  expect(over.world().standing(admin.id).score).toBe(0)
})
