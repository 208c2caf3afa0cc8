import type { Database } from '../../db/database.ts'
import type { InstanceDetails, InstanceKey, InstanceOrder } from '../../providers/instancer/instancer.ts'
import type { NamedInstancer } from '../../providers/instancer/registry.ts'
import { ProviderError } from '../../providers/provider.ts'
import { claimSlot, releaseSlot, renewSlot, type Claim, type SlotLimits } from './slots.ts'
import { createStartLine, type StartLineLimits } from './start-line.ts'

/** The engine may end an instance a little later than it was asked to. */
export const SLOT_MARGIN_MS = 60_000

export interface LifecycleLimits extends SlotLimits, StartLineLimits {}

export interface LifecycleDeps {
  readonly db: Database
  readonly now: () => number
  readonly limits: LifecycleLimits
  /** For sentences: the name of a challenge, or its id. */
  readonly challengeName: (id: string) => string
  readonly onStart?: (result: 'started' | 'refused' | 'failed', ms: number) => void
}

export interface Start {
  readonly instancer: NamedInstancer
  readonly challengeId: string
  readonly order: InstanceOrder
}

/** What becomes of instances, within the limits. Everything rejects with a ProviderError that the team may read. */
export interface Lifecycle {
  /** Of one that is there already: its state. */
  start(start: Start): Promise<InstanceDetails>
  extend(instancer: NamedInstancer, key: InstanceKey, timeoutMs: number): Promise<InstanceDetails>
  stop(instancer: NamedInstancer, key: InstanceKey): Promise<InstanceDetails>
  /** Starts that wait for their turn, and those under way. */
  line(): { readonly waiting: number; readonly running: number }
}

export function createLifecycle({ db, now, limits, challengeName, onStart }: LifecycleDeps): Lifecycle {
  const line = createStartLine(limits)
  /** Starts of this process under way: a second press joins the first. */
  const underWay = new Map<string, Promise<InstanceDetails>>()

  async function begin({ instancer, challengeId, order }: Start): Promise<InstanceDetails> {
    const slot = slotOf(instancer, order)
    const endsAt = new Date(now() + order.timeoutMs + SLOT_MARGIN_MS)
    const claim = await claimSlot(db, { ...slot, challengeId, endsAt, now: now() }, limits)
    const refusal = refusalOf(claim, { now: now(), limits, challengeName })
    if (refusal !== null) {
      onStart?.('refused', 0)
      throw new ProviderError(refusal)
    }
    const began = now()
    try {
      const details = await line.run(order.teamId, async () => instancer.create(order))
      onStart?.('started', now() - began)
      return details
    } catch (error) {
      const there = await stateAfterFailure(instancer, order)
      if (there === 'gone' && claim.kind === 'claimed') await releaseSlot(db, slot)
      if (typeof there !== 'string') return there
      onStart?.('failed', now() - began)
      throw error
    }
  }

  return {
    start(start) {
      const key = JSON.stringify(Object.values(slotOf(start.instancer, start.order)))
      const joined = underWay.get(key)
      if (joined) return joined
      const work = begin(start).finally(() => underWay.delete(key))
      underWay.set(key, work)
      return work
    },

    async extend(instancer, key, timeoutMs) {
      const details = await instancer.extend({ ...key, timeoutMs })
      await renewSlot(db, slotOf(instancer, key), new Date(now() + timeoutMs + SLOT_MARGIN_MS))
      return details
    },

    async stop(instancer, key) {
      const details = await instancer.delete(key)
      await releaseSlot(db, slotOf(instancer, key))
      return details
    },

    line: () => ({ waiting: line.waiting(), running: line.running() }),
  }
}

function slotOf({ name }: NamedInstancer, { teamId, integrationId }: Omit<InstanceKey, 'config'>) {
  return { instancer: name, teamId, integrationId }
}

/**
 * A start fails too when another process, or another press, was faster: then there is an instance, and its state is
 * the answer. `gone`: there is none. `unknown`: nobody can tell, so the place stays taken until somebody can.
 */
async function stateAfterFailure(
  instancer: NamedInstancer,
  key: InstanceKey,
): Promise<InstanceDetails | 'gone' | 'broken' | 'unknown'> {
  try {
    const details = await instancer.get(key)
    if (details.status === 'starting' || details.status === 'running') return details
    return details.status === 'stopped' ? 'gone' : 'broken'
  } catch {
    return 'unknown'
  }
}

interface RefusalContext {
  readonly now: number
  readonly limits: LifecycleLimits
  readonly challengeName: (id: string) => string
}

function refusalOf(claim: Claim, { now, limits, challengeName }: RefusalContext): string | null {
  if (claim.kind === 'full') {
    const minutes = Math.max(1, Math.ceil((claim.freesAt.getTime() - now) / 60_000))
    const when = `at the latest in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
    return `All ${limits.maxRunning} places for instances are taken. The next one is free ${when}.`
  }
  if (claim.kind !== 'team full') return null
  const names = claim.challengeIds.map(challengeName).join(', ')
  const many = claim.challengeIds.length === 1 ? 'an instance' : `${claim.challengeIds.length} instances`
  return `Your team has ${many}, as many as it may have at once. Stop one first: ${names}.`
}
