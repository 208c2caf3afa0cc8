import type { Database } from '../../db/database.ts'
import type { Log } from '../../lib/log.ts'
import type { Housekeeping, ListedInstance } from '../../providers/instancer/instancer.ts'
import type { Instancers, NamedInstancer } from '../../providers/instancer/registry.ts'
import type { WorldView } from '../../world/model.ts'
import { SLOT_MARGIN_MS } from './lifecycle.ts'
import { findChallengeOf } from './owners.ts'
import { adoptSlot, listSlots, releaseSlot, removeOverSlots, type Slot } from './slots.ts'

/** A start whose turn has come and that has not made its instance by then never will. */
const START_LIMIT_MS = 90_000
/** Removing what an event leaves behind takes an engine a while. */
const HOUSE_LIMIT_MS = 120_000
/** Engines need time for each; the next round does the rest. */
const MAX_REMOVALS = 50

export interface ReconcileDeps {
  readonly db: Database
  readonly world: () => WorldView
  /** Resolves when the world holds what was committed before the call. */
  readonly caughtUp: () => Promise<void>
  /** How long a start may wait for its turn. */
  readonly maxWaitMs: number
  readonly instancers: Instancers
  readonly log: Log
  readonly now: () => number
}

/**
 * Makes the engines and the book of places agree with the contest: removes what is over, half made or without an owner,
 * frees places without an instance and takes in instances without a place. Rejects after all engines had their turn
 * when one of them failed.
 */
export async function reconcile(deps: ReconcileDeps, stop: AbortSignal): Promise<void> {
  const { db, instancers, now } = deps
  await removeOverSlots(db, now())
  const slots = await listSlots(db, now())
  const failures: unknown[] = []
  for (const { instancer, house } of instancers.engines()) {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(HOUSE_LIMIT_MS)])
    const own = slots.filter((slot) => slot.instancer === instancer.name)
    try {
      await settle({ instancer, house, slots: own }, deps, signal)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'an instancer cannot be kept in order')
}

interface Engine {
  readonly instancer: NamedInstancer
  readonly house: Housekeeping
  readonly slots: readonly Slot[]
}

async function settle(
  { instancer, house, slots }: Engine,
  deps: ReconcileDeps,
  signal: AbortSignal,
): Promise<void> {
  const { db, log, now, maxWaitMs } = deps
  const removed = (await house.prune?.(signal)) ?? 0
  if (removed > 0) log.info({ instancer: instancer.name, removed }, 'instances that were over were removed')
  const listed = await house.list?.(signal)
  await removeOwnerless(instancer, listed ?? slots, deps)
  if (!listed) return
  const isListed = new Set(listed.map(nameOf))
  for (const slot of slots) {
    const isYoung = now() - slot.claimedAt.getTime() < maxWaitMs + START_LIMIT_MS
    if (!isListed.has(nameOf(slot)) && !isYoung) await releaseSlot(db, slot)
  }
  await adoptUnknown(instancer, { listed, slots }, deps)
}

function nameOf({ teamId, integrationId }: Pick<ListedInstance, 'teamId' | 'integrationId'>): string {
  return JSON.stringify([teamId, integrationId])
}

/** Teams that were deleted or banned, and challenges that are gone, have no use for theirs. */
async function removeOwnerless(
  instancer: NamedInstancer,
  instances: readonly Pick<ListedInstance, 'teamId' | 'integrationId'>[],
  { db, world, caughtUp, log }: ReconcileDeps,
): Promise<void> {
  const isOwnerless = ({ teamId, integrationId }: Pick<ListedInstance, 'teamId' | 'integrationId'>) => {
    const team = world().team(teamId)
    return !team || team.banned || !findChallengeOf(world(), integrationId)
  }
  if (!instances.some(isOwnerless)) return
  // Its team may have come at another process a moment ago. Who cannot know removes nothing; the follower tells why.
  const isKnown = await caughtUp().then(
    () => true,
    () => false,
  )
  if (!isKnown) return
  for (const { teamId, integrationId } of instances.filter(isOwnerless).slice(0, MAX_REMOVALS)) {
    await instancer.delete({ teamId, integrationId, config: {} })
    await releaseSlot(db, { instancer: instancer.name, teamId, integrationId })
    log.info({ instancer: instancer.name, teamId, integrationId }, 'an instance without an owner was removed')
  }
}

async function adoptUnknown(
  { name }: NamedInstancer,
  { listed, slots }: { readonly listed: readonly ListedInstance[]; readonly slots: readonly Slot[] },
  { db, world, now }: ReconcileDeps,
): Promise<void> {
  const known = new Set(slots.map(nameOf))
  for (const { teamId, integrationId, status, timeLeftMs } of listed) {
    if (known.has(nameOf({ teamId, integrationId })) || status === 'stopping' || status === 'stopped')
      continue
    const challenge = findChallengeOf(world(), integrationId)
    if (!challenge) continue
    const endsAt = new Date(now() + (timeLeftMs ?? 0) + SLOT_MARGIN_MS)
    const claimedAt = new Date(now())
    await adoptSlot(db, {
      instancer: name,
      teamId,
      integrationId,
      challengeId: challenge.id,
      claimedAt,
      endsAt,
    })
  }
}
