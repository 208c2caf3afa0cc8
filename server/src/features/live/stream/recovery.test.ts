import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { openStream, STREAM_TYPE } from '@pennant/contract/stream.ts'
import { afterEach, expect, test } from 'vitest'
import sql from 'sql-template-tag'
import { putChallenge } from '../../../../test/contest-data.ts'
import { challengeRow } from '../../../../test/contest-rows.ts'
import { eventually } from '../../../../test/eventually.ts'
import { startContest, type Contest, type ContestOptions } from '../../../../test/harness.ts'
import { idAhead, readStream, seqOf, type ReaderOptions, type StreamReader } from '../../../../test/stream.ts'
import { announcementRows } from '../../news/announcements/rows.ts'

const contests: Contest[] = []
const readers: StreamReader[] = []

afterEach(async () => {
  for (const reader of readers.splice(0)) reader.close()
  for (const each of contests.splice(0).toReversed()) await each[Symbol.asyncDispose]()
})

async function start(options: ContestOptions = {}): Promise<Contest> {
  const started = await startContest({ config: { proxy: { trust: ['loopback'] } }, ...options })
  contests.push(started)
  return started
}

async function listen(at: Contest, options: ReaderOptions = {}): Promise<StreamReader> {
  const reader = await readStream(at.url, options)
  readers.push(reader)
  if (reader.response.ok) await reader.next('hello')
  return reader
}

const ROWS = 100
/** Bytes of one event about all rows: far more than a connection may leave unread. */
const EVENT_BYTES = ROWS * 10_000

/** Announces to everyone in one entry of the change log. */
async function announce({ db }: Contest, round: number): Promise<void> {
  await db.change(async (tx) => {
    const rows = await tx.query<{ id: string }>(sql`
      insert into announcements (id, title, content, severity, audience, pinned, forward, publish_at)
      select 'row-' || n, 'round ' || ${round}::int, repeat('x', 10000), 'info', '{"kind": "all"}', false, false,
        '2020-01-01'
      from generate_series(1, ${ROWS}::int) as n
      on conflict (id) do update set title = excluded.title
      returning id`)
    const ids = rows.map(({ id }) => id)
    tx.changed(announcementRows, ids)
  })
}

const idsOf = (...each: StreamReader[]) =>
  each.flatMap(({ events }) => events.filter(({ name }) => name === 'announcements').map(({ id }) => id))

/** Whether another stream may be opened from the address. */
async function hasRoom({ url }: Contest, address: string): Promise<boolean> {
  const headers = { accept: STREAM_TYPE, 'x-forwarded-for': address }
  const request = get(url + openStream.path, { agent: false, headers })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  request.destroy()
  return response.statusCode === 200
}

test('a reader that does not read is cut off, and resumes without a gap or a repeat', async () => {
  const contest = await start({
    config: {
      http: { streams: { max: 10, maxPerAddress: 1, maxPerTeam: 1 } },
      proxy: { trust: ['loopback'] },
    },
  })
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
  const slow = await listen(contest, from('192.0.2.1'))
  const whole = await listen(contest, from('192.0.2.2'))
  const resume = slow.pause()
  // The buffers of the kernel and of the client come first.
  const maxRounds = 40
  let rounds = 0
  while (rounds < maxRounds && !(await hasRoom(contest, '192.0.2.1'))) {
    rounds += 1
    await announce(contest, rounds)
    await eventually(() => expect(idsOf(whole)).toHaveLength(rounds))
  }
  expect(rounds).toBeLessThan(maxRounds)
  expect(rounds * EVENT_BYTES).toBeGreaterThan(256 * 1024)
  await announce(contest, rounds + 1)
  resume()
  await eventually(() => expect(slow.isEnded()).toBe(true))
  expect(idsOf(slow).length).toBeLessThan(rounds + 1)
  expect(whole.isEnded()).toBe(false)

  const resumed = await listen(contest, { lastEventId: slow.lastEventId(), ...from('192.0.2.3') })
  await announce(contest, rounds + 2)
  await eventually(() => {
    expect(idsOf(whole)).toHaveLength(rounds + 2)
    expect(idsOf(slow, resumed)).toEqual(idsOf(whole))
  })
  expect(resumed.events.some(({ name }) => name === 'resync')).toBe(false)
})

test('a client that missed more than a connection may leave unread gets all of it, in pieces', async () => {
  const contest = await start()
  const whole = await listen(contest)
  await putChallenge(contest.db, challengeRow('web'))
  const { id: lastEventId } = await whole.next('challenges')
  const missed = 8
  for (let round = 1; round <= missed; round += 1) {
    await announce(contest, round)
    await eventually(() => expect(idsOf(whole)).toHaveLength(round))
  }
  const resumed = await listen(contest, { lastEventId })
  await announce(contest, missed + 1)
  await eventually(() => {
    expect(idsOf(whole)).toHaveLength(missed + 1)
    expect(idsOf(resumed)).toEqual(idsOf(whole))
  })
  expect(resumed.isEnded()).toBe(false)
  expect(resumed.events.some(({ name }) => name === 'resync')).toBe(false)
})

test('a restarted replica continues from the latest position, and resyncs from an earlier one', async () => {
  const contest = await start()
  const replica = await start({ beside: contest })
  const reader = await listen(replica)
  await putChallenge(contest.db, challengeRow('web'))
  const { id: early } = await reader.next('challenges')
  await putChallenge(contest.db, challengeRow('pwn'))
  const { id: latest } = await reader.next('challenges')
  contests.splice(contests.indexOf(replica), 1)
  await replica[Symbol.asyncDispose]()

  const restarted = await start({ beside: contest })
  const current = await listen(restarted, { lastEventId: latest })
  const old = await listen(restarted, { lastEventId: early })
  const resync = await old.next('resync')
  // It says where to continue after everything was read again.
  expect(seqOf(resync.id)).toBe(seqOf(latest))
  await putChallenge(contest.db, challengeRow('misc'))
  const { id, data } = await current.next('challenges')
  expect(data.released).toMatchObject([{ id: 'misc' }])
  expect(await old.next('challenges')).toMatchObject({ id, data })
  expect(current.events.some(({ name }) => name === 'resync')).toBe(false)
})

test('a replica that restarted while things changed never loses them silently', async () => {
  const contest = await start()
  const replica = await start({ beside: contest })
  const reader = await listen(replica)
  await putChallenge(contest.db, challengeRow('web'))
  const { id } = await reader.next('challenges')
  contests.splice(contests.indexOf(replica), 1)
  await replica[Symbol.asyncDispose]()
  await putChallenge(contest.db, challengeRow('missed'))

  const restarted = await start({ beside: contest })
  const resumed = await listen(restarted, { lastEventId: id })
  await resumed.next('resync')
  // The replica that kept running has the entry itself.
  const elsewhere = await listen(contest, { lastEventId: id })
  expect((await elsewhere.next('challenges')).data.released).toMatchObject([{ id: 'missed' }])
})

test('a stream that ends makes room for another one of its team, from any address', async () => {
  const streams = { max: 10, maxPerAddress: 10, maxPerTeam: 1 }
  const contest = await start({ config: { http: { streams }, proxy: { trust: ['loopback'] } } })
  const { token } = await contest.team()
  const from = (address: string) => ({ token, headers: { 'x-forwarded-for': address } })
  const first = await listen(contest, from('192.0.2.1'))
  expect((await listen(contest, from('192.0.2.2'))).response.status).toBe(429)
  expect((await listen(contest, { headers: { 'x-forwarded-for': '192.0.2.2' } })).response.status).toBe(200)
  first.close()
  await eventually(
    async () => expect((await listen(contest, from('192.0.2.3'))).response.status).toBe(200),
    50,
  )
})

test('a client that is gone before its stream opens takes no place', async () => {
  const streams = { max: 10, maxPerAddress: 1, maxPerTeam: 1 }
  const contest = await start({ config: { http: { streams }, proxy: { trust: ['loopback'] } } })
  const headers = { accept: STREAM_TYPE, 'x-forwarded-for': '192.0.2.1', 'last-event-id': idAhead }
  // The position is ahead, so the server looks at the change log first, which it cannot read yet.
  const waiting = contest.db.transaction(async (tx) => {
    await tx.query(sql`lock table changes`)
    const stop = new AbortController()
    const gone = fetch(contest.url + openStream.path, { headers, signal: stop.signal })
    const blocked = sql`
      select 1 from pg_locks where relation = 'changes'::regclass and not granted`
    await eventually(async () => expect(await tx.query(blocked)).not.toEqual([]))
    stop.abort()
    await expect(gone).rejects.toThrow()
    // The server notices that before it answers a later request.
    await (await fetch(`${contest.url}/healthz`)).text()
  })
  await waiting
  // Waits for the same look at the log.
  const ahead = { lastEventId: idAhead, headers: { 'x-forwarded-for': '192.0.2.2' } }
  await (await listen(contest, ahead)).next('resync')
  await eventually(async () => expect(await hasRoom(contest, '192.0.2.1')).toBe(true), 50)
})

test('streams that are requested at the same time do not exceed the limits together', async () => {
  const streams = { max: 10, maxPerAddress: 2, maxPerTeam: 1 }
  const contest = await start({ config: { http: { streams }, proxy: { trust: ['loopback'] } } })
  let requested: Promise<StreamReader[]> = Promise.resolve([])
  await contest.db.transaction(async (tx) => {
    await tx.query(sql`lock table changes`)
    // All of them wait for the same look at the log.
    requested = Promise.all(
      Array.from({ length: 6 }, () => readStream(contest.url, { lastEventId: idAhead })),
    )
    await (await fetch(`${contest.url}/healthz`)).text()
  })
  readers.push(...(await requested))
  const statuses = (await requested).map(({ response }) => response.status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(2)
  for (const { response } of await requested)
    if (!response.ok) expect(response.headers.get('retry-after')).toBe('30')
})
