import { beforeEach, describe, expect, test } from 'vitest'
import type { EmailMessage } from '../../providers/email/email.ts'
import { mailLifetimeMs, createMailSender, verifyLink, type MailSettings } from './mail.ts'

let sent: EmailMessage[] = []
beforeEach(() => {
  sent = []
})

function senderWith(settings: MailSettings = { ctfName: 'Example CTF' }) {
  return createMailSender({
    email: { send: async (message) => void sent.push(message) },
    settings: () => settings,
    origin: 'https://ctf.example.org',
    from: 'ctf@example.org',
  })
}

describe.each([
  { kind: 'register', subject: '[Example CTF] Verify your email' },
  { kind: 'recover', subject: '[Example CTF] Recover your account' },
  { kind: 'update', subject: '[Example CTF] Update your email' },
])('a mail of kind $kind', ({ kind, subject }) => {
  test('goes to its address with its subject and the link in both parts', async () => {
    await senderWith()({ kind, to: 'p@example.org', token: 'a+b/c=' })
    expect(sent).toHaveLength(1)
    const [mail] = sent
    expect(mail).toMatchObject({ to: 'p@example.org', subject, from: '"Example CTF" <ctf@example.org>' })
    const link = 'https://ctf.example.org/verify?token=a%2Bb%2Fc%3D'
    expect(mail?.text).toContain(link)
    expect(mail?.html).toContain(`href="${link}"`)
  })
})

test('a mail to nobody is not sent', async () => {
  await senderWith()({ kind: 'none', to: 'p@example.org', token: 't' })
  expect(sent).toEqual([])
})

test('a payload of another shape is an error of ours', async () => {
  await expect(senderWith()({ kind: 'spam', to: 'p@example.org' })).rejects.toThrow()
})

test('the name of the contest cannot write headers or markup', async () => {
  const send = senderWith({
    ctfName: 'A"\\B\r\nBcc: x@example.org\u2028<script>',
    logoUrl: 'https://x.org/"><script>',
  })
  await send({ kind: 'register', to: 'p@example.org', token: 't' })
  const [mail] = sent
  expect(mail?.subject).toBe('[A"\\B Bcc: x@example.org <script>] Verify your email')
  expect(mail?.from).toBe('"A\\"\\\\B Bcc: x@example.org <script>" <ctf@example.org>')
  expect(mail?.html).not.toContain('<script>')
})

test('the name is read when a mail is sent, not when the sender is made', async () => {
  let ctfName = 'Before'
  const send = createMailSender({
    email: { send: async (message) => void sent.push(message) },
    settings: () => ({ ctfName }),
    origin: 'https://ctf.example.org',
    from: 'ctf@example.org',
  })
  ctfName = 'After'
  await send({ kind: 'register', to: 'p@example.org', token: 't' })
  expect(sent[0]?.subject).toBe('[After] Verify your email')
})

test('a link carries any token unharmed', () => {
  const url = new URL(verifyLink('http://localhost:3000', 'a+/=&?#%'))
  expect(url.searchParams.get('token')).toBe('a+/=&?#%')
})

test('mails whose link ends are of use until then, others for ever', () => {
  const lifetimeOf = (kind: string) => mailLifetimeMs({ kind, to: 'a@x.example', token: 't' }, 5)
  expect(['register', 'update', 'recover', 'none', 'unknown'].map(lifetimeOf)).toEqual([
    5,
    5,
    Infinity,
    Infinity,
    Infinity,
  ])
})
