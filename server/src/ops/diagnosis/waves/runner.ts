import { HOUR_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import type { ActionBy } from '../../../db/admin-actions.ts'
import type { Database } from '../../../db/database.ts'
import type { Log } from '../../../lib/log.ts'
import { randomId } from '../../../lib/uuid.ts'
import { checkChallenge, type ChallengeCheckDeps } from './checks.ts'
import { abandonRun, addResult, beginRun, finishRun, keepAlive } from './store.ts'
import { challengesOf, fingerprintOf } from './views.ts'

export interface WaveCheckDeps extends ChallengeCheckDeps {
  readonly db: Database
  readonly log: Log
  readonly now: () => number
}

/** A wave of 20 challenges with instances and bots takes some minutes. */
const MAX_RUN_MS = HOUR_MS
/** A few times within the limit after which a run counts as dead. */
const ALIVE_EVERY_MS = 10 * SECOND_MS

/** Checks waves in the background, one at a time in all processes. */
export type WaveChecks = ReturnType<typeof createWaveChecks>

export function createWaveChecks(deps: WaveCheckDeps) {
  const { db, log, now } = deps
  const closing = new AbortController()
  let current: Promise<void> | null = null

  async function run(waveId: string, runId: string): Promise<void> {
    const timeout = AbortSignal.timeout(MAX_RUN_MS)
    const replaced = new AbortController()
    const stop = AbortSignal.any([closing.signal, timeout, replaced.signal])
    const beat = setInterval(() => {
      keepAlive(db, runId).then(
        (isOwn) => isOwn || replaced.abort(),
        // Its next write shows whether the run is still wanted.
        (error: unknown) => log.warn({ err: error }, 'a check of a wave could not note that it is alive'),
      )
    }, ALIVE_EVERY_MS)
    beat.unref()
    try {
      for (const { id } of challengesOf(deps.world(), waveId)) {
        if (stop.aborted) break
        const challenge = deps.world().challenge(id)
        if (!challenge) continue
        // Before the checks: an edit meanwhile makes them outdated.
        const fingerprint = fingerprintOf(challenge)
        const checks = await checkChallenge(deps, challenge, stop)
        if (!stop.aborted) await addResult(db, runId, { id, fingerprint, checks })
      }
      await (closing.signal.aborted ? abandonRun(db, runId) : finishRun(db, runId, now()))
    } catch (error) {
      log.error({ err: error, waveId }, 'the check of a wave failed')
      await abandonRun(db, runId).catch(() => {})
    } finally {
      clearInterval(beat)
    }
  }

  return {
    /** Starts the check of a wave. `begun` also if that wave is being checked already. */
    async start(waveId: string, by: ActionBy): Promise<'begun' | 'missing' | { readonly busyWith: string }> {
      const runId = randomId()
      const begun = await beginRun(db, { waveId, runId, at: now(), by })
      if (typeof begun === 'object' && begun.busyWith === waveId) return 'begun'
      if (begun === 'begun') {
        const before = current
        current = Promise.resolve(before).then(() => run(waveId, runId))
      }
      return begun
    },

    /** Stops what runs, and waits until its instance is removed. */
    async close(): Promise<void> {
      closing.abort()
      await current
    },
  }
}
