import { isEmail } from '@pennant/contract/fields.ts'
import { integerOf, textOf, type Json } from '../json.ts'
import { readNaiveInstant } from '../micros.ts'

/** Whether users or teams are the accounts. */
export type Mode = 'users' | 'teams'

export function byId(rows: readonly Json[]): Json[] {
  return rows.toSorted((a, b) => (integerOf(a['id']) ?? 0) - (integerOf(b['id']) ?? 0))
}

/** Null if it cannot receive mail. */
export function addressOf(value: unknown): string | null {
  const email = textOf(value)
    .trim()
    .replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
  return isEmail(email) && !email.endsWith('@import.invalid') ? email : null
}

/** Dates of CTFd are UTC without saying so. */
export function microsOf(value: unknown): number | null {
  return typeof value === 'string' ? readNaiveInstant(value) : null
}
