import type { Config } from '../config/config.ts'
import { createLifecycle, type Lifecycle } from '../features/instances/lifecycle.ts'
import { prepareInstances } from '../features/instances/prepare.ts'
import { reconcile } from '../features/instances/reconcile.ts'
import { watchInstances, type InstanceWatch } from '../features/instances/watch.ts'
import type { Job } from '../worker/job.ts'
import type { Providers } from './providers.ts'
import type { Stores } from './stores.ts'

/** Starts that wait in one process: each holds a request open. */
const MAX_WAITING = 1_000

export interface InstanceHouse {
  readonly lifecycle: Lifecycle
  /** Null where there is no instancer. */
  readonly watch: InstanceWatch | null
  /** Tells of starts from now on. */
  onStart(listener: (result: 'started' | 'refused' | 'failed', ms: number) => void): void
}

/** What all instances of this process go through. */
export function openInstanceHouse(
  { instances }: Config,
  { db, now, world, log }: Stores,
  { instancers }: Pick<Providers, 'instancers'>,
): InstanceHouse {
  let tell: Parameters<InstanceHouse['onStart']>[0] | null = null
  const { maxWait: maxWaitMs, ...counts } = instances
  return {
    lifecycle: createLifecycle({
      db,
      now,
      limits: { ...counts, maxWaitMs, maxWaiting: MAX_WAITING },
      challengeName: (id) => world().challenge(id)?.name ?? id,
      onStart: (result, ms) => tell?.(result, ms),
    }),
    watch: instancers && watchInstances({ instancers, log, now }),
    onStart(listener) {
      tell = listener
    },
  }
}

/** Soon enough for what is over to make room; engines are asked a little each time. */
const RECONCILE_MS = 5_000
const PREPARE_MS = 60_000

/** What one process does for the instances of all. */
export function instanceJobs(
  { instances }: Config,
  { db, now, world, follower, log }: Stores,
  { instancers }: Pick<Providers, 'instancers'>,
): Job[] {
  if (!instancers) return []
  const caughtUp = () => follower.catchUp()
  const deps = { db, world, caughtUp, maxWaitMs: instances.maxWait, instancers, log, now }
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
