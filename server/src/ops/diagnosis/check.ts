import { SECOND_MS } from '@pennant/contract/durations.ts'
import type { Config } from '../../config/config.ts'
import type { Database } from '../../db/database.ts'
import { reasonOf } from '../../lib/reason.ts'
import { createSemaphore } from '../../lib/semaphore.ts'
import type { Captcha } from '../../providers/captcha/captcha.ts'
import type { Email } from '../../providers/email/email.ts'
import type { Instancers } from '../../providers/instancer/registry.ts'
import type { Uploads } from '../../providers/uploads/uploads.ts'

/** `unchecked`: the check could not look at anything, so nothing is known. */
export type Severity = 'ok' | 'warning' | 'error' | 'unchecked'

export interface Finding {
  readonly severity: Severity
  /** What was found, or why nothing was checked. May be empty if all is well. */
  readonly finding: string
  /** What to do; empty if nothing has to be done. */
  readonly remedy: string
}

export interface Diagnosis extends Finding {
  readonly name: string
}

/** What the checks look at: the running server's parts, or those that the command starts. */
export interface Subject {
  readonly config: Config
  readonly now: () => number
  /** A text if the database cannot be used, for example because it does not exist yet. */
  readonly db: Database | string
  readonly uploads: () => Promise<Uploads>
  readonly email: () => Promise<Email | null>
  readonly captcha: () => Promise<Captcha | null>
  readonly instancers: () => Promise<Instancers | null>
  /** Checks of challenges look at this one only, also if it is hidden. */
  readonly challengeId?: string | undefined
  /** Sends a test message to this address. */
  readonly mailTo?: string | undefined
  /** Starts and stops an instance. */
  readonly withInstances?: boolean | undefined
  /** Queues a visit of the admin bot. */
  readonly withBot?: boolean | undefined
  readonly network?: Network | undefined
  /** Replaces the version of this process, for tests. */
  readonly nodeVersion?: string | undefined
}

/** Replaces parts of the network, for tests. */
export interface Network {
  readonly nameServers?: readonly string[]
  /** Certificate authority that is trusted in addition to the public ones. */
  readonly authority?: string
  /** Port that redirects to https; 80 by default. */
  readonly plainPort?: number
}

export interface Check {
  readonly name: string
  /** Not run without a usable, migrated database. */
  readonly needsDatabase?: boolean
  readonly timeoutMs?: number
  run(subject: Subject, signal: AbortSignal): Finding | Promise<Finding>
}

export const DEFAULT_TIMEOUT_MS = 20 * SECOND_MS
const CONCURRENT = 4
const MAX_FINDING = 500
const MAX_NAMED = 5

export const ok = (finding = ''): Finding => ({ severity: 'ok', finding, remedy: '' })
export const unchecked = (finding: string, remedy = ''): Finding => ({
  severity: 'unchecked',
  finding,
  remedy,
})
export const warning = (finding: string, remedy: string): Finding => ({
  severity: 'warning',
  finding,
  remedy,
})
export const failure = (finding: string, remedy: string): Finding => ({ severity: 'error', finding, remedy })

/** The first names of a list, and the number of the others. */
export function named(names: readonly string[]): string {
  const rest = names.length - MAX_NAMED
  return names.slice(0, MAX_NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

/** Runs the checks, a few at a time, and returns one result for each in the given order. */
export async function runChecks(checks: readonly Check[], subject: Subject): Promise<Diagnosis[]> {
  const enter = createSemaphore({ slots: CONCURRENT, maxQueue: checks.length })
  return await Promise.all(checks.map((check) => enter(() => runCheck(check, subject))))
}

async function runCheck(check: Check, subject: Subject): Promise<Diagnosis> {
  const { name, timeoutMs = DEFAULT_TIMEOUT_MS } = check
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const found = await Promise.race([check.run(subject, signal), late(signal, timeoutMs)])
    return { name, ...found, finding: sentence(found.finding) }
  } catch (error) {
    const finding = sentence(`The check could not be completed: ${reasonOf(error)}`)
    return { name, ...failure(finding, 'Correct this, then run the checks again.') }
  }
}

/** Messages of other programs often have no full stop, and a remedy follows. */
function sentence(text: string): string {
  const short = text.slice(0, MAX_FINDING).replace(/\.{2,}(?=\s|$)/g, '.')
  return short === '' || /[.!?]$/.test(short) ? short : `${short}.`
}

async function late(signal: AbortSignal, timeoutMs: number): Promise<Finding> {
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  return failure(
    `There was no result within ${timeoutMs / SECOND_MS} s.`,
    'Check that the service responds and can be reached from this machine.',
  )
}
