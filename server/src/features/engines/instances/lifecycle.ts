import type { InstanceDetails, InstanceKey } from '../../../providers/instancer/instancer.ts'
import type { NamedInstancer } from '../../../providers/instancer/registry.ts'
import { ProviderError } from '../../../providers/provider.ts'
import { extendSlot } from './slots.ts'
import {
  SLOT_MARGIN_MS,
  startInstance,
  stateOf,
  STILL_STOPPING,
  type LifecycleDeps,
  type QueuedDetails,
  type Start,
} from './start-instance.ts'
import { createStartQueue } from './start-queue.ts'
import { slotKeyOf, stopInstance } from './stop-instance.ts'

/**
 * Starts, extends and stops instances within the limits. All methods reject with a ProviderError whose
 * message is shown to the team. See docs/decisions/0017-count-instances-with-capacity-slots.md
 */
export interface Lifecycle {
  /** The current state. A start in flight shows its position in the queue. */
  get(instancer: NamedInstancer, key: InstanceKey): Promise<QueuedDetails>
  /** Returns the state if the instance exists or is starting. Rejects while it is being stopped. */
  start(start: Start): Promise<QueuedDetails>
  /** Rejects while the instance is being stopped. */
  extend(instancer: NamedInstancer, key: InstanceKey, timeoutMs: number): Promise<InstanceDetails>
  /** Also cancels a start in flight, which then rejects. */
  stop(instancer: NamedInstancer, key: InstanceKey): Promise<InstanceDetails>
  /** Number of queued starts and of starts in flight. */
  queue(): { readonly waiting: number; readonly running: number }
}

export function createLifecycle(deps: LifecycleDeps): Lifecycle {
  const { db, now, limits, setTimer } = deps
  const queue = createStartQueue(limits, setTimer)
  /** Starts in flight in this process. A second request joins the first. */
  const inFlight = new Map<string, Promise<QueuedDetails>>()
  return {
    get: (instancer, key) => stateOf(instancer, key, deps),

    start(start) {
      const key = JSON.stringify(Object.values(slotKeyOf(start.instancer, start.order)))
      const joined = inFlight.get(key)
      if (joined) return joined
      const work = startInstance(start, { ...deps, queue }).finally(() => inFlight.delete(key))
      inFlight.set(key, work)
      return work
    },

    async extend(instancer, key, timeoutMs) {
      // Written before the call: if this process dies in between, the slot still lasts as long as the
      // instance.
      const endsAt = new Date(now() + timeoutMs + SLOT_MARGIN_MS)
      if (!(await extendSlot(db, slotKeyOf(instancer, key), endsAt))) throw new ProviderError(STILL_STOPPING)
      return await instancer.extend({ ...key, timeoutMs })
    },

    stop: (instancer, key) => stopInstance({ db, now }, instancer, key),

    queue: () => ({ waiting: queue.waiting(), running: queue.running() }),
  }
}
