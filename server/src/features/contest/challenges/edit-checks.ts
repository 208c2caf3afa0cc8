import { createHash } from 'node:crypto'
import type { Flags } from '../../../providers/flags/flags.ts'
import type { FlagEntry } from '../../../world/model.ts'
import type { MergedInstancer } from './admin-rules.ts'

// The checks of a challenge's values, for a single edit and for the import of an archive. They write nothing.

type Json = Readonly<Record<string, unknown>>
export type Checked<T> = { readonly value: T } | { readonly error: string }

/** The parts of the configured instancers that an edit needs. */
export interface InstancerChecks {
  /** Returns the error in the settings, or null. */
  problemOf(settings: MergedInstancer): string | null | Promise<string | null>
}

export interface DerivedBot {
  readonly inputs: Readonly<Record<string, { readonly pattern: string; readonly flags?: string }>>
  readonly timeoutMilliseconds: number
  readonly requireInstancerInstancesRunning: boolean
}

/** The parts of the configured admin bot that an edit needs. */
export interface AdminBotChecks {
  /** Compiles an author's code. An unreachable worker is reported as an error text as well. */
  derive(code: string): Promise<Checked<DerivedBot>>
}

/** What the checks of an edit ask. */
export interface EditChecks {
  readonly flags: Pick<Flags, 'check'>
  /** Null if no instancer is configured. */
  readonly instancers: InstancerChecks | null
  readonly adminBot: AdminBotChecks | null
}

export interface FlagProblem {
  /** Index of the entry in the list. */
  readonly index: number
  readonly problem: string
}

/** Returns the entries to store and the problem of every other entry, in order. */
export async function checkFlags(
  { flags }: Pick<EditChecks, 'flags'>,
  given: readonly FlagEntry[],
): Promise<{ readonly entries: readonly FlagEntry[]; readonly problems: readonly FlagProblem[] }> {
  const entries: FlagEntry[] = []
  const problems: FlagProblem[] = []
  for (const [index, entry] of given.entries()) {
    const checked = await flags.check(entry)
    if ('problem' in checked) problems.push({ index, problem: checked.problem })
    else entries.push(checked.entry)
  }
  return { entries, problems }
}

/** Returns the problem of instancer settings that are complete, or null. */
export async function checkInstancer(
  { instancers }: Pick<EditChecks, 'instancers'>,
  settings: MergedInstancer,
): Promise<string | null> {
  return instancers ? await instancers.problemOf(settings) : 'No instancer is configured.'
}

/** Returns the settings to store for an author's code. */
export async function checkBot(
  { adminBot }: Pick<EditChecks, 'adminBot'>,
  code: string,
): Promise<Checked<Json>> {
  if (!adminBot) return { error: 'No admin bot is configured.' }
  const derived = await adminBot.derive(code)
  if ('error' in derived) return derived
  const { inputs, timeoutMilliseconds, requireInstancerInstancesRunning } = derived.value
  const revision = createHash('sha256').update(code).digest('hex')
  return { value: { code, inputs, revision, timeoutMilliseconds, requireInstancerInstancesRunning } }
}
