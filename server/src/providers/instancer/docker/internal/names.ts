import { createHash } from 'node:crypto'
import { EndpointKind } from '@pennant/contract/instances.ts'
import { z } from 'zod'
import type { InstanceKey } from '../../instancer.ts'
import type { Container, Labels } from './engine-calls.ts'

// Names and labels of engine objects. The labels are the only record of an instance.

const PREFIX = 'org.pennant.'
/** On every object: the deployment it belongs to. */
export const MANAGER = `${PREFIX}manager`
/** On every object of an instance: its id. */
export const INSTANCE = `${PREFIX}instance`
const ROLE = `${PREFIX}role`
const FACTS = `${PREFIX}facts`
const UNTIL = `${PREFIX}until`
const PORT = `${PREFIX}port`
const HEALTH = `${PREFIX}health`

/**
 * `claim`: a container that never runs and is created first; its name is unique in the engine, which resolves
 * races. `until`: another such container for each extension, since labels cannot change. `removing`: the
 * instance is being removed. `avoided`: belongs to no instance; its port must not be used until then.
 */
export type Role = 'claim' | 'until' | 'removing' | 'service' | 'relay' | 'avoided'

/** The data in the claim's labels. */
const Facts = z.object({
  teamId: z.string(),
  integrationId: z.string(),
  /** Epoch milliseconds by the platform's clock. */
  claimedAt: z.number(),
  /** Distinguishes this start from others of the same instance. */
  start: z.string(),
  /** Image of the first service, used for label containers. */
  image: z.string(),
  /** Number of other containers of the instance. */
  parts: z.number(),
  endpoints: z.array(z.object({ kind: EndpointKind, host: z.string(), port: z.number() })).readonly(),
})
export type Facts = z.output<typeof Facts>

/**
 * 12 hex digits, constant for a team and challenge, so that two concurrent starts compete for one name.
 * Anyone can compute it, so it must never be part of a host name.
 */
export function instanceIdOf(
  manager: string,
  { teamId, integrationId }: Omit<InstanceKey, 'config'>,
): string {
  return createHash('sha256')
    .update(JSON.stringify([manager, teamId, integrationId]))
    .digest('hex')
    .slice(0, 12)
}

export function labelsOf(manager: string, id: string, role: Role): Labels {
  return { [MANAGER]: manager, [INSTANCE]: id, [ROLE]: role }
}

export function claimLabels(facts: Facts): Labels {
  return { [FACTS]: JSON.stringify(facts) }
}

export function untilLabels(until: number): Labels {
  return { [UNTIL]: String(until) }
}

const ROLES: readonly Role[] = ['claim', 'until', 'removing', 'service', 'relay', 'avoided']

export function roleOf({ Labels }: Container): Role | null {
  return ROLES.find((role) => role === Labels?.[ROLE]) ?? null
}

export function avoidedPortLabels(manager: string, port: number, until: number): Labels {
  return { [MANAGER]: manager, [ROLE]: 'avoided', [PORT]: String(port), ...untilLabels(until) }
}

export function healthLabels(intervalMs: number): Labels {
  return { [HEALTH]: String(intervalMs) }
}

/** Milliseconds between health checks; 0 without any. */
export function healthIntervalOf({ Labels }: Container): number {
  return Number(Labels?.[HEALTH] ?? 0)
}

/** 0 without the label. */
export function portOf({ Labels }: Container): number {
  return Number(Labels?.[PORT] ?? 0)
}

export function factsOf({ Labels }: Container): Facts | null {
  try {
    return Facts.parse(JSON.parse(Labels?.[FACTS] ?? ''))
  } catch {
    return null
  }
}

/** Epoch milliseconds; 0 without the label. */
export function untilOf({ Labels }: Container): number {
  return Number(Labels?.[UNTIL] ?? 0)
}

/** A bridge name has at most 15 characters. The firewall rules of the host match its prefix. */
export function bridgeOf(id: string, network: string, isInternal: boolean): string {
  const hash = createHash('sha256').update(`${id}/${network}`).digest('hex')
  return `${isInternal ? 'pni' : 'pne'}${hash.slice(0, 12)}`
}

export function relayBridgeOf(id: string): string {
  return `pnr${createHash('sha256').update(id).digest('hex').slice(0, 12)}`
}
