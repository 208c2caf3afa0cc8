import { inspect } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { sendJson, startHttpService } from '../../../test/http-service.ts'
import { mailAccounts, startServiceMail, type StartedMail } from '../../../test/mail-accounts.ts'
import { refusedRecipient } from '../../../test/mail-services.ts'
import { TryLaterError } from '../../lib/errors.ts'
import { emailProviders } from './all.ts'
import type { EmailMessage } from './email.ts'
import { asciiSender } from './sender.ts'

// What the email services guarantee in addition to the common tests. Local servers replace them; they check
// credentials as the public ones do.

const message: EmailMessage = {
  to: 'player@example.org',
  from: String.raw`"Fancy \"CTF\" ü" <ctf@example.org>`,
  subject: '[Fancy "CTF" ü] Verify your email',
  text: 'Follow https://ctf.example.org/verify?token=a%2Bb%3D',
  html: '<p>Follow <a href="https://ctf.example.org/verify?token=a%2Bb%3D">the link</a></p>',
}
const ends: (() => PromiseLike<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

type Name = keyof typeof mailAccounts
const names = Object.keys(mailAccounts) as Name[]

async function start(name: Name, options?: object): Promise<StartedMail> {
  const started = await startServiceMail(name, options)
  ends.push(() => started.service[Symbol.asyncDispose]())
  return started
}

async function failureOf(work: Promise<unknown>): Promise<Error> {
  const [settled] = await Promise.allSettled([work])
  if (settled.status === 'rejected') return settled.reason as Error
  throw new Error('it did not fail')
}

describe.each(names)('emails/%s', (name) => {
  test('sends subject, text and HTML unchanged', async () => {
    const { email, service } = await start(name)
    await email.send(message)
    const { subject, text, html } = message
    expect(service.accepted).toMatchObject([{ to: ['player@example.org'], subject, text, html }])
    expect(service.accepted[0]?.from).toMatch(/<ctf@example\.org>$/)
  })

  test('rejects when the recipient is refused, and still sends the next mail', async () => {
    const { email, service } = await start(name)
    await expect(email.send({ ...message, to: refusedRecipient })).rejects.toThrow(/answered 4\d\d: \w+/)
    await email.send(message)
    expect(service.accepted).toHaveLength(1)
  })

  test('rejects wrong credentials without logging them, even if the service repeats them', async () => {
    const [key = ''] = Object.keys(mailAccounts[name]).filter((option) => /Token|apiKey|Secret/.test(option))
    const wrong = { [key]: 'wrong-one' }
    const { email, service, lines } = await start(name, wrong)
    const failure = await failureOf(email.send(message))
    expect(failure.message).toMatch(/answered 40[13]/)
    expect(service.accepted).toEqual([])
    expect(inspect([failure, lines], { depth: null })).not.toContain('wrong-one')
  })

  test('rejects when the service is unreachable or responds with nonsense', async () => {
    const away = await start(name)
    await away.service[Symbol.asyncDispose]()
    await expect(away.email.send(message)).rejects.toThrow(`emails/${name} did not respond: ECONNREFUSED`)
    const odd = await startHttpService((_, response) => void response.writeHead(502).end('<html>'))
    ends.push(() => odd[Symbol.asyncDispose]())
    const { email } = await start(name, { apiUrl: odd.url })
    await expect(email.send(message)).rejects.toThrow(`emails/${name} answered 502`)
  })

  test('does not send its credentials to a redirect target', async () => {
    const elsewhere = await startHttpService(
      (_, response) => void response.writeHead(307, { location: '/elsewhere' }).end(),
    )
    ends.push(() => elsewhere[Symbol.asyncDispose]())
    const { email } = await start(name, { apiUrl: elsewhere.url })
    await expect(email.send(message)).rejects.toThrow('answered 307')
    expect(elsewhere.asked).toHaveLength(1)
  })

  test('reports the retry delay of a busy service', async () => {
    const busy = await startHttpService((_, response) => {
      response.setHeader('retry-after', '7')
      sendJson(response, 429, { message: 'slow down' })
    })
    ends.push(() => busy[Symbol.asyncDispose]())
    const { email } = await start(name, { apiUrl: busy.url })
    const failure = await failureOf(email.send(message))
    expect(failure).toBeInstanceOf(TryLaterError)
    expect(failure).toMatchObject({ afterMs: 7000, message: `emails/${name} answered 429: slow down` })
  })

  test('defaults to the public service, and refuses options that are missing, misspelt or not a URL', () => {
    const { options } = emailProviders.find((listed) => listed.name === `emails/${name}`)!
    expect(options.safeParse(mailAccounts[name]).success).toBe(true)
    expect(options.safeParse({}).success).toBe(false)
    expect(options.safeParse({ ...mailAccounts[name], apiURL: 'https://x' }).success).toBe(false)
    expect(options.safeParse({ ...mailAccounts[name], apiUrl: 'mail' }).success).toBe(false)
  })
})

test.each([
  { name: 'postmark', tracking: { TrackLinks: 'None', TrackOpens: false } },
  { name: 'mailgun', tracking: { 'o:tracking': 'no' } },
] as const)('emails/$name disables link tracking', async ({ name, tracking }) => {
  const { email, service } = await start(name)
  await email.send(message)
  expect(service.accepted[0]?.fields).toEqual(tracking)
})

describe('an ASCII sender', () => {
  test('is left unchanged if it is ASCII already', () => {
    const from = String.raw`"A \"quoted\" name" <a@example.org>`
    expect(asciiSender(from)).toBe(from)
    expect(asciiSender('a@example.org')).toBe('a@example.org')
  })

  test('has its name encoded in words of at most 75 characters that do not split a character', () => {
    const name = `Größe "🚩" ${'ß🚩'.repeat(30)}`
    const sender = asciiSender(`"${name.replace(/["\\]/g, String.raw`\$&`)}" <a@example.org>`)
    const [, words = ''] = /^(.+) <a@example\.org>$/.exec(sender) ?? []
    const decoded = words.split(' ').map((word) => {
      expect(word.length).toBeLessThanOrEqual(75)
      return Buffer.from(/^=\?UTF-8\?B\?(.+)\?=$/.exec(word)?.[1] ?? '', 'base64').toString()
    })
    expect(decoded.join('')).toBe(name)
  })
})
