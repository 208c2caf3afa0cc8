import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import sql from 'sql-template-tag'
import { HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import { openStream } from '@pennant/contract/stream.ts'
import { createWave } from '@pennant/contract/waves.ts'
import { putChallenge, putSolve } from '../../../../test/contest-data.ts'
import { challengeRow, solveRow } from '../../../../test/contest-rows.ts'
import { eventually } from '../../../../test/eventually.ts'
import { noon, startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { eventsIn, readStream, seqOf, type ReceivedEvent } from '../../../../test/stream.ts'
import { announcementRows } from '../../news/announcements/rows.ts'

// Reads of the stream that end, for clients whose proxy passes no stream on.

let contest: Contest
let solveCount = 0

beforeEach(async () => {
  contest = await startContest()
  await putChallenge(contest.db, challengeRow('web', { pointsMax: 100 }))
})
afterEach(() => contest[Symbol.asyncDispose]())

async function poll(after?: string, token?: string): Promise<ReceivedEvent[]> {
  const headers = after === undefined ? {} : { 'last-event-id': after }
  const response = await contest.call(openStream, { headers, token })
  if (response.kind !== 'goodStream') throw new Error(response.kind)
  return eventsIn(response.data)
}

async function solve(challengeId: string, teamId: string): Promise<void> {
  solveCount += 1
  await putSolve(contest.db, solveRow(solveCount, { challengeId, teamId, createdAt: contest.clock.now() }))
}

const lastId = (events: readonly ReceivedEvent[], before = '') =>
  events.findLast(({ id }) => id !== undefined)?.id ?? before
const named = (events: readonly ReceivedEvent[], wanted: string) =>
  events.filter(({ name }) => name === wanted).map(({ data }) => data)

/** Of a response without news. */
const quiet = ['hello', 'wave', 'position']

/** Polls until there is an event of that name. Returns it with the events and the id to go on from. */
async function pollFor(name: string, after: string, token?: string) {
  return await eventually(async () => {
    const events = await poll(after, token)
    const [data] = named(events, name)
    expect(data).toBeDefined()
    return { data, events, id: lastId(events, after) }
  })
}

test('each poll brings what happened since the last one, and only that', async () => {
  const [one, two] = [await contest.team('anchor'), await contest.team('binnacle')]
  await solve('web', one.id)
  const first = await poll()
  expect(first.map(({ name }) => name)).toEqual(['hello', 'position'])
  const start = lastId(first)
  await solve('web', two.id)
  const solved = await pollFor('solves', start, two.token)
  expect(solved.data.solves).toMatchObject([{ userName: 'binnacle', bloodIndex: 1 }])
  expect(named(solved.events, 'points')).toEqual([{ challenges: [{ id: 'web', points: 100, solves: 2 }] }])
  expect(named(solved.events, 'team')).toMatchObject([{ score: 100, globalPlace: 2 }])
  const after = await eventually(async () => {
    const events = await poll(solved.id, two.token)
    // Recorded ranks come later, and show nothing.
    const next = lastId(events, solved.id)
    expect((await poll(next, two.token)).map(({ name }) => name)).toEqual([
      'hello',
      'wave',
      'team',
      'position',
    ])
    return next
  })
  expect(seqOf(after)).toBeGreaterThanOrEqual(seqOf(solved.id) ?? Infinity)
})

test('only the rows and values that may have changed are sent again', async () => {
  // The times of entries are the database's.
  await contest[Symbol.asyncDispose]()
  contest = await startContest({
    startsAt: Date.now(),
    config: { startTime: Date.now() - HOUR_MS, endTime: Date.now() + HOUR_MS },
  })
  await putChallenge(contest.db, challengeRow('web', { pointsMax: 100 }))
  await putChallenge(contest.db, challengeRow('pwn', { pointsMax: 100 }))
  const teams = [await contest.team('anchor'), await contest.team('binnacle'), await contest.team('capstan')]
  const reader = await readStream(contest.url)
  for (const { id } of teams) await solve('web', id)
  await reader.next('points', ({ challenges: [value] }) => value.solves === 3)
  // What changed at the same time as the last entry is sent again.
  await solve('pwn', teams[1]?.id ?? '')
  const { id: at } = await reader.next('solves', ({ solves: [value] }) => value?.challengeId === 'pwn')
  reader.close()
  await solve('pwn', teams[0]?.id ?? '')
  const { events } = await pollFor('solves', at ?? '')
  const [data] = named(events, 'leaderboard')
  expect(data.total).toBe(3)
  expect(data.rows.map(({ name }: { name: string }) => name)).not.toContain('capstan')
  expect(named(events, 'points')).toEqual([{ challenges: [{ id: 'pwn', points: 100, solves: 2 }] }])
})

test('what organisers do with hidden things does not show, and the position moves past it', async () => {
  const before = lastId(await poll())
  const { token } = await contest.admin()
  await putChallenge(contest.db, challengeRow('secret', { hidden: true }))
  await putChallenge(contest.db, challengeRow('secret', { hidden: true, pointsMax: 300 }))
  await solve('secret', (await contest.team()).id)
  const wave = { name: 'Quiet', openAt: noon + HOUR_MS, force: true, challengeIds: ['secret'] }
  expect(await contest.call(createWave, { token, body: { data: wave } as never })).toMatchObject({
    kind: 'goodWave',
  })
  await contest.app.stores.follower.catchUp()
  const hidden = await poll(before)
  expect(hidden.map(({ name }) => name)).toEqual(quiet)
  expect(seqOf(lastId(hidden))).toBeGreaterThan((seqOf(before) ?? 0) + 4)
  // The same once more, when nothing has happened, except for the id.
  const after = await poll(lastId(hidden))
  expect(after.map(({ name }) => name)).toEqual(quiet)
  expect(lastId(after)).not.toBe(lastId(hidden))
  expect(lastId(after)).toHaveLength(lastId(hidden).length)
})

test('an open stream shows nothing of it either', async () => {
  const reader = await readStream(contest.url)
  await reader.next('hello')
  await putChallenge(contest.db, challengeRow('secret', { hidden: true }))
  await putChallenge(contest.db, challengeRow('secret', { hidden: true, pointsMax: 300 }))
  // When this arrives, what was before it has been sent: a public edit at the same time would be sent with it.
  await announce()
  await reader.next('announcements')
  await putChallenge(contest.db, challengeRow('web', { name: 'Renamed' }))
  await reader.next('challenges')
  // A heartbeat comes when it is due, whatever happens.
  const names = reader.events.map(({ name }) => name).filter((name) => name !== 'position')
  expect(names).toEqual(['hello', 'announcements', 'challenges'])
  reader.close()
})

test('a hidden edit does not show in the same batch as a public one either', async () => {
  const { id } = await contest.team()
  await putChallenge(contest.db, challengeRow('secret', { hidden: true }))
  const reader = await readStream(contest.url)
  await reader.next('hello')
  await solve('web', id)
  await reader.next('leaderboard')
  const seen = reader.events.length
  await contest.db.change(async (tx) => {
    await tx.query(sql`update challenges set points_max = 300, version = version + 1 where id = 'secret'`)
    tx.changed('challenges', ['secret'])
    await tx.query(sql`update challenges set name = 'Renamed', version = version + 1 where id = 'web'`)
    tx.changed('challenges', ['web'])
    await tx.query(sql`update teams set email = 'new@pennant.invalid' where id = ${id}`)
    tx.changed('teams', [id])
  })
  await reader.next('challenges')
  // The end of the same batch, or of a later one.
  await announce()
  await reader.next('announcements')
  expect(reader.events.slice(seen).filter(({ name }) => name === 'leaderboard')).toEqual([])
  reader.close()
})

async function announce(): Promise<void> {
  await contest.db.change(async (tx) => {
    await tx.query(sql`
      insert into announcements (id, title, content, severity, audience, pinned, forward, publish_at)
      values ('news', 'News', 'Text', 'info', '{"kind":"all"}', false, false, to_timestamp(${noon / 1000}::float8))`)
    tx.changed(announcementRows, ['news'])
  })
}

/** Logs more entries than fit into one response. */
async function logMuch(kind: 'challenges' | 'solves', ids: readonly string[]): Promise<void> {
  await contest.db.change(async (tx) => {
    await tx.query(sql`insert into changes (kind, ids) select ${kind}, ${ids} from generate_series(1, 1001)`)
    tx.changed(kind, ids)
  })
}

test('a client that missed too much for one response reads everything again', async () => {
  const before = lastId(await poll())
  await logMuch('challenges', ['web'])
  const { events, id } = await pollFor('resync', before)
  expect(named(events, 'challenges')).toEqual([])
  expect(named(await poll(id), 'resync')).toEqual([])
})

describe('during a freeze', () => {
  let team: Member

  beforeEach(async () => {
    // The times of entries are the database's.
    const startsAt = Date.now()
    await contest[Symbol.asyncDispose]()
    const times = { startTime: startsAt - HOUR_MS, endTime: startsAt + HOUR_MS }
    contest = await startContest({ startsAt, config: { ...times, freezeTime: startsAt - MINUTE_MS } })
    await putChallenge(contest.db, challengeRow('web'))
    team = await contest.team()
  })

  test('the length of a response says nothing about what others do', async () => {
    const before = lastId(await poll())
    await solve('web', team.id)
    await logMuch('solves', ['web', team.id])
    await contest.app.stores.follower.catchUp()
    expect((await poll(before)).map(({ name }) => name)).toEqual(quiet)
    await logMuch('challenges', ['web'])
    await pollFor('resync', before)
  })

  test('a solve is not mentioned when a process learns of its ranks at the same time', async () => {
    const reader = await readStream(contest.url)
    await reader.next('hello')
    await contest.db.change(async (tx) => {
      await tx.query(sql`
        insert into solves (id, challenge_id, team_id, created_at, ip)
        values (${randomUUID()}, 'web', ${team.id}, now(), '203.0.113.1')`)
      await tx.query(sql`
        insert into changes (kind, ids) select 'solves', ${['web', team.id]} from generate_series(1, 2)`)
      tx.changed('challenges', ['web'])
    })
    await reader.next('challenges')
    expect(named(reader.events, 'solves')).toEqual([])
    reader.close()
  })
})
