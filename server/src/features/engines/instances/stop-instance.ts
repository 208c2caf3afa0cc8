import type { Queries } from '../../../db/database.ts'
import type { InstanceDetails, InstanceKey } from '../../../providers/instancer/instancer.ts'
import type { NamedInstancer } from '../../../providers/instancer/registry.ts'
import { abandonStop, beginStop, releaseSlot, type OwnedSlot, type SlotKey } from './slots.ts'

const STOPPING: InstanceDetails = { status: 'stopping', timeLeftMs: null, endpoints: [] }

export interface StopDeps {
  readonly db: Queries
  readonly now: () => number
}

export function slotKeyOf({ name }: NamedInstancer, { teamId, integrationId }: Omit<InstanceKey, 'config'>) {
  return { instancer: name, teamId, integrationId } satisfies SlotKey
}

/**
 * Stops an instance. Its slot counts until the engine confirms that the instance is gone. A start in flight
 * is not interrupted: it notices the stop and removes the instance it created.
 */
export async function stopInstance(
  { db, now }: StopDeps,
  instancer: NamedInstancer,
  key: InstanceKey,
): Promise<InstanceDetails> {
  const slotKey = slotKeyOf(instancer, key)
  const stop = await beginStop(db, slotKey, now())
  if (!stop) return instancer.delete(key)
  if (stop.isStarting) return STOPPING
  const slot = { ...slotKey, startId: stop.startId }
  try {
    return await removeInstance({ db, now }, { instancer, key, slot })
  } catch (error) {
    await abandonStop(db, slot)
    throw error
  }
}

export interface Removal {
  readonly instancer: NamedInstancer
  readonly key: InstanceKey
  readonly slot: OwnedSlot
}

/**
 * Asks the engine to remove the instance. Releases the slot if it is gone immediately; otherwise
 * reconciliation does.
 */
export async function removeInstance(
  { db, now }: StopDeps,
  { instancer, key, slot }: Removal,
): Promise<InstanceDetails> {
  const requestedAt = now()
  const details = await instancer.delete(key).catch(async (error: unknown) => {
    // Some engines report an error for an instance that does not exist.
    const left = await instancer.get(key).catch(() => null)
    if (left?.status !== 'stopped') throw error
    return left
  })
  if (details.status === 'stopped') await releaseSlot(db, slot, requestedAt)
  return details
}
