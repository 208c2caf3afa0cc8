import { setInterval } from 'node:timers/promises'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import sql from 'sql-template-tag'
import { vi } from 'vitest'
import type { Contest } from './harness.ts'

const POLL_MS = 5

/** Configuration of a deployment that sends mail to memory. */
export const withMail = {
  email: { provider: { name: 'emails/memory', options: {} }, from: 'noreply@ctf.example' },
}

/** Waits for the worker to send mail to the address, then returns the token of the newest one. */
export async function tokenMailedTo({ mails }: Contest, address: string, subject = ''): Promise<string> {
  const limit = Date.now() + MINUTE_MS
  // Without `vi`, because `npm run pictures` does not run in Vitest.
  for await (const _ of setInterval(POLL_MS)) {
    const mail = mails.findLast(({ to, ...rest }) => to === address && rest.subject.includes(subject))
    if (mail) return tokenIn(mail.text)
    if (Date.now() > limit) break
  }
  throw new Error(`No mail was sent to ${address}`)
}

/** The token of the first link in a text: in the query if it works once, otherwise in the fragment. */
export function tokenIn(text: string): string {
  const { searchParams, hash } = new URL(/https?:\S+/.exec(text)?.[0] ?? 'http://none')
  return searchParams.get('token') ?? new URLSearchParams(hash.slice(1)).get('token') ?? ''
}

/** Waits until the outbox is empty. */
export async function settleOutbox({ db }: Contest): Promise<void> {
  await vi.waitUntil(async () => (await db.query(sql`select id from outbox`)).length === 0, {
    timeout: MINUTE_MS,
    interval: POLL_MS,
  })
}

/** A mailing to one team. */
export function mailingTo(id: string) {
  return { subject: 'News', content: 'Hello {name}', topic: 'event', to: { addresses: 'teams', ids: [id] } }
}
