import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { StartError } from '../../lib/errors.ts'
import { SkipError, type Check, type Finding } from './check.ts'
import { allChecks } from './checks/all.ts'
import { clientOver, deleteEverything, seed, prepare, type Fixture, type FixtureOptions } from './fixture.ts'
import { openWire } from './wire.ts'

export interface SelftestOptions extends FixtureOptions {
  readonly url: string
  /** Names of checks or categories; empty for all. */
  readonly only: readonly string[]
  readonly signal: AbortSignal
  /** Prints a progress line. */
  readonly progress: (line: string) => void
}

export interface Result {
  readonly name: string
  readonly category: string
  readonly about: string
  readonly advice: string
  readonly findings: readonly Finding[]
  readonly notes: readonly string[]
  /** Why the check was skipped; null when it ran. */
  readonly skipped: string | null
  /** The error that aborted the check. Never counts as a pass. */
  readonly failed: string | null
}

export interface Outcome {
  readonly results: readonly Result[]
  readonly requests: number
  /** What could not be removed afterwards; null when cleanup succeeded. */
  readonly leftBehind: string | null
}

const MAX_REQUESTS = 60_000
const RUN_LIMIT_MS = 15 * MINUTE_MS
/** Cleanup has its own limits: it must work after the run has used up its own. */
const CLEANUP_REQUESTS = 5000
const CLEANUP_LIMIT_MS = MINUTE_MS
/** Per check; a note contains the number of further findings. */
const MAX_FINDINGS = 25

/** The checks that `--only` names. */
export function selectChecks(only: readonly string[]): readonly Check[] {
  if (only.length === 0) return allChecks
  for (const wanted of only) {
    if (!allChecks.some((check) => isNamed(check, wanted)))
      throw new StartError(
        `There is no check named ${wanted}. Checks: ${allChecks.map(({ name }) => name).join(', ')}.`,
      )
  }
  return allChecks.filter((check) => only.some((wanted) => isNamed(check, wanted)))
}

function isNamed({ name, category }: Check, wanted: string): boolean {
  return name === wanted || category === wanted.toUpperCase()
}

/** Creates the fixture, runs the checks sequentially, and cleans up. */
export async function runSelftest(options: SelftestOptions): Promise<Outcome> {
  const checks = selectChecks(options.only)
  const url = new URL(options.url)
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(RUN_LIMIT_MS)])
  using wire = openWire({ url, signal, maxRequests: MAX_REQUESTS })
  const prepared = await prepare(wire, options)
  const { startTime, endTime } = prepared.times.original
  options.progress(
    `event times to restore: startTime ${startTime}, endTime ${endTime} (null: not overridden)`,
  )

  const results: Result[] = []
  let leftBehind: string | null = null
  let listener: Fixture['listener'] = null
  try {
    const fixture = await seed(prepared)
    listener = fixture.listener
    for (const check of checks) {
      signal.throwIfAborted()
      results.push(await runCheck(check, fixture, options.progress))
    }
  } finally {
    await listener?.[Symbol.asyncDispose]()
    leftBehind = await cleanUp(options, prepared.times.original)
    if (leftBehind !== null) options.progress(leftBehind)
  }
  return { results, requests: wire.sent(), leftBehind }
}

async function runCheck(check: Check, fixture: Fixture, progress: (line: string) => void): Promise<Result> {
  const { name, category, about, advice } = check
  const findings: Finding[] = []
  const notes: string[] = []
  let more = 0
  let skipped: string | null = null
  let failed: string | null = null
  progress(`${category} ${name}`)
  try {
    await fixture.times.enter('during')
    await check.run(fixture, {
      finding({ method = 'GET', path }, role, found) {
        if (findings.length === MAX_FINDINGS) more++
        else findings.push({ method, path, role: typeof role === 'string' ? role : role.name, found })
      },
      note: (text) => void notes.push(text),
    })
  } catch (error) {
    if (error instanceof SkipError) skipped = error.message
    // An aborted run has no result.
    else if (fixture.wire.isAborted()) throw error
    else failed = describe(error)
  }
  if (more > 0) notes.push(`${more} more findings of this check are not listed`)
  return { name, category, about, advice, findings, notes, skipped, failed }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

async function cleanUp(
  { url, adminToken }: SelftestOptions,
  original: { readonly startTime: number | null; readonly endTime: number | null },
): Promise<string | null> {
  const signal = AbortSignal.timeout(CLEANUP_LIMIT_MS)
  using wire = openWire({ url: new URL(url), signal, maxRequests: CLEANUP_REQUESTS })
  const call = clientOver(wire)
  const steps = [
    async () => {
      const saved = await call(updateSettings, { token: adminToken, body: { data: original } })
      if (saved.kind !== 'goodAdminSettingsUpdate') throw new Error(`event times: ${saved.kind}`)
    },
    () => deleteEverything(call, adminToken),
  ]
  const failures: string[] = []
  for (const step of steps) await step().catch((error: unknown) => failures.push(describe(error)))
  return failures.length === 0 ? null : `Could not clean up: ${failures.join('; ')}. Run the self-test again.`
}
