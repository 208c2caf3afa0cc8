import { beforeEach, describe, expect, test } from 'vitest'
import type { EmailMessage } from '../../../providers/email/email.ts'
import {
  createMailSender,
  mailLifetimeMs,
  senderOf,
  signInLink,
  verifyLink,
  type MailSettings,
} from './mail.ts'

let sent: EmailMessage[] = []
beforeEach(() => {
  sent = []
})

function senderWith(settings: MailSettings = { ctfName: 'Example CTF' }) {
  return createMailSender({
    email: { send: async (message) => void sent.push(message) },
    settings: () => settings,
    origin: 'https://ctf.example.org',
    from: { address: 'ctf@example.org' },
  })
}

describe.each([
  { kind: 'register', subject: '[Example CTF] Verify your email', at: '?' },
  // A team token does not expire, so it is in the fragment, which browsers do not send to servers.
  { kind: 'recover', subject: '[Example CTF] Recover your account', at: '#' },
  { kind: 'update', subject: '[Example CTF] Update your email', at: '?' },
])('a mail of kind $kind', ({ kind, subject, at }) => {
  test('goes to its address with its subject and the link in both parts', async () => {
    await senderWith()({ kind, to: 'p@example.org', token: 'a+b/c=' })
    expect(sent).toHaveLength(1)
    const [mail] = sent
    expect(mail).toMatchObject({ to: 'p@example.org', subject, from: '"Example CTF" <ctf@example.org>' })
    const link = `https://ctf.example.org/verify${at}token=a%2Bb%2Fc%3D`
    expect(mail?.text).toContain(link)
    expect(mail?.html).toContain(`href="${link}"`)
  })
})

test('does not send mail of the kind none', async () => {
  await senderWith()({ kind: 'none', to: 'p@example.org', token: 't' })
  expect(sent).toEqual([])
})

test('a payload with an unknown shape is an internal error', async () => {
  await expect(senderWith()({ kind: 'spam', to: 'p@example.org' })).rejects.toThrow()
})

test('the contest name cannot inject headers or markup', async () => {
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

test('reads the contest name when a mail is sent, not when the sender is created', async () => {
  let ctfName = 'Before'
  const send = createMailSender({
    email: { send: async (message) => void sent.push(message) },
    settings: () => ({ ctfName }),
    origin: 'https://ctf.example.org',
    from: { address: 'ctf@example.org' },
  })
  ctfName = 'After'
  await send({ kind: 'register', to: 'p@example.org', token: 't' })
  expect(sent[0]?.subject).toBe('[After] Verify your email')
})

test('a link preserves every character of a token', () => {
  const url = new URL(verifyLink('http://localhost:3000', 'a+/=&?#%'))
  expect(url.searchParams.get('token')).toBe('a+/=&?#%')
  const { hash, search } = new URL(signInLink('http://localhost:3000', 'a+/=&?#%'))
  expect([search, new URLSearchParams(hash.slice(1)).get('token')]).toEqual(['', 'a+/=&?#%'])
})

test('mails with an expiring link are retried until it expires, others without limit', () => {
  const lifetimeOf = (kind: string) => mailLifetimeMs({ kind, to: 'a@x.example', token: 't' }, 5)
  expect(['register', 'update', 'recover', 'none', 'unknown'].map(lifetimeOf)).toEqual([
    5,
    5,
    Infinity,
    Infinity,
    Infinity,
  ])
})

test('a configured sender name replaces the contest name and cannot inject headers', () => {
  expect(senderOf({ address: 'c@x.org', name: 'Team "Blue"\r\n' }, 'CTF')).toBe('"Team \\"Blue\\"" <c@x.org>')
})
