import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { groupBy } from '../../../../lib/group-by.ts'
import { STOPPED, type InstanceDetails, type InstanceStatus } from '../../instancer.ts'
import type { Container } from './engine-calls.ts'
import { factsOf, INSTANCE, roleOf, untilOf, type Facts } from './names.ts'

/**
 * Maximum duration of a start; anything incomplete after it was abandoned by a process that died. Longer than
 * any engine call; images are pulled before.
 */
export const START_LIMIT_MS = 45_000

/** All containers of one instance on one host. */
export interface Found {
  readonly id: string
  /** Null: parts without their claim. */
  readonly claim: Container | null
  readonly facts: Facts | null
  readonly notes: readonly Container[]
  /** Services and relay. */
  readonly parts: readonly Container[]
  readonly isRemoving: boolean
  /** Epoch milliseconds; 0 without a claim. */
  readonly until: number
}

/** By instance id. */
export function groupByInstance(containers: readonly Container[]): Map<string, Found> {
  const groups = groupBy(containers, ({ Labels }) => Labels?.[INSTANCE])
  return new Map(
    Array.from(groups).flatMap(([id, group]) => (id === undefined ? [] : [[id, foundOf(id, group)]])),
  )
}

function foundOf(id: string, group: readonly Container[]): Found {
  const of = (...roles: string[]) => group.filter((container) => roles.includes(roleOf(container) ?? ''))
  const [claim = null] = of('claim')
  return {
    id,
    claim,
    facts: claim && factsOf(claim),
    notes: of('until', 'removing'),
    parts: of('service', 'relay'),
    isRemoving: of('removing').length > 0,
    until: claim ? Math.max(...of('claim', 'until').map(untilOf)) : 0,
  }
}

/** A service that is restarted so often, and once a minute on average, crashes. */
const MIN_RESTARTS = 3
const RESTART_EVERY_MS = MINUTE_MS

export function detailsOf(found: Found | undefined, now: number): InstanceDetails {
  if (!found?.facts) return STOPPED
  const status = statusOf(found, now)
  if (status === 'stopping') return { ...STOPPED, status }
  const restarts = restartsOf(found.parts)
  return {
    status,
    timeLeftMs: Math.max(0, found.until - now),
    endpoints: found.facts.endpoints,
    ...(status === 'errored' && restarts > 0 && { restarts }),
  }
}

/**
 * One service that is dead or unhealthy makes the instance `errored`:
 * docs/reference/providers.md#status-of-a-container-instance
 */
export function statusOf({ facts, parts, isRemoving, until }: Found, now: number): InstanceStatus {
  if (!facts) return 'stopped'
  if (isRemoving || until <= now) return 'stopping'
  const ageMs = now - facts.claimedAt
  const isYoung = ageMs < START_LIMIT_MS
  if (parts.some(isBroken) || isCrashLoop(restartsOf(parts), ageMs)) return 'errored'
  if (parts.length < facts.parts || parts.some(({ State }) => State === 'created'))
    return isYoung ? 'starting' : 'errored'
  return parts.every(isUp) ? 'running' : 'starting'
}

/** Still incomplete after the maximum duration of a start. */
export function isHalfMade({ facts, parts }: Found, now: number): boolean {
  if (!facts || now - facts.claimedAt < START_LIMIT_MS) return false
  return parts.length < facts.parts || parts.some(({ State }) => State === 'created')
}

function restartsOf(parts: readonly Container[]): number {
  return Math.max(0, ...parts.map(({ restarts = 0 }) => restarts))
}

/** Between two crashes the service runs, so its state alone would change all the time. */
function isCrashLoop(restarts: number, ageMs: number): boolean {
  return restarts >= MIN_RESTARTS && restarts * RESTART_EVERY_MS > ageMs
}

function isBroken({ State, Status }: Container): boolean {
  return ['exited', 'dead', 'paused', 'removing', 'stopped'].includes(State) || Status.includes('(unhealthy)')
}

function isUp({ State, Status }: Container): boolean {
  return State === 'running' && !Status.includes('starting)')
}
