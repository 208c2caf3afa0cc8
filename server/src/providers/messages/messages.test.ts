import { inspect } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { startHttpService } from '../../../test/http-service.ts'
import { recordLog } from '../../../test/log.ts'
import { secrets, startMessageService } from '../../../test/message-services.ts'
import { TryLaterError } from '../../lib/errors.ts'
import { messageProviders } from './all.ts'
import type { Blood, Messages } from './messages.ts'
import { renderBlood } from './template.ts'

const noon = Date.UTC(2030, 4, 2, 12)
const ends: (() => PromiseLike<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const names = ['discord', 'telegram', 'webhook'] as const
type Name = (typeof names)[number]

/** Every character with a special meaning for one of the targets. */
const hostile = String.raw`@everyone <@&1> *a*_b_~c~|d| [x](http://e) > # - 1. \ ! {} = + ${'`'}`

const blood: Blood = {
  id: '0190a4e6-0000-7000-8000-000000000001',
  bloodNumber: 1,
  team: { id: 'team-1', name: 'Team One' },
  challenge: { id: 'c1', name: 'Baby ROP', category: 'pwn' },
  time: noon,
}

async function startProvider(name: Name, options: object): Promise<Messages> {
  const found = messageProviders.find((listed) => listed.name === `messages/${name}`)!
  return found.start(found.options.parse(options), {
    fetch,
    log: recordLog().log,
    now: () => noon,
    dataDir: '',
  })
}

async function start(name: Name, options: object = {}) {
  const service = await startMessageService(name)
  ends.push(() => service[Symbol.asyncDispose]())
  const messages = await startProvider(name, { ...service.options, ...options })
  const send = (sent: Blood = blood, signal = new AbortController().signal) => {
    const { markup, template } = messages
    const text = renderBlood(sent, { template, markup, emojis: ['🩸'], origin: 'https://ctf.example' })
    return messages.send({ blood: sent, text }, signal)
  }
  return { service, messages, send }
}

async function failureOf(work: Promise<unknown>): Promise<Error> {
  const [settled] = await Promise.allSettled([work])
  if (settled.status === 'rejected') return settled.reason as Error
  throw new Error('it did not fail')
}

describe.each(names)('messages/%s', (name) => {
  test('announces a first blood and accepts any 2xx response', async () => {
    const { service, send } = await start(name)
    await send()
    expect(service.accepted).toHaveLength(1)
    expect(JSON.stringify(service.accepted)).toMatch(/Team One.*Baby ROP.*/)
  })

  test('handles names that consist of markup', async () => {
    const { service, send } = await start(name)
    const challenge = { ...blood.challenge, name: hostile, category: `${hostile}\nnext line` }
    await send({ ...blood, team: { id: hostile, name: hostile }, challenge })
    expect(service.accepted).toHaveLength(1)
  })

  test('reports the retry delay of a busy target', async () => {
    const { service, send } = await start(name)
    service.fail(1, 'busy')
    const failure = await failureOf(send())
    expect(failure).toBeInstanceOf(TryLaterError)
    expect(failure).toMatchObject({ afterMs: name === 'discord' ? 100 : 1000 })
    await send()
    expect(service.accepted).toHaveLength(1)
  })

  test.each(['broken', 'nothing'] as const)('rejects when it receives %s', async (failure) => {
    const { service, send } = await start(name)
    service.fail(1, failure)
    await expect(send()).rejects.toThrow(`messages/${name}`)
    expect(service.accepted).toEqual([])
  })

  test('ends when the signal aborts', async () => {
    const silent = await startHttpService(() => {})
    ends.push(() => silent[Symbol.asyncDispose]())
    const address = name === 'telegram' ? 'apiUrl' : 'url'
    const { send } = await start(name, { [address]: silent.url })
    const stop = new AbortController()
    const sending = failureOf(send(blood, stop.signal))
    stop.abort()
    expect((await sending).message).toMatch(`messages/${name} did not respond`)
  })

  test('reveals no secret on failure, even if the destination echoes it', async () => {
    const { service, messages } = await start(name)
    const refused = await startHttpService(({ url }, response) => {
      response.writeHead(404).end(JSON.stringify({ message: `no ${url} at ${refused.url}${url}`, secrets }))
    })
    ends.push(() => refused[Symbol.asyncDispose]())
    const options = {
      discord: { url: `${refused.url}${secrets.discordPath}` },
      telegram: { apiUrl: refused.url },
      webhook: { url: `${refused.url}/webhook-secret` },
    }[name]
    const sent = { blood, text: 'x' }
    const { signal } = new AbortController()
    const wrong = await startProvider(name, { ...service.options, ...options })
    const failures = [await failureOf(wrong.send(sent, signal))]
    await service[Symbol.asyncDispose]()
    failures.push(await failureOf(messages.send(sent, signal)))
    expect(failures.map(({ message }) => message)).toEqual([
      expect.stringContaining('answered 404'),
      expect.stringContaining('did not respond: ECONNREFUSED'),
    ])
    expect(inspect(failures, { depth: null })).not.toMatch(/-secret/)
  })

  test('refuses options that are missing, misspelt or not a URL', () => {
    const { options } = messageProviders.find((listed) => listed.name === `messages/${name}`)!
    expect(options.safeParse({}).success).toBe(false)
    expect(options.safeParse({ url: 'chat', botToken: 'a b', chatId: '' }).success).toBe(false)
    expect(options.safeParse({ url: 'https://x', botToken: '1:a', chatId: 1, URL: '' }).success).toBe(false)
  })
})

test('Discord links the team without an embed and without mentions', async () => {
  const { service, send } = await start('discord')
  await send({ ...blood, team: { id: 'team-1', name: '@here_' } })
  expect(service.accepted).toEqual([
    String.raw`🩸 Congratulations to [\@here\_](<https://ctf.example/profile/team-1>) for 1st blood on **pwn/Baby ROP**!`,
  ])
})

test('Discord may be replaced by another service', async () => {
  const { service, messages } = await start('discord')
  const elsewhere = await startProvider('discord', {
    url: `https://discord.com${secrets.discordPath}`,
    apiUrl: service.url,
  })
  await elsewhere.send({ blood, text: messages.markup.text('a-b') }, new AbortController().signal)
  expect(service.accepted).toEqual([String.raw`a\-b`])
})

test('Telegram writes to the configured topic', async () => {
  const { service, send } = await start('telegram', { threadId: '7' })
  await send()
  const text = String.raw`🩸 Congratulations to [Team One](https://ctf\.example/profile/team\-1) for 1st blood on *pwn/Baby ROP*\!`
  expect(service.accepted).toEqual([{ text, thread: 7 }])
})

describe('a webhook', () => {
  test('gets the data, signed, with an idempotency key', async () => {
    const { service, send } = await start('webhook')
    await send()
    expect(service.accepted).toEqual([
      { event: 'blood', bloodNumber: 1, team: blood.team, challenge: blood.challenge, time: noon },
    ])
    expect(service.asked[0]?.headers).toMatchObject({
      'x-svc-timestamp': String(noon),
      'idempotency-key': blood.id,
    })
  })

  test('is not signed without a secret', async () => {
    const service = await startHttpService((_, response) => void response.end())
    ends.push(() => service[Symbol.asyncDispose]())
    const messages = await startProvider('webhook', { url: service.url })
    await messages.send({ blood, text: '' }, new AbortController().signal)
    expect(service.asked[0]?.headers).not.toHaveProperty('x-svc-signature')
  })
})
