import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterEach, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { recordLog } from '../../../test/log.ts'
import { startServiceMail, type mailAccounts } from '../../../test/mail-accounts.ts'
import { emailProviders } from './all.ts'
import type { Email, EmailMessage } from './email.ts'
import { memoryEmail } from './memory.ts'
import { smtpEmail } from './smtp.ts'

const context = { fetch, log: recordLog().log, now: () => 0, dataDir: '.' }
const message: EmailMessage = {
  to: 'player@example.org',
  from: '"Fancy \\"CTF\\" ü" <ctf@example.org>',
  subject: '[Fancy CTF ü] Verify your email',
  text: 'Follow https://ctf.example.org/verify?token=a%2Bb%3D',
  html: '<p>Follow <a href="https://ctf.example.org/verify?token=a%2Bb%3D">the link</a></p>',
}

const ends: (() => void | PromiseLike<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

interface Received {
  readonly to: readonly string[]
  readonly from: string
  readonly raw: string
}

interface Started {
  readonly email: Email
  readonly received: () => Promise<readonly Received[]>
}

/** An SMTP server that refuses one recipient. */
async function startSmtp(): Promise<
  Started & { readonly stop: () => Promise<void>; readonly connections: () => number }
> {
  const mails: Received[] = []
  let connections = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onConnect: (_session, done) => {
      connections += 1
      done()
    },
    onRcptTo: ({ address }, _session, done) =>
      done(
        address === 'refused@example.org'
          ? Object.assign(new Error('no such box'), { responseCode: 550 })
          : null,
      ),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        mails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
        })
        done()
      })
    },
  })
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  const stop = () => new Promise<void>((resolve) => server.close(resolve))
  const email = await smtpEmail.start({ smtpUrl: `smtp://127.0.0.1:${port}` }, context)
  ends.push(stop, () => email.close?.())
  return { email, received: async () => mails, stop, connections: () => connections }
}

async function startMemory(): Promise<Started> {
  const email = await memoryEmail.start({}, context)
  const received = async () =>
    email.sent.map(({ to, from, ...rest }) => ({ to: [to], from, raw: JSON.stringify(rest) }))
  return { email, received }
}

function startService(name: keyof typeof mailAccounts) {
  return async (): Promise<Started> => {
    const { email, service } = await startServiceMail(name)
    ends.push(() => service[Symbol.asyncDispose]())
    const received = async () => service.accepted.map((mail) => ({ ...mail, raw: JSON.stringify(mail) }))
    return { email, received }
  }
}

test.each(['\r\n', '\n', '\r', '\r\n\r\n'])(
  'no text of a mail adds a header or a command: %j',
  async (end) => {
    const { email, received } = await startSmtp()
    const extra = `${end}Bcc: evil@example.org${end}RCPT TO:<evil@example.org>`
    await email.send({ ...message, subject: `[A${extra}] Sign in`, from: `"A${extra}" <ctf@example.org>` })
    const [mail, ...others] = await received()
    expect([mail?.to, others]).toEqual([['player@example.org'], []])
    const [head = ''] = (mail?.raw ?? '').split('\r\n\r\n')
    expect(head.split('\r\n').filter((line) => /^(bcc|rcpt)/i.test(line))).toEqual([])
    expect(head).toMatch(/^Subject: \[A/m)
  },
)

describe.each([
  { name: 'emails/smtp', start: startSmtp },
  { name: 'emails/ses', start: startService('ses') },
  { name: 'emails/postmark', start: startService('postmark') },
  { name: 'emails/mailgun', start: startService('mailgun') },
  { name: 'emails/memory', start: startMemory },
])('$name', ({ name, start }) => {
  test('delivers a mail to its recipient', async () => {
    const { email, received } = await start()
    await email.send(message)
    const [mail] = await received()
    expect(mail?.to).toEqual(['player@example.org'])
    expect(mail?.from).toContain('ctf@example.org')
  })

  test('delivers each concurrent mail once', async () => {
    const { email, received } = await start()
    const numbers = Array.from({ length: 12 }, (_, at) => at)
    await Promise.all(numbers.map((at) => email.send({ ...message, to: `p${at}@example.org` })))
    const to = (await received()).flatMap((mail) => mail.to)
    expect(to.toSorted()).toEqual(numbers.map((at) => `p${at}@example.org`).toSorted())
  })

  test('is listed under its name', () => {
    expect(emailProviders.map((listed) => listed.name)).toContain(name)
  })
})

describe('emails/smtp on the wire', () => {
  test('sends subject, sender, text and HTML', async () => {
    const { email, received } = await startSmtp()
    await email.send(message)
    const raw = (await received())[0]?.raw ?? ''
    expect(raw).toMatch(/^To: player@example\.org/m)
    expect(raw).toMatch(/^From: .*<ctf@example\.org>/m)
    expect(raw).toContain('multipart/alternative')
    expect(raw.replaceAll('=\r\n', '')).toContain('verify?token=3Da%2Bb%3D')
  })

  test('rejects when the recipient is refused, and still sends the next mail', async () => {
    const { email, received } = await startSmtp()
    await expect(email.send({ ...message, to: 'refused@example.org' })).rejects.toThrow('no such box')
    await email.send(message)
    expect(await received()).toHaveLength(1)
  })

  test('rejects when the server is unreachable', async () => {
    const { email, stop } = await startSmtp()
    await stop()
    await expect(email.send(message)).rejects.toThrow()
  })

  test('reuses its connections for the next mail', async () => {
    const { email, connections } = await startSmtp()
    for (let sent = 0; sent < 5; sent++) await email.send(message)
    expect(connections()).toBe(1)
  })

  test('never interprets a recipient as several', async () => {
    const { email, received } = await startSmtp()
    await email.send({ ...message, to: 'a+b=c@example.org' })
    expect((await received())[0]?.to).toEqual(['a+b=c@example.org'])
  })

  test('requires the URL of a mail server', () => {
    const options: z.ZodType = smtpEmail.options
    expect(options.safeParse({ smtpUrl: 'http://mail' }).success).toBe(false)
    expect(options.safeParse({ smtpUrl: 'smtps://u:p@mail:465' }).success).toBe(true)
  })
})

test('emails/memory keeps only the newest mails', async () => {
  const email = await memoryEmail.start({}, context)
  for (let at = 0; at < 1001; at++) await email.send({ ...message, subject: String(at) })
  expect(email.sent).toHaveLength(1000)
  expect(email.sent[0]?.subject).toBe('1')
})
