import { MINUTE_MS } from '@pennant/contract/durations.ts'
import type { Config } from '../config/config.ts'
import { findPublicChallenge } from '../features/contest/challenges/rules.ts'
import { createLifecycle, type Lifecycle } from '../features/engines/instances/lifecycle.ts'
import { prepareInstances } from '../features/engines/instances/prepare.ts'
import { reconcile } from '../features/engines/instances/reconcile.ts'
import { watchInstances, type InstanceWatch } from '../features/engines/instances/watch.ts'
import type { Job } from '../worker/job.ts'
import type { Providers } from './providers.ts'
import type { Stores } from './stores.ts'

/** Queued starts per process: each keeps a request open. */
const MAX_WAITING = 1_000
/** Longer than a start takes; a browser waits as long for a response. */
const MAX_WAIT_MS = 25_000

export interface InstanceRuntime {
  readonly lifecycle: Lifecycle
  /** Null without an instancer. */
  readonly watch: InstanceWatch | null
  /** Registers a listener for starts. */
  onStart(listener: (result: 'started' | 'refused' | 'failed', ms: number) => void): void
}

/** The shared handling of all instances of this process. */
export function openInstanceRuntime(
  { instances }: Config,
  { db, now, world, log }: Stores,
  { instancers }: Pick<Providers, 'instancers'>,
): InstanceRuntime {
  let tell: Parameters<InstanceRuntime['onStart']>[0] | null = null
  return {
    lifecycle: createLifecycle({
      db,
      now,
      limits: { ...instances, maxWaitMs: MAX_WAIT_MS, maxWaiting: MAX_WAITING },
      challengeName: (id, teamId) =>
        findPublicChallenge(world(), id, world().team(teamId) ?? null)?.name ?? null,
      onStart: (result, ms) => tell?.(result, ms),
    }),
    watch: instancers && watchInstances({ instancers, log, now }),
    onStart(listener) {
      tell = listener
    },
  }
}

/** Frequent enough to free capacity soon after instances end, and cheap enough for the engines. */
const RECONCILE_MS = 5_000
const PREPARE_MS = MINUTE_MS

/** Background jobs that one process runs for all instances. */
export function instanceJobs(
  { db, now, world, follower, log }: Stores,
  { instancers }: Pick<Providers, 'instancers'>,
): Job[] {
  if (!instancers) return []
  const caughtUp = () => follower.catchUp()
  const deps = { db, world, caughtUp, instancers, log, now }
  return [
    {
      name: 'instances in order',
      everyMs: RECONCILE_MS,
      run: (signal) => reconcile(deps, signal),
    },
    {
      name: 'images ahead of challenges',
      everyMs: PREPARE_MS,
      run: (signal) => prepareInstances({ world, instancers, log, now }, signal),
    },
  ]
}
