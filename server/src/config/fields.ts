import { z } from 'zod'

// Kinds of values that several keys share.

/** Unix milliseconds, or the same as ISO 8601 text with its offset: `2027-03-05T18:00:00Z`. */
export const Instant = z
  .union([z.int().min(0), z.iso.datetime({ offset: true })], {
    error: 'must be Unix milliseconds or a time like 2027-03-05T18:00:00Z',
  })
  .transform((value) => (typeof value === 'number' ? value : Date.parse(value)))

export const Text = z.string().min(1)

export const HttpUrl = z.url({
  protocol: /^https?$/,
  error: 'must be an address that starts with http:// or https://',
})

/** A number of milliseconds that fits a timer. */
export const Milliseconds = z.int().min(0).max(2_147_483_647)

export const Port = z.int().min(0).max(65_535)
