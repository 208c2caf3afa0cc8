import * as contract from '@pennant/contract/messages.ts'
import { HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import { permissions, roles } from '@pennant/contract/permissions.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { putChallenge, setBanned } from '../../../../test/contest-data.ts'
import { challengeRow } from '../../../../test/contest-rows.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { adminThread, answer, ask } from '../../../../test/message-threads.ts'
import { readStream, type StreamReader } from '../../../../test/stream.ts'

let contest: Contest
let team: Member
let other: Member
let support: Member
const readers: StreamReader[] = []

beforeEach(async () => {
  contest = await startContest()
  team = await contest.team('anchor')
  other = await contest.team('buoy')
  support = await contest.admin(roles.support)
  await putChallenge(contest.db, challengeRow('web'))
})
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.close()
  await contest[Symbol.asyncDispose]()
})

async function listen({ token }: Member): Promise<StreamReader> {
  const reader = await readStream(contest.url, { token })
  readers.push(reader)
  await reader.next('hello')
  return reader
}

async function listFor({ token }: Member) {
  const listed = await contest.call(contract.listMessageThreads, { token })
  if (listed.kind !== 'goodMessageThreads') throw new Error(listed.kind)
  return listed.data
}

async function readFor({ token }: Member, id: string) {
  const read = await contest.call(contract.readMessageThread, { token, params: { id } })
  if (read.kind !== 'goodMessageThread') throw new Error(read.kind)
  return read.data
}

const write = ({ token }: Member, id: string, content = 'More') =>
  contest.call(contract.writeMessage, { token, params: { id }, body: { content } })

const start = ({ token }: Member, question: object = {}) =>
  contest.call(contract.startMessageThread, { token, body: { subject: 'a', content: 'b', ...question } })

const markRead = ({ token }: Member, id: string, number: number) =>
  contest.call(contract.markMessagesRead, { token, params: { id }, body: { number } })

async function setOptions(patch: object) {
  const { version } = await optionsNow()
  const body = { data: { version, ...patch } }
  const saved = await contest.call(contract.updateMessageOptions, { token: support.token, body })
  expect(saved.kind).toBe('goodMessageOptions')
}

async function optionsNow() {
  const read = await contest.call(contract.readMessageOptions, { token: support.token })
  if (read.kind !== 'goodMessageOptions') throw new Error(read.kind)
  return read.data.options
}

describe('a thread', () => {
  test('goes from the question to the answer, and the team sees what is unread', async () => {
    const { id } = await ask(contest, team, { challengeId: 'web' })
    expect(await listFor(team)).toMatchObject({
      threads: [{ id, subject: 'Is it down?', challengeId: 'web', answered: false, unread: 0 }],
      unread: 0,
      state: 'open',
    })
    expect((await answer(contest, support, { id })).kind).toBe('goodAdminMessageUpdate')
    expect(await listFor(team)).toMatchObject({ threads: [{ answered: true, unread: 1 }], unread: 1 })
    const { messages } = await readFor(team, id)
    expect(messages).toMatchObject([
      { number: 1, fromTeam: true, content: 'I cannot reach it.' },
      { number: 2, fromTeam: false, content: 'It is up again.' },
    ])
    // Who of the organisers answered is not the team's business.
    expect(JSON.stringify(messages)).not.toContain(support.id)
    expect(await markRead(team, id, 2)).toMatchObject({ kind: 'goodMessageRead', data: { unread: 0 } })
    expect(await markRead(team, id, 200)).toMatchObject({ kind: 'goodMessageRead', data: { unread: 0 } })
    expect((await listFor(team)).unread).toBe(0)
  })

  test('is read by what the team writes itself', async () => {
    const { id } = await ask(contest, team)
    await answer(contest, support, { id })
    expect((await write(team, id)).kind).toBe('goodMessageSend')
    expect(await listFor(team)).toMatchObject({ threads: [{ answered: false, unread: 0 }], unread: 0 })
  })

  test('does not exist for other teams, on any route', async () => {
    const { id } = await ask(contest, team, { subject: 'Secret subject' })
    await answer(contest, support, { id, content: 'Secret answer' })
    const [token, params] = [other.token, { id }]
    const replies = [
      await contest.call(contract.readMessageThread, { token, params }),
      await write(other, id),
      await markRead(other, id, 1),
    ]
    expect(replies.map(({ kind }) => kind)).toEqual(Array.from({ length: 3 }, () => 'badMessageThread'))
    const missing = { id: 'none' }
    const unknown = [
      await contest.call(contract.readMessageThread, { token, params: missing }),
      await write(other, 'none'),
      await markRead(other, 'none', 1),
    ]
    // Indistinguishable from a thread that does not exist.
    expect(replies).toEqual(unknown)
    const body = { data: { version: 3 } }
    const asOrganiser = [
      await contest.call(contract.listAdminMessageThreads, { token, query: { limit: '10', offset: '0' } }),
      await contest.call(contract.readAdminMessageThread, { token, params }),
      await contest.call(contract.answerMessageThread, {
        token,
        params,
        body: { data: { version: 3, content: 'a' } },
      }),
      await contest.call(contract.updateMessageThread, { token, params, body }),
      await contest.call(contract.readMessageOptions, { token }),
      await contest.call(contract.updateMessageOptions, { token, body }),
    ]
    expect(asOrganiser.map(({ kind }) => kind)).toEqual(Array.from({ length: 6 }, () => 'badPerms'))
    expect(await listFor(other)).toEqual({ threads: [], unread: 0, state: 'open' })
    expect((await readFor(team, id)).thread).toMatchObject({ unread: 1, closed: false })
  })

  test('needs a token', async () => {
    const params = { id: 'none' }
    const kinds = [
      await contest.call(contract.listMessageThreads, {}),
      await contest.call(contract.readMessageThread, { params }),
      await contest.call(contract.startMessageThread, { body: { subject: 'a', content: 'b' } }),
      await contest.call(contract.writeMessage, { params, body: { content: 'b' } }),
      await contest.call(contract.markMessagesRead, { params, body: { number: 1 } }),
    ].map(({ kind }) => kind)
    expect(kinds).toEqual(Array.from({ length: 5 }, () => 'badToken'))
  })

  test('keeps hostile texts as they were written', async () => {
    const content =
      "<script>alert(1)</script> [a](javascript:alert(1)) \u202e\u{10ffff} '; drop table teams; --"
    const { id } = await ask(contest, team, { subject: `<b>${"'"}"`, content })
    expect(await readFor(team, id)).toMatchObject({ thread: { subject: `<b>'"` }, messages: [{ content }] })
    // PostgreSQL stores no NUL.
    expect(await start(team, { content: 'a\u0000b' })).toMatchObject({ kind: 'badBody' })
  })
})

describe('what is refused', () => {
  test('empty and long texts', async () => {
    for (const question of [
      { subject: ' ' },
      { content: ' ' },
      { subject: 'a'.repeat(121) },
      { content: 'a'.repeat(4001) },
    ]) {
      expect(await start(team, question)).toMatchObject({ kind: 'badBody' })
      contest.clock.advance(MINUTE_MS)
    }
    const { id } = await ask(contest, team, { subject: 'a'.repeat(120), content: 'a'.repeat(4000) })
    expect(await write(team, id, 'a'.repeat(4001))).toMatchObject({ kind: 'badBody' })
    expect(await markRead(team, id, -1)).toMatchObject({ kind: 'badBody' })
  })

  test('questions about challenges that the team cannot see', async () => {
    await putChallenge(contest.db, challengeRow('hidden', { hidden: true }))
    for (const challengeId of ['hidden', 'none'])
      expect(await start(team, { challengeId })).toMatchObject({ kind: 'badChallenge' })
    const early = await startContest({
      config: { startTime: contest.clock.now() + HOUR_MS, endTime: contest.clock.now() + 2 * HOUR_MS },
    })
    try {
      await putChallenge(early.db, challengeRow('web'))
      const { token } = await early.team()
      const body = { subject: 'a', content: 'b', challengeId: 'web' }
      expect((await early.call(contract.startMessageThread, { token, body })).kind).toBe('badChallenge')
      const author = await early.admin(roles.author)
      const asked = await early.call(contract.startMessageThread, { token: author.token, body })
      expect(asked.kind).toBe('goodMessageSend')
    } finally {
      await early[Symbol.asyncDispose]()
    }
  })

  test('a sixth open thread, until one is closed; the 101st thread; the 201st message', async () => {
    const threads = []
    for (let count = 0; count < 5; count += 1) threads.push(await ask(contest, team))
    expect(await start(team)).toMatchObject({ kind: 'badMessageCount', data: { max: 5 } })
    const id = threads[0]?.id ?? ''
    const { thread } = await adminThread(contest, support, id)
    const body = { data: { version: thread.version, closed: true } }
    await contest.call(contract.updateMessageThread, { token: support.token, params: { id }, body })
    expect(await write(team, id)).toMatchObject({ kind: 'badMessageThreadClosed' })
    expect(await start(team)).toMatchObject({ kind: 'goodMessageSend' })
    const full = threads[1]?.id ?? ''
    await contest.db.query(sql`update message_threads set message_count = 200 where id = ${full}`)
    expect(await write(team, full)).toMatchObject({ kind: 'badMessageCount', data: { max: 200 } })
    expect(await answer(contest, support, { id: full })).toMatchObject({ kind: 'badMessageCount' })
    await contest.db.query(sql`
      insert into message_threads (id, team_id, subject, closed, created_at, last_message_at)
      select 'n' || i, ${other.id}, 'n', true, now(), now() from generate_series(1, 100) i`)
    expect(await start(other)).toMatchObject({ kind: 'badMessageCount', data: { max: 100 } })
  })

  test('more than twenty messages in five minutes, of this team alone', async () => {
    const sent = await start(team)
    if (sent.kind !== 'goodMessageSend') throw new Error(sent.kind)
    for (let count = 1; count < 20; count += 1) {
      expect((await write(team, sent.data.thread.id)).kind).toBe('goodMessageSend')
    }
    expect(await write(team, sent.data.thread.id)).toMatchObject({ kind: 'badRateLimit' })
    expect(await start(team)).toMatchObject({ kind: 'badRateLimit' })
    expect((await start(other)).kind).toBe('goodMessageSend')
  })

  test('whatever a banned team writes; it reads on', async () => {
    const { id } = await ask(contest, team)
    await setBanned(contest.db, team.id, true)
    expect((await start(team)).kind).toBe('badPerms')
    expect((await write(team, id)).kind).toBe('badPerms')
    expect(await answer(contest, support, { id, content: 'You were banned because …' })).toMatchObject({
      kind: 'goodAdminMessageUpdate',
    })
    expect(await readFor(team, id)).toMatchObject({ state: 'banned', messages: [{}, { number: 2 }] })
    expect(await markRead(team, id, 2)).toMatchObject({ data: { unread: 0 } })
  })
})

describe('when teams may write', () => {
  test('not while messages are turned off; the threads stay', async () => {
    const { id } = await ask(contest, team)
    await setOptions({ enabled: false })
    expect(await start(team)).toMatchObject({ kind: 'badMessagesClosed', data: { state: 'off' } })
    expect(await write(team, id)).toMatchObject({ kind: 'badMessagesClosed', data: { state: 'off' } })
    expect(await listFor(team)).toMatchObject({ state: 'off', threads: [{ id }] })
    await setOptions({ enabled: true })
    expect((await write(team, id)).kind).toBe('goodMessageSend')
  })

  test('before the start and after the end, if the options say so', async () => {
    await contest.db.change(async (tx) => {
      const startTime = contest.clock.now() + HOUR_MS
      const data = JSON.stringify({ startTime, endTime: startTime + HOUR_MS })
      await tx.query(sql`update settings set data = ${data}, version = version + 1`)
      tx.changed('settings', [])
    })
    expect((await listFor(team)).state).toBe('open')
    await setOptions({ beforeStart: false, afterEnd: false })
    expect(await start(team)).toMatchObject({ kind: 'badMessagesClosed', data: { state: 'before' } })
    contest.clock.advance(HOUR_MS)
    expect((await start(team)).kind).toBe('goodMessageSend')
    contest.clock.advance(HOUR_MS)
    expect(await start(team)).toMatchObject({ kind: 'badMessagesClosed', data: { state: 'ended' } })
    await setOptions({ afterEnd: true })
    expect((await start(team)).kind).toBe('goodMessageSend')
  })
})

test('the stream tells the team and those who answer, and no one else', async () => {
  const author = await contest.admin(roles.author)
  const judge = await contest.admin(permissions.challsRead)
  const [own, others, queue, authors, judges] = [
    await listen(team),
    await listen(other),
    await listen(support),
    await listen(author),
    await listen(judge),
  ]
  const { id } = await ask(contest, team, { challengeId: 'web' })
  expect((await own.next('message')).data).toEqual({ threadIds: [id], queue: false })
  expect((await queue.next('message')).data).toEqual({ threadIds: [], queue: true })
  await authors.next('message')
  await answer(contest, support, { id })
  await own.next('message')
  await markRead(team, id, 2)
  await own.next('message')
  const resumed = await readStream(contest.url, {
    token: team.token,
    lastEventId: own.events.find(({ name }) => name === 'hello')?.id,
  })
  readers.push(resumed)
  await resumed.next('message')
  // A later event for everyone, before which the others would have received them.
  await putChallenge(contest.db, challengeRow('last'))
  for (const each of [others, judges]) {
    await each.next('challenges')
    expect(each.events.some(({ name }) => name === 'message')).toBe(false)
    expect(JSON.stringify(each.events)).not.toContain(id)
  }
})
