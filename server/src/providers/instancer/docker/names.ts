import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Expose, InstanceKey } from '../instancer.ts'
import type { Container, Labels } from './engine-calls.ts'

// What objects of an engine are called, and what their labels say. The labels are all that is known of an instance.

const PREFIX = 'org.pennant.'
/** On every object: which deployment it belongs to. */
export const MANAGER = `${PREFIX}manager`
/** On every object of an instance: its id. */
export const INSTANCE = `${PREFIX}instance`
const ROLE = `${PREFIX}role`
const FACTS = `${PREFIX}facts`
const UNTIL = `${PREFIX}until`

/**
 * `claim`: a container that never runs, made first; its name is unique in the engine, and so decides races. `until`:
 * another one, for each extension, since labels cannot change. `leaving`: the instance is being removed.
 */
export type Role = 'claim' | 'until' | 'leaving' | 'service' | 'relay'

/** What the claim knows. */
const Facts = z.object({
  teamId: z.string(),
  integrationId: z.string(),
  /** Epoch milliseconds by the platform's clock. */
  claimedAt: z.number(),
  /** Tells this start from others of the same instance. */
  start: z.string(),
  /** Of the first service: notes are made from it. */
  image: z.string(),
  /** How many containers besides belong to it. */
  parts: z.number(),
  endpoints: z
    .array(
      z.object({ kind: z.enum(['tcp', 'tcp-ssl', 'http', 'https']), host: z.string(), port: z.number() }),
    )
    .readonly(),
})
export type Facts = z.output<typeof Facts>

/** 12 hex digits, the same for a team and challenge always. */
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

export function roleOf({ Labels }: Container): Role | null {
  const role = Labels?.[ROLE]
  return role === 'claim' || role === 'until' || role === 'leaving' || role === 'service' || role === 'relay'
    ? role
    : null
}

export function factsOf({ Labels }: Container): Facts | null {
  try {
    return Facts.parse(JSON.parse(Labels?.[FACTS] ?? ''))
  } catch {
    return null
  }
}

/** Epoch milliseconds; 0 on what says nothing. */
export function untilOf({ Labels }: Container): number {
  return Number(Labels?.[UNTIL] ?? 0)
}

/** As `web-0123456789ab.instances.example.org`: unique for the instance, the same at each start. */
export function hostOf({ hostPrefix }: Expose, id: string, domain: string): string {
  return `${hostPrefix}-${id}.${domain}`
}

/** A bridge of the host has at most 15 characters. Its beginning tells the host's firewall what is on it. */
export function bridgeOf(id: string, network: string, isInternal: boolean): string {
  const hash = createHash('sha256').update(`${id}/${network}`).digest('hex')
  return `${isInternal ? 'pni' : 'pne'}${hash.slice(0, 12)}`
}
