import { isEmail } from '@pennant/contract/fields.ts'
import { parseTimestamp } from '@pennant/contract/timestamps.ts'
import { z } from 'zod'

// Value types that several keys share.

/** Unix milliseconds, or ISO 8601 text with an offset: `2027-03-05T18:00:00Z`. */
export const Instant = z
  .union([z.int().min(0), z.iso.datetime({ offset: true })], {
    error: 'must be Unix milliseconds or a time such as 2027-03-05T18:00:00Z',
  })
  .transform((value) => (typeof value === 'number' ? value : parseTimestamp(value)))

export const Text = z.string().min(1)

export const HttpUrl = z.url({
  protocol: /^https?$/,
  error: 'must be a URL that starts with http:// or https://',
})

/** Milliseconds within the range of a timer. */
export const Milliseconds = z.int().min(0).max(2_147_483_647)

export const Port = z.int().min(0).max(65_535)

const MAILBOX = /^(?:"([^"\\]*)"|([^"<>]*?))\s*<([^<>\s]+)>$/

/** An email address, with or without a display name: `ctf@example.org`, `Example CTF <ctf@example.org>`. */
export const Mailbox = z.string().transform((text, context) => {
  const [, quoted, plain, bracketed] = MAILBOX.exec(text.trim()) ?? []
  const address = bracketed ?? text.trim()
  const name = (quoted ?? plain ?? '').trim()
  // A control character in the name could start another header.
  // oxlint-disable-next-line no-control-regex
  if (isEmail(address) && !/[\u0000-\u001f\u007f]/.test(name)) return { address, ...(name && { name }) }
  context.addIssue('must be an email address, or a name and an address: `Example CTF <ctf@example.org>`')
  return z.NEVER
})
