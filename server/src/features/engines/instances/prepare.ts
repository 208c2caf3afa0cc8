import { MINUTE_MS } from '@pennant/contract/durations.ts'
import type { Log } from '../../../lib/log.ts'
import type { Json } from '../../../providers/instancer/instancer.ts'
import type { Instancers } from '../../../providers/instancer/registry.ts'
import type { Challenge, WorldView } from '../../../world/model.ts'
import { instanceSettings } from './settings.ts'

/** Images are pulled this long before the challenge opens. */
const AHEAD_MS = 30 * MINUTE_MS
/** Timeout for a whole round, all engines together. */
const ROUND_LIMIT_MS = 20 * MINUTE_MS

export interface PrepareDeps {
  readonly world: () => WorldView
  readonly instancers: Instancers
  readonly log: Log
  readonly now: () => number
}

/**
 * Makes the engines pull the images of challenges that are open or open soon. Rejects if an image cannot be
 * pulled.
 */
export async function prepareInstances(
  { world, instancers, log, now }: PrepareDeps,
  stop: AbortSignal,
): Promise<void> {
  const wanted = new Map<string, Json[]>()
  for (const challenge of world().challenges()) {
    const settings = opensBy(challenge, now() + AHEAD_MS) ? settingsOf(challenge) : null
    if (!settings) continue
    const name = settings.instancer ?? instancers.defaultName
    wanted.set(name, [...(wanted.get(name) ?? []), settings.config])
  }
  const signal = AbortSignal.any([stop, AbortSignal.timeout(ROUND_LIMIT_MS)])
  const failures: unknown[] = []
  for (const { instancer, maintenance } of instancers.engines()) {
    if (!maintenance.prepare) continue
    try {
      // Engines need images of their own even before the first challenge opens.
      await maintenance.prepare(wanted.get(instancer.name) ?? [], signal)
    } catch (error) {
      log.warn({ instancer: instancer.name, err: error }, 'an instancer could not prepare a challenge')
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'some challenges could not be prepared')
}

function opensBy({ hidden, releaseAt }: Challenge, instant: number): boolean {
  return !hidden && (releaseAt === null || releaseAt <= instant)
}

function settingsOf(challenge: Challenge) {
  try {
    return instanceSettings(challenge)
  } catch {
    return null
  }
}
