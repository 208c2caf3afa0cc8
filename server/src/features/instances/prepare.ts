import type { Log } from '../../lib/log.ts'
import type { Json } from '../../providers/instancer/instancer.ts'
import type { Instancers } from '../../providers/instancer/registry.ts'
import type { Challenge, WorldView } from '../../world/model.ts'
import { instanceSettings } from './settings.ts'

/** Images are fetched this long before the challenge that needs them opens. */
const AHEAD_MS = 30 * 60_000
/** A whole round, for all engines. */
const ROUND_LIMIT_MS = 20 * 60_000

export interface PrepareDeps {
  readonly world: () => WorldView
  readonly instancers: Instancers
  readonly log: Log
  readonly now: () => number
}

/** Has the engines fetch what challenges need that are open or open soon. Rejects when something cannot be had. */
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
  for (const { instancer, house } of instancers.engines()) {
    const configs = wanted.get(instancer.name)
    if (!configs || !house.prepare) continue
    try {
      await house.prepare(configs, signal)
    } catch (error) {
      log.warn({ instancer: instancer.name, err: error }, 'an instancer is not ready for a challenge')
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'not all challenges can be started')
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
