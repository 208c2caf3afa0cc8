import {
  createAnnouncement,
  deleteAnnouncement,
  updateAnnouncement,
} from '@pennant/contract/announcements.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { settleOutbox } from '../../../../test/mail.ts'
import { startMessageService, type MessageService } from '../../../../test/message-services.ts'

let options: Parameters<typeof startContest>[0]
let contest: Contest
let admin: Member
let discord: MessageService
let telegram: MessageService
let webhook: MessageService
const present = Date.now()

beforeEach(async () => {
  discord = await startMessageService('discord')
  telegram = await startMessageService('telegram')
  webhook = await startMessageService('webhook')
  const destinations = [
    { provider: { name: 'messages/discord', options: discord.options } },
    { provider: { name: 'messages/telegram', options: telegram.options } },
    { provider: { name: 'messages/webhook', options: webhook.options } },
  ]
  const config = {
    bloodBot: { bloodsCount: 1, destinations },
    startTime: present,
    endTime: present + HOUR_MS,
  }
  options = { config, startsAt: present }
  contest = await startContest(options)
  admin = await contest.admin()
})
afterEach(async () => {
  for (const each of [contest, discord, telegram, webhook]) await each[Symbol.asyncDispose]()
})

async function announce(data: object): Promise<string> {
  const body = { data: { title: 'News', forward: true, ...data } } as never
  const response = await contest.call(createAnnouncement, { token: admin.token, body })
  if (response.kind !== 'goodAnnouncementUpdate') throw new Error(response.kind)
  return response.data.announcement.id
}

async function edit(id: string, data: object) {
  const body = { data } as never
  expect(await contest.call(updateAnnouncement, { token: admin.token, params: { id }, body })).toMatchObject({
    kind: 'goodAnnouncementUpdate',
  })
}

/** As if the time of publication had come. */
async function makeDue() {
  await contest.db.query(sql`update outbox set due_at = clock_timestamp(), created_at = clock_timestamp()`)
}

test('sends an announcement once to every messenger, in its format, and not again after an edit', async () => {
  const id = await announce({ title: 'New *hint*!', content: 'Look at port 80.', severity: 'warning' })
  await settleOutbox(contest)
  await edit(id, { version: 1, title: 'Newer', forward: false })
  await edit(id, { version: 2, forward: true })
  await settleOutbox(contest)
  const url = 'https://ctf.example/announcements'
  expect(discord.accepted).toEqual([`[New \\*hint\\*!](${url})\n\nLook at port 80.`])
  expect(telegram.accepted).toEqual([
    `[New \\*hint\\*\\!](${url.replaceAll('.', '\\.')})\n\nLook at port 80\\.`,
  ])
  const [row] = await contest.db.query<{ at: number }>(sql`
    select floor(extract(epoch from publish_at) * 1000)::float8 as at from announcements`)
  expect(webhook.accepted).toEqual([
    {
      event: 'announcement',
      title: 'New *hint*!',
      content: 'Look at port 80.',
      severity: 'warning',
      time: row?.at,
      url,
    },
  ])
})

test('a scheduled one is sent at its time; rescheduling moves it, and withdrawing or deleting cancels it', async () => {
  const publishAt = present + HOUR_MS
  const [moved, withdrawn, deleted] = [
    await announce({ title: 'moved', publishAt }),
    await announce({ title: 'withdrawn', publishAt }),
    await announce({ title: 'deleted', publishAt }),
  ]
  const later = publishAt + HOUR_MS
  await edit(moved, { version: 1, publishAt: later })
  await edit(withdrawn, { version: 1, forward: false })
  await contest.call(deleteAnnouncement, { token: admin.token, params: { id: deleted } })
  const due = await contest.db.query<{ id: string; at: number }>(sql`
    select payload ->> 'announcement' as id, (extract(epoch from due_at) * 1000)::float8 as at from outbox`)
  expect(new Set(due.map(({ id, at }) => `${id} ${at}`))).toEqual(
    new Set([`${moved} ${later}`, `${withdrawn} ${publishAt}`]),
  )
  contest.clock.advance(2 * HOUR_MS)
  await makeDue()
  await settleOutbox(contest)
  expect(webhook.accepted).toMatchObject([{ title: 'moved' }])
  expect([discord.accepted.length, telegram.accepted.length]).toEqual([1, 1])
})

test('a worker whose clock is behind waits, and sends it then', async () => {
  await announce({ title: 'early', publishAt: present + HOUR_MS })
  await makeDue()
  await eventually(async () => {
    const rows = await contest.db.query<{ error: string }>(sql`select last_error as error from outbox`)
    expect(rows.map(({ error }) => error)).toEqual(Array.from({ length: 3 }, () => 'not published yet'))
  })
  expect(webhook.accepted).toEqual([])
  contest.clock.advance(HOUR_MS)
  await makeDue()
  await settleOutbox(contest)
  expect(webhook.accepted).toMatchObject([{ title: 'early' }])
})

test('two replicas send each announcement once', async () => {
  await using replica = await startContest({ ...options, beside: contest })
  const titles = Array.from({ length: 12 }, (_, at) => `News ${at}`)
  await Promise.all(
    titles.map((title, at) => {
      const { call } = at % 2 === 0 ? contest : replica
      const body = { data: { title, forward: true } }
      return call(createAnnouncement, { token: admin.token, body })
    }),
  )
  await settleOutbox(contest)
  expect(webhook.accepted.map((shown) => (shown as { title: string }).title).toSorted()).toEqual(
    titles.toSorted(),
  )
  expect([discord.accepted.length, telegram.accepted.length]).toEqual([12, 12])
})

test('what a process had claimed when it was killed is sent by the next one, with the same key', async () => {
  const publishAt = present + HOUR_MS
  const id = await announce({ title: 'Claimed', publishAt })
  contest.clock.advance(HOUR_MS)
  // A claim is an attempt and a later due time. No one reports its end: it expires.
  webhook.fail(1, 'nothing')
  await contest.db.query(sql`update outbox set attempts = 1`)
  await makeDue()
  await eventually(() => expect(webhook.asked).toHaveLength(1))
  await eventually(async () => {
    const rows = await contest.db.query<{ error: string | null }>(sql`select last_error as error from outbox`)
    expect(rows).toEqual([{ error: expect.any(String) }])
  })
  await makeDue()
  await settleOutbox(contest)
  expect([webhook.accepted.length, discord.accepted.length, telegram.accepted.length]).toEqual([1, 1, 1])
  // Receivers that have it already ignore the second one.
  expect(webhook.asked.map(({ headers }) => headers['idempotency-key'])).toEqual([id, id])
})

test('a long text is never cut inside a character, which messengers reject', async () => {
  await announce({ title: 'Long', content: `${'a'.repeat(999)}\u{1F6A9} and more` })
  await settleOutbox(contest)
  for (const { accepted } of [discord, telegram]) {
    expect(accepted).toHaveLength(1)
    expect(String(accepted[0]).isWellFormed()).toBe(true)
    expect(accepted[0]).toMatch(/a …$/)
  }
})
