import { listActions } from '@pennant/contract/actions.ts'
import * as contract from '@pennant/contract/mailings.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { personIn } from '../../../../test/people.ts'

const email = { provider: { name: 'emails/memory' }, from: 'ctf@ctf.example', perMinute: 6000 }

let contest: Contest
let admin: Member
beforeEach(async () => {
  contest = await startContest({ config: { email, divisions: { open: 'Open', school: 'School' } } })
  admin = await contest.admin()
  await contest.db.change(async (tx) => {
    await tx.query(sql`
      insert into teams (id, name, email, division, extrank_id) values
        ('a', 'Alpha', 'a@a.example', 'open', null), ('b', 'Beta <b>$&', 'B@b.example', 'school', null),
        ('c', 'No mail', null, 'school', '7')`)
    tx.changed('teams', ['a', 'b', 'c'])
  })
  await personIn(contest, 'b', { name: 'Bob', email: 'bob@b.example' })
  await personIn(contest, 'b', { name: 'Twin', email: 'b@b.example' })
})
afterEach(() => contest[Symbol.asyncDispose]())

type Data = Parameters<typeof contest.call<typeof contract.previewMailing>>[1]['body']['data']

const mailing = (to: Partial<Data['to']> = {}, changes: Partial<Data> = {}): Data => ({
  subject: 'Flags & prizes',
  content: 'Dear {name},\n\nsee https://ctf.example/scores?a=1&b=2.\n<script>',
  topic: 'event',
  to: { addresses: 'teams', status: { include: ['active'] }, ...to },
  ...changes,
})
const preview = async (data: Data) => {
  const response = await contest.call(contract.previewMailing, { token: admin.token, body: { data } })
  if (response.kind !== 'goodMailingPreview') throw new Error(response.kind)
  return response.data
}
const create = (data: Data, count: number) =>
  contest.call(contract.createMailing, { token: admin.token, body: { data: { ...data, count } } })
const sent = (count: number) => vi.waitUntil(() => contest.mails.length === count, { timeout: 60_000 })

test('counts each address once, and who has none', async () => {
  expect(await preview(mailing())).toMatchObject({ count: 2, withoutAddress: 1, optedOut: 0, minutes: 1 })
  expect(await preview(mailing({ addresses: 'both' }))).toMatchObject({ count: 3 })
  expect(await preview(mailing({ addresses: 'people' }))).toMatchObject({ count: 2, withoutAddress: 0 })
  expect(await preview(mailing({ ids: ['a', 'c', 'gone'] }))).toMatchObject({ count: 1, withoutAddress: 1 })
  expect(await preview(mailing({ search: 'beta' }))).toMatchObject({ count: 1 })
})

test('sends what the preview shows, with texts of others escaped', async () => {
  const data = mailing({ search: 'beta' })
  const { text, html } = await preview(data)
  expect(text).toContain('Dear Beta <b>$&,')
  expect(html).toContain('Dear Beta &lt;b&gt;$&amp;,')
  expect(html).toContain('<a href="https://ctf.example/scores?a=1&amp;b=2">')
  expect(html).not.toContain('<script>')
  expect((await create(data, 1)).kind).toBe('goodMailingCreate')
  await sent(1)
  const [mail] = contest.mails
  expect(mail).toMatchObject({ to: 'B@b.example', subject: '[Pennant] Flags & prizes', text, html })
  expect(mail).not.toHaveProperty('unsubscribeUrl')
  const { data: actions } = await contest.call(listActions, { token: admin.token, query: { limit: '1' } })
  expect(actions).toMatchObject({ actions: [{ action: 'mailing.create', after: { count: 1 } }] })
})

test('sends nothing if another number of addresses would get it', async () => {
  expect(await create(mailing(), 3)).toMatchObject({ kind: 'badMailingChanged', data: { count: 2 } })
  expect((await create(mailing({ search: 'nothing' }), 1)).kind).toBe('badMailingReceivers')
  expect((await contest.call(contract.listMailings, { token: admin.token })).data).toMatchObject({
    mailings: [],
  })
})

test('an address that unsubscribed gets mail about the event only', async () => {
  const other = mailing({}, { topic: 'other' })
  await create(other, 2)
  await sent(2)
  const url = new URL(contest.mails[1]?.unsubscribeUrl ?? '')
  // As mail programs do: RFC 8058.
  const post = (search: string) =>
    fetch(`${contest.url}${url.pathname}${search}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
  const unsubscribe = (token: string) => contest.call(contract.unsubscribe, { query: { token } })
  expect((await unsubscribe('forged')).kind).toBe('badUnsubscribeToken')
  expect((await post('?token=forged')).status).toBe(400)
  expect((await post(`?token=${encodeURIComponent(admin.token)}`)).status).toBe(400)
  expect((await post(url.search)).status).toBe(200)
  expect((await post(url.search)).status).toBe(200)
  expect((await unsubscribe(url.searchParams.get('token') ?? '')).kind).toBe('goodUnsubscribe')
  expect(await preview(other)).toMatchObject({ count: 1, optedOut: 1 })
  expect(await preview(mailing())).toMatchObject({ count: 2, optedOut: 0 })
})

test('is paced, and stopping withdraws what waits', async () => {
  await using slow = await startContest({ beside: contest, config: { email: { ...email, perMinute: 1 } } })
  const body = { data: { ...mailing(), count: 2 } }
  const made = await slow.call(contract.createMailing, { token: admin.token, body })
  if (made.kind !== 'goodMailingCreate') throw new Error(made.kind)
  expect(made.data.mailing).toMatchObject({ count: 2, waiting: 2, stopped: false })
  const rows = await contest.db.query<{ s: number }>(sql`
    select round(extract(epoch from due_at - clock_timestamp()) / 60)::int as s from outbox order by due_at`)
  expect(rows.map(({ s }) => s)).toEqual([1, 2])
  const params = { id: made.data.mailing.id }
  const stopped = await contest.call(contract.stopMailing, { token: admin.token, params })
  expect(stopped.data).toMatchObject({ mailing: { waiting: 0, stopped: true } })
  expect(await contest.db.query(sql`select from outbox`)).toEqual([])
  expect((await contest.call(contract.stopMailing, { token: admin.token, params: { id: 'x' } })).kind).toBe(
    'badMailing',
  )
})

test('a test goes to the organiser alone', async () => {
  const tested = await contest.call(contract.testMailing, { token: admin.token, body: { data: mailing() } })
  expect(tested.kind).toBe('goodMailingTest')
  await sent(1)
  expect(contest.mails.map(({ to }) => to)).toEqual([(tested.data as { address: string }).address])
})

test('is for organisers who manage teams, and needs mail', async () => {
  const judge = await contest.admin(1)
  const refused = await contest.call(contract.previewMailing, {
    token: judge.token,
    body: { data: mailing() },
  })
  expect(refused.kind).toBe('badPerms')
  await using silent = await startContest()
  const { token } = await silent.admin()
  const body = { data: { ...mailing(), count: 1 } }
  expect((await silent.call(contract.createMailing, { token, body })).kind).toBe('badEndpoint')
  for (const route of [contract.previewMailing, contract.testMailing])
    expect((await silent.call(route, { token, body: { data: mailing() } })).kind).toBe('badEndpoint')
  expect((await silent.call(contract.listMailings, { token })).kind).toBe('badEndpoint')
})

test('a test needs an address, and only so many mails wait', async () => {
  const request = { token: admin.token, body: { data: mailing() } }
  await contest.db.query(sql`
    insert into outbox (id, kind, payload, due_at)
    select gen_random_uuid(), 'mailing', '{}', clock_timestamp() + interval '1 year' from generate_series(1, ${contract.mailingLimits.waiting - 1})`)
  expect(await create(mailing(), 2)).toMatchObject({
    kind: 'badMailingCount',
    data: { max: contract.mailingLimits.waiting },
  })
  await contest.db.change(async (tx) => {
    await tx.query(sql`update teams set email = null, extrank_id = '8' where id = ${admin.id}`)
    tx.changed('teams', [admin.id])
  })
  expect((await contest.call(contract.testMailing, request)).kind).toBe('badMailingAddress')
})

test('refuses malformed mail', async () => {
  for (const changes of [
    { subject: 'two\nlines' },
    { subject: '' },
    { content: ' ' },
    { content: 'x'.repeat(20_001) },
  ])
    expect((await create(mailing({}, changes), 2)).kind, JSON.stringify(changes).slice(0, 40)).toBe('badBody')
})
