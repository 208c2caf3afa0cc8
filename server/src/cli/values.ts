import { parseTimestamp } from '@pennant/contract/timestamps.ts'
import { StartError } from '../lib/errors.ts'

// Values of arguments that several commands have.

export function requireHttpUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text
  throw new StartError(`${text} is not an http or https URL.`)
}

/** Unix milliseconds. */
export function instantOf(text: string): number {
  const at = parseTimestamp(text)
  if (Number.isNaN(at)) throw new StartError(`${text} is not a time such as 2027-03-05T18:00:00Z.`)
  return at
}
