import { z } from 'zod'
import { countryCodes } from './countries.ts'
import { parseTimestamp } from './timestamps.ts'

// Field types that several features share; names and addresses: docs/reference/teams.md. If a value has the
// right type but an invalid form, the refinement's `reply` is returned instead of `badBody`.

const LOCAL_PART = /^[a-z0-9!#$%&'*+\-/=?^_`{|}~]+(?:\.[a-z0-9!#$%&'*+\-/=?^_`{|}~]+)*$/
const DOMAIN_LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/
const TOP_LABEL = /^[a-z](?:[a-z0-9-]*[a-z0-9])$/

/**
 * Whether a trimmed, lower-case address is valid (docs/reference/teams.md#email-addresses). Takes time linear
 * in the length.
 */
export function isEmail(text: string): boolean {
  const at = text.indexOf('@')
  const local = text.slice(0, at)
  const domain = text.slice(at + 1)
  if (at < 1 || local.length > 64 || domain.length > 255 || domain.includes('@')) return false
  if (!LOCAL_PART.test(local)) return false
  const labels = domain.split('.')
  if (labels.length < 2 || !TOP_LABEL.test(labels.at(-1) ?? '')) return false
  return labels.every((label) => label.length <= 63 && DOMAIN_LABEL.test(label))
}

/**
 * Unicode lower-casing maps the Kelvin sign to ASCII `k`, so two different addresses would compare as equal.
 */
function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

// `maxLength` of names and addresses is only for the size of bodies: longer ones have their own replies.

/** What people are called: in any script, unlike names of teams, without the invisible characters that turn text around. */
export const PersonName = z
  .string()
  .meta({ maxLength: 128 })
  .transform((text) => text.trim().normalize('NFC'))
  .refine((text) => /^[^\p{C}\p{Zl}\p{Zp}]{1,64}$/u.test(text), {
    error: 'must be 1 to 64 printable characters',
  })

export const Email = z
  .string()
  .meta({ maxLength: 512 })
  .transform((text) => asciiLowerCase(text.trim()))
  .refine(isEmail, { params: { reply: 'badEmail' } })

export const TeamName = z
  .string()
  .meta({ maxLength: 128 })
  .transform((text) => text.trim())
  .refine((text) => /^[\x20-\x7e]{2,64}$/.test(text), { params: { reply: 'badName' } })

/** Equal for two names if they are the same team name: docs/reference/teams.md#uniqueness */
export function teamNameKey(name: string): string {
  return name.toLowerCase().replaceAll(/ +/g, ' ')
}

/** A team, auth or verify token in a body. Mails and terminals wrap long lines, so white space is ignored. */
export const TokenText = z.string().overwrite((text) => text.replaceAll(/\s+/g, ''))

/** A numeric query value, parsed with JavaScript's `Number(text)`: an integer of at least `min`. */
export function queryInteger(min: number) {
  return z
    .string()
    .refine((text) => text.trim() !== '' && Number.isSafeInteger(Number(text)) && Number(text) >= min, {
      error: `must be an integer of at least ${min}`,
    })
    .transform(Number)
    .meta({ type: 'integer', minimum: min })
}

export const Limit = queryInteger(1).describe('Number of rows.')
export const Offset = queryInteger(0).describe('Rows to skip.')

export const Page = z.object({ limit: Limit, offset: Offset })

/** Whether a page may link to it: http, https, or relative to the site. Others, such as `javascript:`, can run code. */
export function isLink(text: string): boolean {
  const base = 'https://site.invalid'
  return URL.canParse(text, base) && /^https?:$/.test(new URL(text, base).protocol)
}

/** Whether a page may show it as a picture. A `data:image/` address has no scripts where it is only a picture. */
export function isPicture(text: string): boolean {
  return isLink(text) || /^data:image\//i.test(text)
}

// Every address that is stored and shown has one of these; `x-address` marks them for links.test.ts.

export const LinkUrl = z
  .string()
  .refine(isLink, { error: 'must be an http or https address, or a path of this site' })
  .meta({ 'x-address': true })

export const PictureUrl = z
  .string()
  .refine(isPicture, {
    error: 'must be an http or https address, a path of this site, or a data: address of an image',
  })
  .meta({ 'x-address': true })

export const ChallengeId = z.string().min(1).max(255)
export const TeamId = z.string().min(1).max(255)

export const PersonId = z.string().min(1).max(64)

/** Who of a team did something. */
export const ActingPerson = z
  .object({ id: z.string(), name: z.string().nullable() })
  .describe(
    'Who of the team it was; the name is null if the person was deleted. Absent for the token of the team itself.',
  )

/** The API token with which a team did something. */
export const ActingToken = z
  .object({ id: z.string(), name: z.string().nullable() })
  .describe('The API token that was used; the name is null if it was erased. Absent without one.')

/** 32-bit, the range of the database's integer columns. */
export const Int32 = z.int().min(-2147483648).max(2147483647)

export const CountryCode = z.enum(countryCodes as [string, ...string[]], {
  error: 'must be a country code of two letters (ISO 3166-1 alpha-2), such as DE',
})
/** In replies; requests that may contain white space have `TokenText`. */
export const TeamToken = z.string().describe('Signs in to the team. A secret.')
export const CaptchaCode = z.string().optional().describe('Response of the captcha, where it is required.')
export const BloodIndex = z.int().min(0).max(2).nullable().describe('0 to 2 for the first three solves.')

export const StatusText = z.string().max(60)

export const UnixMs = z.int().describe('Unix milliseconds.')

/** Any text that JavaScript reads as a date and time. */
export const Timestamp = z
  .string()
  .max(64)
  .refine((text) => !Number.isNaN(parseTimestamp(text)), { error: 'must be a date and time' })
  .describe('A date and time, such as `2027-03-05T18:00:00Z`.')
