import { HOUR_MS } from '@pennant/contract/durations.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { putChallenge } from '../../../../test/contest-data.ts'
import { challengeRow } from '../../../../test/contest-rows.ts'
import { startContest, type Contest } from '../../../../test/harness.ts'
import { settleOutbox } from '../../../../test/mail.ts'
import { answer, ask } from '../../../../test/message-threads.ts'
import { recordLog } from '../../../../test/log.ts'
import { startMessageService, type MessageService } from '../../../../test/message-services.ts'
import type { Messages } from '../../../providers/messages/messages.ts'
import { createQuestionSender } from './sender.ts'

let contest: Contest
let discord: MessageService
let webhook: MessageService
const present = Date.now()

beforeEach(async () => {
  discord = await startMessageService('discord')
  webhook = await startMessageService('webhook')
  const destinations = [
    { provider: { name: 'messages/discord', options: discord.options } },
    { provider: { name: 'messages/webhook', options: webhook.options } },
  ]
  contest = await startContest({
    config: {
      questionBot: { destinations },
      // The public channel of first bloods never gets questions.
      startTime: present,
      endTime: present + HOUR_MS,
    },
    startsAt: present,
  })
  await putChallenge(contest.db, challengeRow('web', { name: 'Web *one*' }))
})
afterEach(async () => {
  for (const each of [contest, discord, webhook]) await each[Symbol.asyncDispose]()
})

test('tells organisers of each new question once, without its text', async () => {
  const [team, support] = [await contest.team('anchor'), await contest.admin()]
  const { id } = await ask(contest, team, {
    subject: '[click](https://evil.example) *now*',
    content: 'our flag is flag{secret}',
    challengeId: 'web',
  })
  await answer(contest, support, { id })
  await settleOutbox(contest)
  const url = `https://ctf.example/admin/messages/${id}`
  expect(discord.accepted).toHaveLength(1)
  expect(discord.accepted[0]).toContain('anchor (Web \\*one\\*)')
  expect(discord.accepted[0]).toContain(`(${url})`)
  expect(discord.accepted[0]).not.toContain('[click](')
  expect(webhook.accepted).toMatchObject([
    {
      event: 'question',
      team: { id: team.id, name: 'anchor' },
      subject: '[click](https://evil.example) *now*',
      challenge: 'Web *one*',
      url,
    },
  ])
  expect(JSON.stringify([discord.accepted, webhook.accepted])).not.toContain('secret')
})

test('drops the notification of a question that was deleted; a messenger that was removed is an error', async () => {
  const sent: unknown[] = []
  const messages: Messages = {
    markup: { text: (value) => value, url: (value) => value },
    template: '',
    send: async (message) => void sent.push(message),
  }
  const send = createQuestionSender({
    db: contest.db,
    destinations: new Map([['known', messages]]),
    origin: 'https://ctf.example',
    currentWorld: async () => contest.world(),
    log: recordLog().log,
  })
  const { signal } = new AbortController()
  await send({ destination: 'known', thread: 'gone' }, signal)
  expect(sent).toEqual([])
  await expect(send({ destination: 'removed', thread: 'gone' }, signal)).rejects.toThrow(
    'no longer configured',
  )
})
