import { inspect } from 'node:util'
import sql from 'sql-template-tag'
import { afterEach, expect, test, vi } from 'vitest'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { putChallenge } from '../../../test/contest-data.ts'
import { challengeRow } from '../../../test/contest-rows.ts'
import { startContest, type Contest, type Member } from '../../../test/harness.ts'
import { settleOutbox } from '../../../test/mail.ts'
import { secrets, startMessageService } from '../../../test/message-services.ts'

const ends: AsyncDisposable[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end[Symbol.asyncDispose]()
})

function keep<T extends AsyncDisposable>(started: T): T {
  ends.push(started)
  return started
}

/** A contest that tells all three targets of the first two solves. */
async function start() {
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
  const config = { bloodBot: { bloodsCount: 2, destinations } }
  const contest = keep(await startContest({ config }))
  for (const id of ['a', 'b']) {
    await putChallenge(contest.db, challengeRow(id, { name: `Name-${id}`, category: 'misc' }))
  }
  return { contest, config, discord, telegram, webhook }
}

async function solve(contest: Contest, { token }: Member, id: string): Promise<void> {
  const { kind } = await contest.call(submitFlag, { token, params: { id }, body: { flag: 'flag{x}' } })
  expect(kind).toBe('goodFlag')
}

test('the first solves of a challenge are told to every target, in its words, and no others', async () => {
  const { contest, discord, telegram, webhook } = await start()
  const teams = [await contest.team('R-1'), await contest.team('R-2'), await contest.team('R-3')]
  for (const team of teams) {
    await solve(contest, team, 'a')
    await settleOutbox(contest)
  }
  const page = (at: number) => `https://ctf.example/profile/${teams[at]?.id}`
  expect(discord.taken).toEqual([
    String.raw`🥇 Congratulations to [R\-1](<${page(0)}>) for 1st blood on **misc/Name\-a**!`,
    String.raw`🥈 Congratulations to [R\-2](<${page(1)}>) for 2nd blood on **misc/Name\-a**!`,
  ])
  expect(telegram.taken).toEqual([String.raw`First: R\-1, Name\-a`, String.raw`Second: R\-2, Name\-a`])
  expect(webhook.taken).toMatchObject([
    { bloodNumber: 1, team: { id: teams[0]?.id, name: 'R-1' }, challenge: { id: 'a' } },
    { bloodNumber: 2, team: { id: teams[1]?.id } },
  ])
})

test('a target that is busy or broken for a moment loses nothing, and nobody hears a secret', async () => {
  const { contest, discord, telegram, webhook } = await start()
  discord.fail(6, 'busy')
  telegram.fail(1, 'broken')
  webhook.fail(1, 'nothing')
  const [one, two] = [await contest.team(), await contest.team()]
  await Promise.all([solve(contest, one, 'a'), solve(contest, two, 'b')])
  // What failed would wait for seconds.
  await vi.waitUntil(
    async () => {
      await contest.db.query(sql`
        update outbox set due_at = least(due_at, clock_timestamp())
        where due_at < clock_timestamp() + interval '10 seconds'`)
      return (await contest.db.query(sql`select from outbox`)).length === 0
    },
    { timeout: 60_000, interval: 50 },
  )
  expect([discord.taken, telegram.taken, webhook.taken].map((taken) => taken.length)).toEqual([2, 2, 2])
  expect(contest.logLines.map(({ message }) => message)).toContain('something could not be sent')
  const told = inspect(contest.logLines, { depth: null })
  for (const secret of Object.values(secrets)) expect(told).not.toContain(secret)
})

test('64 teams that solve at once over two servers are told of once for each place and target', async () => {
  const { contest, config, ...targets } = await start()
  const other = keep(await startContest({ config, beside: contest }))
  const teams: Member[] = []
  for (let at = 0; at < 64; at++) teams.push(await contest.team())
  await Promise.all(teams.map((team, at) => solve(at % 2 ? contest : other, team, 'a')))
  await settleOutbox(contest)
  expect(Object.values(targets).map(({ taken }) => taken.length)).toEqual([2, 2, 2])
  expect(targets.webhook.taken).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ bloodNumber: 1 }),
      expect.objectContaining({ bloodNumber: 2 }),
    ]),
  )
})

test('a server without destinations writes no messages', async () => {
  const contest = keep(await startContest())
  await putChallenge(contest.db, challengeRow('a'))
  await solve(contest, await contest.team(), 'a')
  expect(await contest.db.query(sql`select id from outbox`)).toEqual([])
})
