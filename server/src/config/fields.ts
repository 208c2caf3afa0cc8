import { isEmail } from '@pennant/contract/fields.ts'
import { instantProblem } from '@pennant/contract/instants.ts'
import { parseTimestamp } from '@pennant/contract/timestamps.ts'
import { z } from 'zod'

// Value types that several keys share.

/** With a zone: without one, the time would depend on the machine. */
const ZONED = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/
const UNZONED = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(?:\.\d+)?)?$/

/** Unix milliseconds, or ISO 8601 text with an offset: `2027-03-05T18:00:00Z`. */
export const Instant = z
  .union([z.int(), z.string()], { error: 'must be Unix milliseconds or a time such as 2027-03-05T18:00:00Z' })
  .transform((value, context) => {
    const at = typeof value === 'number' ? value : zonedTime(value)
    const problem = Number.isNaN(at) ? textProblem(String(value)) : instantProblem(at)
    if (problem === null) return at
    context.addIssue(problem)
    return z.NEVER
  })

/** NaN for a text without a zone, or with a day that its month does not have. */
function zonedTime(text: string): number {
  const day = text.slice(0, 10)
  const at = ZONED.test(text) ? parseTimestamp(`${day}T00:00:00Z`) : Number.NaN
  const isDay = !Number.isNaN(at) && new Date(at).toISOString().startsWith(day)
  return isDay ? parseTimestamp(text) : Number.NaN
}

function textProblem(text: string): string {
  const [, date, time, seconds = ':00'] = UNZONED.exec(text) ?? []
  if (date === undefined || Number.isNaN(Date.parse(date)))
    return 'must be Unix milliseconds or a time such as 2027-03-05T18:00:00Z'
  const full = `${date}T${time ?? '00:00'}${seconds}`
  return `has no time zone: write ${full}Z, or the offset of the place, such as ${full}+01:00`
}

export const Text = z.string().min(1)

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
