import { inspect } from 'node:util'
import sql from 'sql-template-tag'
import { afterEach, expect, test, vi } from 'vitest'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { putChallenge, putSettings } from '../../../../test/contest-data.ts'
import { challengeRow } from '../../../../test/contest-rows.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { settleOutbox } from '../../../../test/mail.ts'
import { secrets, startMessageService } from '../../../../test/message-services.ts'

const ends: AsyncDisposable[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end[Symbol.asyncDispose]()
})

function keep<T extends AsyncDisposable>(started: T): T {
  ends.push(started)
  return started
}

/**
 * Starts a contest that announces the first two solves to all three targets. The contest's clock is the
 * current time, because the database dates solves.
 */
async function start({ startsIn = -HOUR_MS } = {}) {
  const [discord, telegram, webhook] = [
    keep(await startMessageService('discord')),
    keep(await startMessageService('telegram')),
    keep(await startMessageService('webhook')),
  ]
  const destinations = [
    { provider: { name: 'messages/discord', options: discord.options }, bloodEmojis: ['🥇', '🥈'] },
    {
      provider: { name: 'messages/telegram', options: telegram.options },
      messageTemplate: '{{bloodNumTitle}}: {{teamName}}, {{challengeName}}',
    },
    { provider: { name: 'messages/webhook', options: webhook.options } },
  ]
  const present = Date.now()
  const startTime = present + startsIn
  const config = { bloodBot: { bloodsCount: 2, destinations }, startTime, endTime: startTime + 48 * HOUR_MS }
  const contest = keep(await startContest({ config, startsAt: present }))
  for (const id of ['a', 'b']) {
    await putChallenge(contest.db, challengeRow(id, { name: `Name-${id}`, category: 'misc' }))
  }
  return { contest, config, discord, telegram, webhook }
}

async function solve(contest: Contest, { token }: Member, id: string): Promise<void> {
  const { kind } = await contest.call(submitFlag, { token, params: { id }, body: { flag: 'flag{x}' } })
  expect(kind).toBe('goodFlag')
}

test('announces the first solves of a challenge, and no others, to every target in its format', async () => {
  const { contest, discord, telegram, webhook } = await start()
  const teams = [await contest.team('R-1'), await contest.team('R-2'), await contest.team('R-3')]
  for (const team of teams) {
    await solve(contest, team, 'a')
    await settleOutbox(contest)
  }
  const page = (at: number) => `https://ctf.example/profile/${teams[at]?.id}`
  expect(discord.accepted).toEqual([
    String.raw`🥇 Congratulations to [R\-1](<${page(0)}>) for 1st blood on **misc/Name\-a**!`,
    String.raw`🥈 Congratulations to [R\-2](<${page(1)}>) for 2nd blood on **misc/Name\-a**!`,
  ])
  expect(telegram.accepted).toEqual([String.raw`First: R\-1, Name\-a`, String.raw`Second: R\-2, Name\-a`])
  expect(webhook.accepted).toMatchObject([
    { bloodNumber: 1, team: { id: teams[0]?.id, name: 'R-1' }, challenge: { id: 'a' } },
    { bloodNumber: 2, team: { id: teams[1]?.id } },
  ])
})

test('a temporary failure of a destination loses no message and leaks no secret', async () => {
  const { contest, discord, telegram, webhook } = await start()
  discord.fail(6, 'busy')
  telegram.fail(1, 'broken')
  webhook.fail(1, 'nothing')
  const [one, two] = [await contest.team(), await contest.team()]
  await Promise.all([solve(contest, one, 'a'), solve(contest, two, 'b')])
  // Makes failed messages due at once instead of after their backoff.
  await vi.waitUntil(
    async () => {
      await contest.db.query(sql`
        update outbox set due_at = least(due_at, clock_timestamp())
        where due_at < clock_timestamp() + interval '10 seconds'`)
      return (await contest.db.query(sql`select from outbox`)).length === 0
    },
    { timeout: 60_000, interval: 50 },
  )
  expect([discord.accepted, telegram.accepted, webhook.accepted].map((accepted) => accepted.length)).toEqual([
    2, 2, 2,
  ])
  expect(contest.logLines.map(({ message }) => message)).toContain('could not send an outbox message')
  const announced = inspect(contest.logLines, { depth: null })
  for (const secret of Object.values(secrets)) expect(announced).not.toContain(secret)
})

test('64 concurrent first solves on two servers are announced once per position and target', async () => {
  const { contest, config, ...targets } = await start()
  const other = keep(await startContest({ config, beside: contest }))
  const teams: Member[] = []
  for (let at = 0; at < 64; at++) teams.push(await contest.team())
  await Promise.all(teams.map((team, at) => solve(at % 2 ? contest : other, team, 'a')))
  await settleOutbox(contest)
  expect(Object.values(targets).map(({ accepted }) => accepted.length)).toEqual([2, 2, 2])
  expect(targets.webhook.accepted).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ bloodNumber: 1 }),
      expect.objectContaining({ bloodNumber: 2 }),
    ]),
  )
})

const received = (targets: readonly { readonly accepted: readonly unknown[] }[]) =>
  targets.map(({ accepted }) => accepted.length)

test("organisers' test solves before the start are announced neither then nor after the start", async () => {
  const { contest, discord, telegram, webhook } = await start({ startsIn: HOUR_MS })
  const targets = [discord, telegram, webhook]
  await solve(contest, await contest.admin(), 'a')
  await settleOutbox(contest)
  expect(received(targets)).toEqual([0, 0, 0])
  contest.clock.advance(2 * HOUR_MS)
  await settleOutbox(contest)
  expect(received(targets)).toEqual([0, 0, 0])
  expect(contest.logLines.map(({ message }) => message)).toContain(
    'dropped a first-blood message: the solve is not public',
  )
})

test('solves after a freeze are announced neither then nor with the results', async () => {
  const { contest, discord, telegram, webhook } = await start()
  await putSettings(contest.db, { freezeTime: Date.now() - 1000 })
  await solve(contest, await contest.team(), 'a')
  await settleOutbox(contest)
  await putSettings(contest.db, { freezeTime: Date.now() - 1000, resultsPublished: true })
  await settleOutbox(contest)
  expect(received([discord, telegram, webhook])).toEqual([0, 0, 0])
})

test('a message is not sent if its challenge is hidden while the message waits', async () => {
  const { contest, discord, telegram, webhook } = await start()
  const targets = [discord, telegram, webhook]
  for (const target of targets) target.fail(1, 'broken')
  await solve(contest, await contest.team(), 'a')
  const countFailed = async () =>
    (await contest.db.query(sql`select from outbox where last_error is not null`)).length
  await vi.waitUntil(async () => (await countFailed()) === 3, { timeout: 60_000, interval: 20 })
  await putChallenge(contest.db, challengeRow('a', { hidden: true }))
  await contest.db.query(sql`update outbox set due_at = clock_timestamp()`)
  await settleOutbox(contest)
  expect(received(targets)).toEqual([0, 0, 0])
})

test('a solve of a challenge that players cannot see never writes a message', async () => {
  const { contest, discord, telegram, webhook } = await start()
  await putChallenge(contest.db, challengeRow('hidden', { hidden: true }))
  await putChallenge(contest.db, challengeRow('later', { releaseAt: Date.now() + HOUR_MS }))
  const { id } = await contest.team()
  const wasAdded = await contest.db.query(sql`
    insert into solves (id, challenge_id, team_id, created_at, ip)
    select gen_random_uuid(), challenge, ${id}, clock_timestamp(), 'unknown'
    from unnest(array['hidden', 'later']) as t (challenge) returning id`)
  expect(wasAdded).toHaveLength(2)
  expect(await contest.db.query(sql`select id from outbox where kind = 'message'`)).toEqual([])
  expect(received([discord, telegram, webhook])).toEqual([0, 0, 0])
})

test('a server without destinations writes no messages', async () => {
  const contest = keep(await startContest())
  await putChallenge(contest.db, challengeRow('a'))
  await solve(contest, await contest.team(), 'a')
  expect(await contest.db.query(sql`select id from outbox`)).toEqual([])
})
