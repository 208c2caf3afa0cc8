import sql from 'sql-template-tag'
import { vi } from 'vitest'
import type { Contest } from './harness.ts'

/** Configuration of a deployment that sends mail, into memory. */
export const withMail = {
  email: { provider: { name: 'emails/memory', options: {} }, from: 'noreply@ctf.example' },
}

/** The token of the newest mail to an address; waits for the worker to send it. */
export async function tokenMailedTo({ mails }: Contest, address: string, subject = ''): Promise<string> {
  const mail = await vi.waitUntil(
    () => mails.findLast(({ to, ...rest }) => to === address && rest.subject.includes(subject)),
    { timeout: 60_000, interval: 5 },
  )
  const link = /https:\S+/.exec(mail.text)?.[0] ?? ''
  return new URL(link).searchParams.get('token') ?? ''
}

/** Waits until nothing waits to be sent. */
export async function settleOutbox({ db }: Contest): Promise<void> {
  await vi.waitUntil(async () => (await db.query(sql`select id from outbox`)).length === 0, {
    timeout: 60_000,
    interval: 5,
  })
}
