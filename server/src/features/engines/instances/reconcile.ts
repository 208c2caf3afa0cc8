import { MINUTE_MS } from '@pennant/contract/durations.ts'
import type { Database } from '../../../db/database.ts'
import type { Log } from '../../../lib/log.ts'
import { randomId } from '../../../lib/uuid.ts'
import type { Maintenance, ListedInstance, Listing } from '../../../providers/instancer/instancer.ts'
import type { Instancers, NamedInstancer } from '../../../providers/instancer/registry.ts'
import type { WorldView } from '../../../world/model.ts'
import { CHECK_TEAM_ID, findChallengeOf, isOpenToTeam } from './owners.ts'
import {
  adoptSlot,
  correctEnd,
  listSlots,
  recordHost,
  releaseSlot,
  removeSlotsOfOthers,
  settleSlot,
  type Slot,
} from './slots.ts'
import { SLOT_MARGIN_MS } from './start-instance.ts'
import { removeInstance, stopInstance } from './stop-instance.ts'

/** A stop that takes longer has failed, or its process died. It is retried. */
const STOP_LIMIT_MS = MINUTE_MS
/** Engines need a while to remove the instances that an event leaves behind. */
const ENGINE_LIMIT_MS = 120_000
/** Maximum number of calls per engine, round and purpose. The next round continues. */
const MAX_CALLS = 50
const CALLS_AT_ONCE = 8

export interface ReconcileDeps {
  readonly db: Database
  readonly world: () => WorldView
  /** Resolves once the world includes everything committed before the call. */
  readonly caughtUp: () => Promise<void>
  readonly instancers: Instancers
  readonly log: Log
  readonly now: () => number
}

/**
 * Reconciles the engines and the capacity slots with the contest. Removes instances that have expired, are
 * incomplete or have no owner, retries interrupted stops, releases slots whose instance is gone and adds
 * slots for instances without one. Handles all engines first and then rejects if any failed.
 */
export async function reconcile(deps: ReconcileDeps, stop: AbortSignal): Promise<void> {
  const { db, instancers, now } = deps
  const engines = instancers.engines()
  const names = engines.map(({ instancer }) => instancer.name)
  await removeSlotsOfOthers(db, names, now())
  // Read before any engine is called, because a response can be outdated when it is processed. A slot is
  // released only if it still belongs to the start that was read here.
  const readAt = now()
  const slots = await listSlots(db)
  const failures: unknown[] = []
  for (const { instancer, maintenance } of engines) {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(ENGINE_LIMIT_MS)])
    const own = slots.filter((slot) => slot.instancer === instancer.name)
    try {
      failures.push(...(await reconcileEngine({ instancer, maintenance, slots: own, readAt }, deps, signal)))
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, 'the instances of an instancer could not be reconciled')
}

interface Engine {
  readonly instancer: NamedInstancer
  readonly maintenance: Maintenance
  readonly slots: readonly Slot[]
  readonly readAt: number
}

/** Resolves to the errors of individual calls. One failed call does not prevent the others. */
async function reconcileEngine(
  { instancer, maintenance, slots, readAt }: Engine,
  deps: ReconcileDeps,
  signal: AbortSignal,
): Promise<unknown[]> {
  const failures = await prune({ instancer, maintenance }, deps, signal)
  const listing = withoutChecks(await maintenance.list?.(signal))
  const ownerless = await removeOwnerless(instancer, listing?.instances ?? slots, deps)
  failures.push(...ownerless)
  if (!listing) return [...failures, ...(await probeSlots(instancer, { slots, readAt }, deps))]
  const interrupted = await repeatStops(instancer, { listing, slots, readAt }, deps)
  await releaseMissing({ listing, slots, readAt }, deps)
  await adoptUnknown(instancer, { listing, slots, readAt }, deps)
  return [...failures, ...interrupted]
}

/** Instances of checks have no slot and no owner, and must not be removed while they are looked at. */
function withoutChecks(listing: Listing | undefined): Listing | undefined {
  return (
    listing && { ...listing, instances: listing.instances.filter(({ teamId }) => teamId !== CHECK_TEAM_ID) }
  )
}

/** Errors are returned, not thrown: if one of several hosts is down, the others are still pruned. */
async function prune(
  { instancer, maintenance }: Pick<Engine, 'instancer' | 'maintenance'>,
  { log }: ReconcileDeps,
  signal: AbortSignal,
): Promise<unknown[]> {
  try {
    const removed = (await maintenance.prune?.(signal)) ?? 0
    if (removed > 0) log.info({ instancer: instancer.name, removed }, 'removed expired instances')
    return []
  } catch (error) {
    return [error]
  }
}

function nameOf({ teamId, integrationId }: Pick<ListedInstance, 'teamId' | 'integrationId'>): string {
  return JSON.stringify([teamId, integrationId])
}

/** While a start is in flight, only the process that runs it may change the slot. */
function isSettled({ startingUntil }: Slot, now: number): boolean {
  return startingUntil === null || startingUntil.getTime() <= now
}

function isCertain({ uncertainUntil }: Slot, now: number): boolean {
  return uncertainUntil === null || uncertainUntil.getTime() <= now
}

function isStopOverdue({ stoppingSince }: Slot, now: number): boolean {
  return stoppingSince !== null && now - stoppingSince.getTime() >= STOP_LIMIT_MS
}

/** Picks `count` items, a different part each round, so that failing calls do not block the others. */
function partOf<T>(items: readonly T[], count: number, now: number): T[] {
  const first = items.length > count ? Math.floor(now / 1000) % items.length : 0
  return [...items.slice(first), ...items.slice(0, first)].slice(0, count)
}

/** Limits the concurrency and the total number of calls. */
async function callFor<T>(
  items: readonly T[],
  now: number,
  call: (item: T) => Promise<void>,
): Promise<unknown[]> {
  const some = partOf(items, MAX_CALLS, now)
  const failures: unknown[] = []
  for (let at = 0; at < some.length; at += CALLS_AT_ONCE)
    for (const result of await Promise.allSettled(some.slice(at, at + CALLS_AT_ONCE).map(call)))
      if (result.status === 'rejected') failures.push(result.reason)
  return failures
}

/** Removes instances of deleted or banned teams, and of challenges that are deleted or that the team cannot see. */
async function removeOwnerless(
  instancer: NamedInstancer,
  instances: readonly Pick<ListedInstance, 'teamId' | 'integrationId'>[],
  { db, world, caughtUp, log, now }: ReconcileDeps,
): Promise<unknown[]> {
  const isOwnerless = ({ teamId, integrationId }: Pick<ListedInstance, 'teamId' | 'integrationId'>) => {
    const team = world().team(teamId)
    return !team || team.banned || !isOpenToTeam(world(), integrationId, team)
  }
  if (!instances.some(isOwnerless)) return []
  // The team may have registered in another process a moment ago. If the world cannot catch up, nothing is
  // removed; the follower logs the reason.
  const isKnown = await caughtUp().then(
    () => true,
    () => false,
  )
  if (!isKnown) return []
  return await callFor(instances.filter(isOwnerless), now(), async ({ teamId, integrationId }) => {
    await stopInstance({ db, now }, instancer, { teamId, integrationId, config: {} })
    log.info({ instancer: instancer.name, teamId, integrationId }, 'removed an instance without a slot')
  })
}

interface SlotState {
  readonly slots: readonly Slot[]
  readonly readAt: number
}

interface State extends SlotState {
  readonly listing: Listing
}

/** Retries stops whose process died, including those requested while a start was in flight. */
function repeatStops(
  instancer: NamedInstancer,
  { listing, slots, readAt }: State,
  { db, now }: ReconcileDeps,
): Promise<unknown[]> {
  const alive = new Set(listing.instances.filter(({ status }) => status !== 'stopping').map(nameOf))
  const overdue = slots.filter(
    (slot) => isSettled(slot, readAt) && isStopOverdue(slot, now()) && alive.has(nameOf(slot)),
  )
  return callFor(overdue, now(), async (slot) => {
    await removeInstance({ db, now }, { instancer, key: { ...slot, config: {} }, slot })
  })
}

/** An instance is gone if its host responds and does not list it. */
async function releaseMissing({ listing, slots, readAt }: State, { db }: ReconcileDeps): Promise<void> {
  const hosts = new Map(listing.instances.map((instance) => [nameOf(instance), instance.host]))
  const { unreachable } = listing
  for (const slot of slots) {
    const host = hosts.get(nameOf(slot))
    if (host === undefined) {
      const isGone = unreachable.length === 0 || (slot.host !== null && !unreachable.includes(slot.host))
      if (isGone && isSettled(slot, readAt)) await releaseSlot(db, slot, readAt)
    } else if (host !== null && host !== slot.host) await recordHost(db, slot, host)
  }
}

async function adoptUnknown(
  { name }: NamedInstancer,
  { listing, slots }: State,
  { db, world, now }: ReconcileDeps,
): Promise<void> {
  const known = new Set(slots.map(nameOf))
  for (const { teamId, integrationId, timeLeftMs, host } of listing.instances) {
    if (known.has(nameOf({ teamId, integrationId }))) continue
    const challenge = findChallengeOf(world(), integrationId)
    if (!challenge) continue
    await adoptSlot(db, {
      instancer: name,
      teamId,
      integrationId,
      challengeId: challenge.id,
      claimedAt: new Date(now()),
      endsAt: new Date(now() + (timeLeftMs ?? 0) + SLOT_MARGIN_MS),
      startId: randomId(),
      host,
    })
  }
}

/** The outcome of a start is unknown or was never recorded. */
function isUnknown({ startingUntil, uncertainUntil }: Slot): boolean {
  return startingUntil !== null || uncertainUntil !== null
}

/**
 * For engines that cannot list their instances: asks for each instance that may be gone or should be, and for
 * a few of the others, because an instance can end early.
 */
function probeSlots(
  instancer: NamedInstancer,
  { slots, readAt }: SlotState,
  { db, now }: ReconcileDeps,
): Promise<unknown[]> {
  const isOver = (slot: Slot) => slot.endsAt.getTime() <= now()
  const isInDoubt = (slot: Slot) => isUnknown(slot) || slot.stoppingSince !== null || isOver(slot)
  const probeable = slots.filter((slot) => isSettled(slot, readAt) && isCertain(slot, readAt))
  const others = probeable.filter((slot) => !isInDoubt(slot))
  const probed = [...probeable.filter(isInDoubt), ...partOf(others, CALLS_AT_ONCE, now())]
  return callFor(probed, now(), async (slot) => {
    const key = { ...slot, config: {} }
    const { status, timeLeftMs } = await instancer.get(key)
    if (status === 'stopped') await releaseSlot(db, slot, readAt)
    else if (status === 'stopping') return
    else if (isStopOverdue(slot, now()) || (isOver(slot) && !timeLeftMs))
      await removeInstance({ db, now }, { instancer, key, slot })
    else if (isOver(slot)) await correctEnd(db, slot, new Date(now() + (timeLeftMs ?? 0) + SLOT_MARGIN_MS))
    else if (isUnknown(slot)) await settleSlot(db, slot)
  })
}
