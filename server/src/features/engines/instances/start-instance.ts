import { MINUTE_MS } from '@pennant/contract/durations.ts'
import type { Database } from '../../../db/database.ts'
import type { SetTimer } from '../../../lib/set-timer.ts'
import { randomId } from '../../../lib/uuid.ts'
import type { InstanceDetails, InstanceKey, InstanceOrder } from '../../../providers/instancer/instancer.ts'
import type { NamedInstancer } from '../../../providers/instancer/registry.ts'
import { ProviderError, UncertainError } from '../../../providers/provider.ts'
import {
  claimSlot,
  findPendingStart,
  finishStart,
  releaseSlot,
  renewStart,
  type Claim,
  type OwnedSlot,
  type SlotLimits,
} from './slots.ts'
import type { StartQueue, StartQueueLimits } from './start-queue.ts'
import { removeInstance, slotKeyOf } from './stop-instance.ts'

/** Engines may end an instance slightly later than requested. */
export const SLOT_MARGIN_MS = MINUTE_MS
/**
 * Longer than any call to an engine including the cleanup after a failure. After that, a start counts as
 * dead.
 */
const START_LIMIT_MS = 90_000

/** The state of an instance whose start may be queued. */
export interface QueuedDetails extends InstanceDetails {
  /** From 1; absent unless the start waits for others. */
  readonly queuePosition?: number
}

const STARTING: InstanceDetails = { status: 'starting', timeLeftMs: null, endpoints: [] }
export const STILL_STOPPING = 'The instance is still stopping. Try again in a moment.'
const STOPPED_MEANWHILE = 'The instance was stopped while it was starting.'

export interface LifecycleLimits extends SlotLimits, StartQueueLimits {}

export interface LifecycleDeps {
  readonly db: Database
  readonly now: () => number
  readonly limits: LifecycleLimits
  /** The challenge's name for messages to the team; null if the team must not see it. */
  readonly challengeName: (id: string, teamId: string) => string | null
  readonly onStart?: (result: 'started' | 'refused' | 'failed', ms: number) => void
  readonly setTimer?: SetTimer
}

export interface Start {
  readonly instancer: NamedInstancer
  readonly challengeId: string
  readonly order: InstanceOrder
  /** Who of the team starts it; null for the token of the team itself. */
  readonly personId?: string | null
  /** Called when the start has its slot: from then on, other requests see it. */
  readonly onClaimed?: () => Promise<void>
}

export interface StartContext extends LifecycleDeps {
  readonly queue: StartQueue
}

/** Claims a slot and starts the instance when its turn in the queue comes. */
export async function startInstance(start: Start, context: StartContext): Promise<QueuedDetails> {
  const { db, now, limits, challengeName, onStart } = context
  const { instancer, challengeId, order, personId = null } = start
  const slot = { ...slotKeyOf(instancer, order), startId: randomId() }
  const flags = order.flags.map(({ flag }) => flag)
  const endsAt = new Date(now() + order.timeoutMs + SLOT_MARGIN_MS)
  const startingUntil = new Date(now() + limits.maxWaitMs + START_LIMIT_MS)
  const machines = (await instancer.machines())?.filter(({ isUp }) => isUp) ?? null
  const claim = await claimSlot(
    db,
    { ...slot, challengeId, endsAt, startingUntil, now: now(), machines, flags, personId },
    limits,
  )
  if (claim.kind === 'starting') return await stateOf(instancer, order, { db, now })
  if (claim.kind !== 'claimed') {
    const refusal = refusalOf(claim, { now: now(), teamId: order.teamId, challengeName })
    onStart?.('refused', 0)
    throw new ProviderError(refusal)
  }
  await start.onClaimed?.()
  const beganAt = now()
  try {
    const placed = claim.host === null ? start : { ...start, order: { ...order, host: claim.host } }
    const details = await createInstance({ ...placed, isNew: claim.isNew }, slot, context)
    onStart?.('started', now() - beganAt)
    return details
  } catch (error) {
    onStart?.('failed', now() - beganAt)
    throw error
  }
}

/** A start that has claimed its slot. */
interface ClaimedStart extends Start {
  /** Before it the team had no slot, so it had no instance either. */
  readonly isNew: boolean
}

async function createInstance(
  start: ClaimedStart,
  slot: OwnedSlot,
  context: StartContext,
): Promise<InstanceDetails> {
  const { db, now, queue } = context
  const { instancer, order } = start
  let details: InstanceDetails
  try {
    details = await queue.run(order.teamId, async () => {
      const startingUntil = new Date(now() + START_LIMIT_MS)
      // While queued, the start may have been stopped or timed out.
      if (!(await renewStart(db, slot, { now: now(), startingUntil })))
        throw new ProviderError(STOPPED_MEANWHILE)
      return await instancer.create(order)
    })
  } catch (error) {
    return await afterFailure({ start, slot, error }, context)
  }
  if (await finish({ start, slot, uncertainUntil: null }, context)) return details
  throw new ProviderError(STOPPED_MEANWHILE)
}

interface Outcome {
  readonly start: Start
  readonly slot: OwnedSlot
  readonly uncertainUntil: Date | null
}

/** Returns false if the instance was stopped while it was starting. In that case it is removed. */
async function finish({ start, slot, uncertainUntil }: Outcome, { db, now }: StartContext): Promise<boolean> {
  const outcome = await finishStart(db, slot, uncertainUntil)
  if (outcome === 'started' || outcome === 'superseded') return true
  const { instancer, order } = start
  // If the engine fails now, reconciliation removes the instance.
  await removeInstance({ db, now }, { instancer, key: order, slot }).catch(() => {})
  return false
}

interface Failure {
  readonly start: ClaimedStart
  readonly slot: OwnedSlot
  readonly error: unknown
}

/** Releases the slot only if the engine reports no instance and none can still appear. */
async function afterFailure(
  { start, slot, error }: Failure,
  context: StartContext,
): Promise<InstanceDetails> {
  if (!(error instanceof ProviderError)) throw error
  const { db, now } = context
  const requestedAt = now()
  const found = await start.instancer.get(start.order).catch(() => null)
  const unheardMs = error instanceof UncertainError ? START_LIMIT_MS : 0
  // Without a slot before there was no instance, and the engine has refused this one.
  const isKnown = (found !== null || start.isNew) && unheardMs === 0
  const uncertainUntil = isKnown ? null : new Date(now() + unheardMs)
  const isWanted = await finish({ start, slot, uncertainUntil }, context)
  if (!isWanted) throw error
  if (found === null && isKnown) await releaseSlot(db, slot, requestedAt)
  if (found === null) throw error
  if (found.status === 'stopped') await releaseSlot(db, slot, requestedAt)
  if (found.status === 'starting' || found.status === 'running') return found
  throw error
}

/** While a start is in flight, its slot decides: what the engine shows by then is incomplete. */
export async function stateOf(
  instancer: NamedInstancer,
  key: InstanceKey,
  { db, now }: Pick<LifecycleDeps, 'db' | 'now'>,
): Promise<QueuedDetails> {
  const pending = await findPendingStart(db, slotKeyOf(instancer, key), now())
  if (!pending) return await instancer.get(key)
  const { isStopping, queuePosition } = pending
  if (isStopping) return { ...STARTING, status: 'stopping' }
  return { ...STARTING, ...(queuePosition !== null && { queuePosition }) }
}

interface RefusalContext {
  readonly now: number
  readonly teamId: string
  readonly challengeName: LifecycleDeps['challengeName']
}

function refusalOf(
  claim: Exclude<Claim, { kind: 'claimed' | 'starting' }>,
  { now, teamId, challengeName }: RefusalContext,
): string {
  if (claim.kind === 'stopping') return STILL_STOPPING
  if (claim.kind === 'full') {
    const minutes = Math.max(1, Math.ceil((claim.freesAt.getTime() - now) / 60_000))
    const when = `in at most ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
    return `All ${claim.max} instance slots are in use. The next one becomes free ${when}.`
  }
  if (claim.kind === 'no machine') return 'The instancer cannot be reached. Try again in a moment.'
  const { slots } = claim
  const namesOf = (some: typeof slots) =>
    some.flatMap(({ challengeId }) => challengeName(challengeId, teamId) ?? [])
  const many = slots.length === 1 ? 'an instance' : `${slots.length} instances`
  const stopping = slots.filter(({ isStopping }) => isStopping)
  const [isWaiting, names] = stopping.length > 0 ? [true, namesOf(stopping)] : [false, namesOf(slots)]
  // An instance of a challenge that the team cannot see any more is being removed.
  const advice =
    names.length === 0
      ? 'It is being removed. Try again in a moment.'
      : isWaiting
        ? `Still stopping: ${names.join(', ')}. Try again in a moment.`
        : `Stop one first: ${names.join(', ')}.`
  return `Your team has ${many}, as many as it may have at once. ${advice}`
}
