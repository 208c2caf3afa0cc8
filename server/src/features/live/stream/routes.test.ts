import { afterEach, beforeEach, expect, test } from 'vitest'
import sql from 'sql-template-tag'
import { completeAdminBotJob, pullAdminBotJob } from '@pennant/contract/admin-bot-worker.ts'
import { startInstance, stopInstance } from '@pennant/contract/instances.ts'
import { listChallengesV2 } from '@pennant/contract/challenges.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { getLatestSolves, getLeaderboardV2 } from '@pennant/contract/leaderboard.ts'
import { permissions } from '@pennant/contract/permissions.ts'
import { openStream } from '@pennant/contract/stream.ts'
import { signOutEverywhere } from '@pennant/contract/teams.ts'
import { addBotChallenge, botConfig, botSecret, submit } from '../../../../test/bot-contest.ts'
import { putChallenge, putSettings, putSolve, setBanned } from '../../../../test/contest-data.ts'
import { challengeRow, solveRow } from '../../../../test/contest-rows.ts'
import { eventually } from '../../../../test/eventually.ts'
import { noon, startContest, type Contest, type ContestOptions } from '../../../../test/harness.ts'
import {
  eventIds,
  eventsIn,
  idAhead,
  readStream,
  seqOf,
  type ReaderOptions,
  type StreamReader,
} from '../../../../test/stream.ts'

const contests: Contest[] = []
const readers: StreamReader[] = []
let contest: Contest
let solveCount = 0

beforeEach(async () => {
  contest = await start()
  await putChallenge(contest.db, challengeRow('web'))
})
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.close()
  for (const each of contests.splice(0).toReversed()) await each[Symbol.asyncDispose]()
})

async function start(options: ContestOptions = {}): Promise<Contest> {
  const started = await startContest({ config: { proxy: { trust: ['loopback'] } }, ...options })
  contests.push(started)
  return started
}

async function listen(options: ReaderOptions = {}, at: Contest = contest): Promise<StreamReader> {
  const reader = await readStream(at.url, options)
  readers.push(reader)
  if (reader.response.ok) await reader.next('hello')
  return reader
}

async function solve(challengeId: string, teamId: string): Promise<void> {
  solveCount += 1
  await putSolve(contest.db, solveRow(solveCount, { challengeId, teamId, createdAt: contest.clock.now() }))
}

/** What the reads show to the receiver of a stream. */
async function readsOf(token?: string) {
  const [board, latest, list] = [
    await contest.call(getLeaderboardV2, { query: { limit: '100', offset: '0' }, token }),
    await contest.call(getLatestSolves, { token }),
    await contest.call(listChallengesV2, { token }),
  ]
  return {
    rows: board.kind === 'goodLeaderboard' ? board.data.leaderboard : [],
    solves: latest.kind === 'goodLatestSolves' ? latest.data.solves : [],
    challenges: list.kind === 'goodChallenges' ? list.data : [],
  }
}

test('a solve reaches everyone, with its position, as the reads show it', async () => {
  const team = await contest.team('anchor')
  const [anonymous, own] = [await listen(), await listen({ token: team.token })]
  await solve('web', team.id)
  const solved = await anonymous.next('solves')
  const { data, id } = solved
  const reads = await readsOf()
  expect(data).toEqual({ solves: reads.solves, removed: [] })
  expect(data.solves[0]).toMatchObject({ userName: 'anchor', bloodIndex: 0 })
  const [logged] = await contest.db.query<{ seq: number }>(sql`
    select seq from changes where kind = 'solves' order by seq limit 1`)
  expect(seqOf(id)).toBe(logged?.seq)
  const [row] = reads.rows
  // The registration of the team may still be on its way.
  const board = await anonymous.next('leaderboard', ({ total }) => total > 0)
  expect(board.data).toEqual({
    total: 1,
    rows: [
      {
        id: team.id,
        name: 'anchor',
        score: row?.score,
        division: 'open',
        divisionPlace: 1,
        globalPlace: 1,
      },
    ],
  })
  const points = await anonymous.next('points')
  expect(points.data.challenges).toEqual([{ id: 'web', points: reads.challenges[0]?.points, solves: 1 }])
  // Whoever has the position has the state too.
  const at = (event: typeof solved) => anonymous.events.indexOf(event)
  for (const state of [board, points]) expect(at(state)).toBeLessThan(at(solved))
  // One is sent on opening, and on a slow machine another one before the solve.
  expect((await own.next('team', ({ score }) => score > 0)).data).toEqual({
    score: row?.score,
    globalPlace: 1,
    divisionPlace: 1,
    banned: false,
  })
  expect(anonymous.events.some(({ name }) => name === 'team')).toBe(false)
})

test('the recording of ranks repeats no solve, and a removed solve is reported', async () => {
  const team = await contest.team()
  const reader = await listen()
  const row = solveRow((solveCount += 1), { challengeId: 'web', teamId: team.id, createdAt: noon })
  await putSolve(contest.db, row)
  await putSolve(contest.db, { ...row, globalRank: 1, divisionRank: 1 })
  await contest.db.change(async (tx) => {
    await tx.query(sql`delete from solves where challenge_id = 'web'`)
    tx.changed('solves', ['web', team.id])
  })
  await eventually(() => {
    const all = reader.events.filter(({ name }) => name === 'solves')
    expect(all.at(-1)?.data.removed).toEqual([{ challengeId: 'web', userId: team.id }])
    expect(all.flatMap(({ data }) => data.solves).length).toBeLessThanOrEqual(1)
  })
})

test('challenges are released, changed and withdrawn, and hidden ones are never mentioned', async () => {
  const reader = await listen()
  await putChallenge(contest.db, challengeRow('secret', { hidden: true }))
  await putChallenge(contest.db, challengeRow('secret', { hidden: true, name: 'Renamed' }))
  await putChallenge(contest.db, challengeRow('web', { name: 'New name' }))
  const changed = (await reader.next('challenges')).data
  expect(changed).toMatchObject({ released: [], changed: [{ id: 'web', name: 'New name' }], withdrawn: [] })
  await putChallenge(contest.db, challengeRow('secret'))
  expect((await reader.next('challenges')).data).toMatchObject({ released: [{ id: 'secret' }], changed: [] })
  await putChallenge(contest.db, challengeRow('web', { hidden: true }))
  expect((await reader.next('challenges')).data).toEqual({ released: [], changed: [], withdrawn: ['web'] })
})

test('a scheduled release is reported, and again to a client that resumes from before it', async () => {
  const releaseAt = noon + HOUR_MS
  await putChallenge(contest.db, challengeRow('later', { releaseAt }))
  const reader = await listen()
  const lastEventId = reader.lastEventId()
  contest.clock.advance(HOUR_MS)
  expect((await reader.next('challenges')).data.released).toMatchObject([{ id: 'later' }])
  const resumed = await listen({ lastEventId })
  expect((await resumed.next('challenges')).data.released).toMatchObject([{ id: 'later' }])
})

test('before the start, only those who may read early receive more than the phase', async () => {
  const early = await start({
    config: { startTime: noon + HOUR_MS, endTime: noon + 9 * HOUR_MS, proxy: { trust: ['loopback'] } },
  })
  const [team, author] = [await early.team(), await early.admin(permissions.challsRead)]
  const [anonymous, player, reader] = [
    await listen({}, early),
    await listen({ token: team.token }, early),
    await listen({ token: author.token }, early),
  ]
  await putChallenge(early.db, challengeRow('web'))
  expect((await reader.next('challenges')).data.released).toMatchObject([{ id: 'web' }])
  await putSettings(early.db, { startTime: noon + 2 * HOUR_MS })
  for (const each of [anonymous, player, reader]) {
    expect((await each.next('phase')).data).toMatchObject({ startTime: noon + 2 * HOUR_MS, phase: 'before' })
  }
  // A position only says that something changed.
  const names = (each: StreamReader) =>
    each.events.map(({ name }) => name).filter((name) => name !== 'position')
  expect(names(anonymous)).toEqual(['hello', 'phase'])
  // The standing may be sent once more.
  expect([...new Set(names(player))]).toEqual(['hello', 'team', 'phase'])
  expect(names(reader)).not.toContain('leaderboard')
  await putSettings(early.db, { startTime: noon - 1 })
  expect((await anonymous.next('phase')).data).toMatchObject({ phase: 'running' })
  early.clock.advance(9 * HOUR_MS)
  expect((await anonymous.next('phase')).data).toMatchObject({ phase: 'ended' })
})

test('a ban is reported to the team, and its solves to no one', async () => {
  const [team, other] = [await contest.team(), await contest.team()]
  await solve('web', team.id)
  const before = await listen()
  const [banned, reader] = [await listen({ token: team.token }), await listen({ token: other.token })]
  await setBanned(contest.db, team.id, true)
  expect((await banned.next('team', (data) => data.banned)).data).toEqual({
    score: 0,
    globalPlace: null,
    divisionPlace: null,
    banned: true,
  })
  // Rows carry no position, so the solve before may still be on its way to a new client.
  const left = await before.next('leaderboard', ({ total }) => total === 0)
  expect(left.data).toEqual({ total: 0, rows: [] })
  const from = before.events.indexOf(left)
  // The banned team's solve is named again, as when its ranks are recorded.
  await putChallenge(contest.db, challengeRow('pwn'))
  await solve('pwn', team.id)
  await solve('pwn', other.id)
  const { data } = await reader.next('solves')
  expect(data.solves).toEqual((await readsOf(other.token)).solves)
  const later = reader.events.slice(reader.events.findIndex(({ data: { solves } }) => solves))
  expect(JSON.stringify([...before.events.slice(from), ...later])).not.toContain(team.id)
})

test('a client resumes on another replica without a gap or a repeat', async () => {
  const replica = await start({ beside: contest })
  const [one, two] = [await contest.team(), await contest.team()]
  const reader = await listen()
  const whole = await listen({}, replica)
  await solve('web', one.id)
  await reader.next('solves')
  reader.close()
  const lastEventId = reader.lastEventId()
  await solve('web', two.id)
  await putChallenge(contest.db, challengeRow('pwn'))
  await solve('pwn', one.id)
  const resumed = await listen({ lastEventId }, replica)
  const isNews = ({ name }: { name: string }) => name !== 'hello' && name !== 'position'
  const ids = (...each: StreamReader[]) =>
    each.flatMap(({ events }) => events.filter(isNews).flatMap(({ id }) => seqOf(id) ?? []))
  await eventually(() => expect(ids(whole)).toHaveLength(4))
  // Not before: events of a hidden challenge are left out.
  await putChallenge(contest.db, challengeRow('web', { hidden: true }))
  await eventually(() => {
    expect(ids(whole)).toHaveLength(5)
    expect(ids(reader, resumed)).toEqual(ids(whole))
  })
  expect(ids(whole)).toEqual(await loggedSince(whole.events[0]?.id))
  expect(resumed.events.some(({ name }) => name === 'resync')).toBe(false)
})

/** The positions of the change log that are news: the recording of ranks names solves again. */
async function loggedSince(id = ''): Promise<number[]> {
  const rows = await contest.db.query<{ seq: number; kind: string; ids: string[] }>(sql`
    select seq, kind, ids from changes order by seq`)
  const seen = new Set<string>()
  const isNews = ({ kind, ids }: (typeof rows)[number]) => {
    if (kind !== 'solves') return kind === 'challenges'
    const pairs = Array.from({ length: ids.length / 2 }, (_, at) => `${ids[2 * at]} ${ids[2 * at + 1]}`)
    const isKnown = pairs.every((pair) => seen.has(pair))
    for (const pair of pairs) seen.add(pair)
    return !isKnown
  }
  return rows.filter((row) => isNews(row) && row.seq > (seqOf(id) ?? 0)).map(({ seq }) => seq)
}

test('an unknown position leads to resync, from whose id the client continues', async () => {
  const other = eventIds.of({ seq: 1, mark: '123.5', at: 0 })
  for (const lastEventId of [idAhead, other, '1-123.5', 'nonsense', '-5']) {
    const reader = await listen({ lastEventId })
    const { id } = await reader.next('resync')
    expect(seqOf(id)).toBeGreaterThan(0)
    const resumed = await listen({ lastEventId: id })
    expect(resumed.events.map(({ name }) => name)).not.toContain('resync')
  }
})

test('a replica that loads everything again tells its clients to do the same', async () => {
  const reader = await listen()
  await contest.db.query(sql`delete from changes`)
  await contest.team()
  await reader.next('resync')
})

test('without Accept the response ends after the missed events', async () => {
  const team = await contest.team()
  const first = await contest.call(openStream, {})
  if (first.kind !== 'goodStream') throw new Error(first.kind)
  const [hello] = eventsIn(first.data)
  expect(hello).toMatchObject({ name: 'hello', data: { phase: 'running', now: noon } })
  await solve('web', team.id)
  const headers = { 'last-event-id': hello?.id ?? '' }
  const second = await contest.call(openStream, { headers })
  if (second.kind !== 'goodStream') throw new Error(second.kind)
  expect(eventsIn(second.data).map(({ name }) => name)).toContain('solves')
})

test('the headers ask proxies neither to buffer nor to change the stream', async () => {
  const { response } = await listen({ headers: { 'accept-encoding': 'br, gzip' } })
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
    'strict-transport-security': expect.any(String),
  })
  expect(response.headers.has('content-encoding')).toBe(false)
  expect((await fetch(contest.url + openStream.path, { method: 'HEAD' })).status).toBe(200)
})

test('streams are limited by address, by team and in total', async () => {
  const streams = { max: 5, maxPerAddress: 2, maxPerTeam: 2 }
  contest = await start({ config: { http: { streams }, proxy: { trust: ['loopback'] } } })
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
  const refusal = async ({ response }: StreamReader) => ({
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
  })
  const first = await listen(from('192.0.2.1'))
  await listen(from('192.0.2.1'))
  expect(await refusal(await listen(from('192.0.2.1')))).toEqual({ status: 429, retryAfter: '30' })
  first.close()
  await eventually(async () => expect((await listen(from('192.0.2.1'))).response.status).toBe(200))
  const { token } = await contest.team()
  await listen({ token, ...from('192.0.2.2') })
  await listen({ token, ...from('192.0.2.3') })
  expect(await refusal(await listen({ token, ...from('192.0.2.4') }))).toEqual({
    status: 429,
    retryAfter: '30',
  })
  await listen(from('192.0.2.5'))
  expect(await refusal(await listen(from('192.0.2.6')))).toEqual({ status: 503, retryAfter: '2' })
})

test('streams admitted at the same time keep the limit, and a refusal can be found in the log', async () => {
  contest = await start({ config: { http: { streams: { maxPerAddress: 2 } } } })
  // All of them wait for the same look at the change log, and are admitted before one is open.
  const answers = await Promise.all([1, 2, 3, 4].map(() => readStream(contest.url, { lastEventId: idAhead })))
  readers.push(...answers)
  const refused = answers.map(({ response }) => response).filter(({ ok }) => !ok)
  expect(refused.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
    [429, '30'],
    [429, '30'],
  ])
  const logged = contest.logLines.filter(({ message }) => message === 'refused')
  const ids = logged.map(({ fields }) => (fields as { requestId: string }).requestId)
  expect(refused.map(({ headers }) => headers.get('x-request-id')).toSorted()).toEqual(ids.toSorted())
})

test('the stream of a token ends when the token does', async () => {
  const team = await contest.team()
  const [own, anonymous] = [await listen({ token: team.token }), await listen()]
  contest.clock.advance(1000)
  await contest.call(signOutEverywhere, { token: team.token })
  await eventually(() => expect(own.isEnded()).toBe(true))
  expect(anonymous.isEnded()).toBe(false)
})

test('a shutdown ends all streams immediately', async () => {
  const replica = await start({ beside: contest })
  const reader = await listen({}, replica)
  contests.splice(contests.indexOf(replica), 1)
  await replica[Symbol.asyncDispose]()
  await eventually(() => expect(reader.isEnded()).toBe(true))
  expect(reader.events.map(({ name }) => name)).toEqual(['hello'])
})

test('a team hears of its instances and bot jobs, and no other team does', async () => {
  const local = { instancers: { local: { name: 'instancers/memory' } }, ...botConfig }
  contest = await start({ config: local })
  await addBotChallenge(contest, 'xss')
  const expose = [
    { kind: 'tcp', hostPrefix: 'a', containerName: 'a', containerPort: 80, shouldDisplay: true },
  ]
  const instancerConfig = { challengeIntegrationId: 'i', config: {}, expose, timeoutMilliseconds: 60_000 }
  await putChallenge(contest.db, challengeRow('web', { instancerConfig }))
  const [team, other] = [await contest.team(), await contest.team()]
  const [own, others] = [await listen({ token: team.token }), await listen({ token: other.token })]
  const request = { token: team.token, params: { id: 'web' } }
  expect(await contest.call(startInstance, { ...request, body: {} })).toMatchObject({
    kind: 'goodInstanceStatus',
  })
  expect((await own.next('instance')).data).toEqual({ challengeIds: ['web'] })
  await contest.call(stopInstance, request)
  await own.next('instance')
  await submit(contest, team)
  expect((await own.next('adminBot')).data).toEqual({ challengeIds: ['xss'] })
  const pull = { token: botSecret, body: {}, query: {} }
  const pulled = await contest.call(pullAdminBotJob, pull)
  await own.next('adminBot')
  const id = pulled.kind === 'goodAdminBotJobPull' ? (pulled.data.job?.id ?? '') : ''
  await contest.call(completeAdminBotJob, { token: botSecret, params: { id }, body: {} })
  await own.next('adminBot')
  // A later event for everyone, before which the other team would have received them.
  await putChallenge(contest.db, challengeRow('last'))
  await others.next('challenges')
  expect(others.events.some(({ name }) => name === 'instance' || name === 'adminBot')).toBe(false)
})
