import type { EndpointKind as Endpoints } from '@pennant/contract/instances.ts'
import type { z } from 'zod'
import type { ProviderContext } from '../provider.ts'

export type InstanceStatus = 'stopped' | 'running' | 'starting' | 'stopping' | 'errored'
export type EndpointKind = z.output<typeof Endpoints>

export type Json = Readonly<Record<string, unknown>>

/** What the platform passes to a provider of this port. */
export interface InstancerContext extends ProviderContext {
  /** Derived for this deployment and for host names of instances only. */
  readonly hostNameKey: Buffer
  /** Waits before a retry. Default: real time. */
  readonly sleep?: (ms: number) => Promise<void>
}

/** A port of an instance to expose. */
export interface Expose {
  readonly kind: EndpointKind
  readonly hostPrefix: string
  /** The engine's unit: a service or a pod. */
  readonly containerName: string
  readonly containerPort: number
  readonly title?: string | undefined
}

export interface Endpoint {
  readonly kind: EndpointKind
  readonly host: string
  /** 0 when this engine cannot expose it. */
  readonly port: number
}

/** Identifies an instance: a team has one per integration id. */
export interface InstanceKey {
  readonly teamId: string
  /** The challenge's name for the engine. Challenges with the same id share the instance. */
  readonly integrationId: string
  /** For `create`, the output of the engine's schema, with defaults; for other calls, as written. */
  readonly config: Json
}

export interface Renewal extends InstanceKey {
  /** The new lifetime counted from now; the remaining time is not added. */
  readonly timeoutMs: number
}

export interface InstanceOrder extends Renewal {
  readonly expose: readonly Expose[]
  readonly extendable: boolean
  /** The machine on which the platform has claimed a slot. Absent: the instancer chooses. */
  readonly host?: string
  /** Secrets of the team. */
  readonly flags: readonly { readonly provider: string; readonly flag: string }[]
}

export interface InstanceDetails {
  readonly status: InstanceStatus
  /** Null when unknown or when nothing runs. */
  readonly timeLeftMs: number | null
  /** In the order of `expose`. */
  readonly endpoints: readonly Endpoint[]
  /** How often a service of a failed instance was restarted. */
  readonly restarts?: number
}

export const STOPPED: InstanceDetails = { status: 'stopped', timeLeftMs: null, endpoints: [] }

export interface InstanceCalls<Extra extends readonly unknown[] = []> {
  /** For an existing instance the engine may return its state or fail. */
  create(order: InstanceOrder, ...extra: Extra): Promise<InstanceDetails>
  get(key: InstanceKey, ...extra: Extra): Promise<InstanceDetails>
  extend(renewal: Renewal, ...extra: Extra): Promise<InstanceDetails>
  delete(key: InstanceKey, ...extra: Extra): Promise<InstanceDetails>
}

/** An instance as its engine lists it. */
export interface ListedInstance {
  readonly teamId: string
  readonly integrationId: string
  readonly status: InstanceStatus
  readonly timeLeftMs: number | null
  /** The name of the machine in the configuration; null when there is only one. */
  readonly host: string | null
  /** How often a service of a failed instance was restarted. */
  readonly restarts?: number
}

export interface Listing {
  /** Everything that the engine has for this deployment, including expired and half-removed instances. */
  readonly instances: readonly ListedInstance[]
  /** Machines that did not respond; their instances are not listed. */
  readonly unreachable: readonly string[]
}

/** Utilisation of a machine, in instances. */
export interface HostCapacity {
  readonly host: string
  readonly used: number
  readonly max: number
  /** False when the machine did not respond; it gets no new instances then. */
  readonly isUp: boolean
  /** Ports that do not lead to the instance that they were published for; not used for a while. */
  readonly avoidedPorts?: readonly number[]
}

/** Optional calls for background jobs, metrics and admins. An engine omits those that it does not support. */
export interface Maintenance {
  list?(signal: AbortSignal): Promise<Listing>
  /**
   * Removes expired instances, those left incomplete by a process that died, and orphaned parts; returns the
   * number.
   */
  prune?(signal: AbortSignal): Promise<number>
  /** Prepares every machine for these configurations in advance, for example by pulling images. */
  prepare?(configs: readonly Json[], signal: AbortSignal): Promise<void>
  capacity?(signal: AbortSignal): Promise<readonly HostCapacity[]>
  /** Rejects unless the engine responds. For those that have neither `list` nor `capacity`. */
  check?(signal: AbortSignal): Promise<void>
}

/**
 * An engine that runs instances and keeps the only record of them. Calls end on the signal, and reject with a
 * ProviderError whose message participants may read.
 */
export interface Instancer extends InstanceCalls<[signal: AbortSignal]>, Maintenance {
  /** Schema of a challenge's configuration. Its JSON Schema becomes the form for organisers. */
  readonly config: z.ZodType<Json>
  /** A complete example configuration. */
  readonly example: Json
  /** Why a valid configuration cannot expose these ports, or null. */
  exposeProblem?(config: Json, expose: readonly Expose[]): string | null
  readonly canStop: boolean
  readonly canExtend: boolean
  /** Overrides the default timeout of one call. */
  readonly callTimeoutMs?: number
  close?(): void | Promise<void>
}
