import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runProgram } from '../../test/program.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pennant-mail-'))
})
afterEach(() => rm(folder, { recursive: true }))

const BOX = 'organiser@example.org'

/** An SMTP server that accepts mail for one recipient and collects the messages. */
async function startSmtp() {
  const messages: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo: ({ address }, _session, done) =>
      done(address === BOX ? null : Object.assign(new Error('no such box'), { responseCode: 550 })),
    onData: (stream, _session, done) => {
      let text = ''
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
      stream.on('end', () => done(null, String(messages.push(text))))
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    messages,
    url: `smtp://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(resolve)),
  }
}

async function mailTest(to: string, email?: object) {
  const file = join(folder, 'pennant.yaml')
  await writeFile(
    file,
    JSON.stringify({ ctfName: 'Example CTF', dataDir: folder + '/data', ...(email && { email }) }),
  )
  return await runProgram(['mail', 'test', '--to', to], { PENNANT_CONFIG: file })
}

test('sends a test message to the mail server and prints its response', async () => {
  await using smtp = await startSmtp()
  const email = {
    provider: { name: 'emails/smtp', options: { smtpUrl: smtp.url } },
    from: 'Crew <ctf@example.org>',
  }
  expect(await mailTest(BOX, email)).toMatchObject({
    status: 0,
    output: expect.stringContaining(`accepted a message to ${BOX}`),
  })
  expect(smtp.messages).toHaveLength(1)
  expect(smtp.messages[0]).toMatch(/^From: Crew <ctf@example\.org>/m)
  expect(smtp.messages[0]).toMatch(/^Subject: \[Example CTF\] Test message/m)

  const refused = await mailTest('other@example.org', email)
  expect(refused.status).toBe(1)
  expect(refused.complaints).toMatch(/^The message was not accepted: .*no such box/)
})

test('a test message requires an address and a mail provider', async () => {
  expect(await mailTest('nobody')).toMatchObject({
    status: 1,
    complaints: 'nobody is not an email address.\n',
  })
  expect(await mailTest(BOX)).toMatchObject({
    status: 1,
    complaints: 'Mail is not configured: set `email` in the configuration.\n',
  })
})
