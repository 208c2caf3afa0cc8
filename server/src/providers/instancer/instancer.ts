import type { z } from 'zod'

export type InstanceStatus = 'stopped' | 'running' | 'starting' | 'stopping' | 'errored'
export type EndpointKind = 'tcp' | 'tcp-ssl' | 'http' | 'https'

export type Json = Readonly<Record<string, unknown>>

/** A port of an instance that is to be reached from outside. */
export interface Expose {
  readonly kind: EndpointKind
  readonly hostPrefix: string
  /** In the engine's own words: a service, a pod. */
  readonly containerName: string
  readonly containerPort: number
  readonly title?: string | undefined
}

export interface Endpoint {
  readonly kind: EndpointKind
  readonly host: string
  /** 0 when this engine cannot offer it. */
  readonly port: number
}

/** One instance: a team has one for each integration id. */
export interface InstanceKey {
  readonly teamId: string
  /** The challenge's name in the engine's world. Challenges that share it share the instance. */
  readonly integrationId: string
  /** As the engine's schema gave it back when the challenge was saved. */
  readonly config: Json
}

export interface Renewal extends InstanceKey {
  /** The new end is this far from now; what was left is not added. */
  readonly timeoutMs: number
}

export interface InstanceOrder extends Renewal {
  readonly expose: readonly Expose[]
  readonly extendable: boolean
  /** Secrets of the team. */
  readonly flags: readonly { readonly provider: string; readonly flag: string }[]
}

export interface InstanceDetails {
  readonly status: InstanceStatus
  /** Null when nobody knows, or nothing runs. */
  readonly timeLeftMs: number | null
  /** In the order of `expose`. */
  readonly endpoints: readonly Endpoint[]
}

export interface InstanceCalls<Extra extends readonly unknown[] = []> {
  /** Of an instance that is there already: its state or a failure, as the engine likes. */
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
  /** The machine that runs it, in the words of the configuration; null when there is only one. */
  readonly host: string | null
}

/** How full a machine is, in instances. */
export interface HostCapacity {
  readonly host: string
  readonly used: number
  readonly max: number
  /** False when the machine did not answer; then nothing is placed there. */
  readonly isUp: boolean
}

/**
 * What an engine can do besides for those who keep house: the worker's loops, the metrics, the admins. An engine that
 * cannot tell leaves a call out.
 */
export interface Housekeeping {
  /** Everything that the engine still holds for this deployment, also what has expired or is half removed. */
  list?(signal: AbortSignal): Promise<readonly ListedInstance[]>
  /** Removes what has expired, what was half made by a process that died, and parts without a whole: how many. */
  prune?(signal: AbortSignal): Promise<number>
  /** Has what these configurations need, such as images, on every machine before it is wanted. */
  prepare?(configs: readonly Json[], signal: AbortSignal): Promise<void>
  capacity?(signal: AbortSignal): Promise<readonly HostCapacity[]>
}

/**
 * An engine that runs instances and is the only one to know of them. Calls end when the signal says so, and reject
 * with a ProviderError whose message participants may read.
 */
export interface Instancer extends InstanceCalls<[signal: AbortSignal]>, Housekeeping {
  /** What a challenge configures. Its JSON Schema is the form that organisers fill in. */
  readonly config: z.ZodType<Json>
  /** A whole configuration to start from. */
  readonly example: Json
  readonly canStop: boolean
  readonly canExtend: boolean
  /** Less than the usual limit of one call, or more. */
  readonly callTimeoutMs?: number
  close?(): void | Promise<void>
}
