import { createHash } from 'node:crypto'
import { hostLabelOf } from '../../host-names.ts'
import { z } from 'zod'
import type { Expose, InstanceKey } from '../../instancer.ts'
import type { KubernetesOptions } from './options.ts'

export const LABEL = {
  deployment: 'pennant/deployment',
  pod: 'pennant/pod',
  egress: 'pennant/egress',
} as const

/** The state of an instance is stored in the annotations of its namespace. */
export const NOTE = {
  teamId: 'pennant/team',
  integrationId: 'pennant/integration',
  /** Milliseconds since 1970. */
  startedAt: 'pennant/started-at',
  expiresAt: 'pennant/expires-at',
  expose: 'pennant/expose',
  /** The shared part of this start's host names. */
  hostId: 'pennant/host-id',
  /** Number of deployments of a complete instance. */
  pods: 'pennant/pods',
  /** Set last: without it, the process that created the instance died. */
  complete: 'pennant/complete',
} as const

function hashOf(options: KubernetesOptions, { teamId, integrationId }: InstanceKey): string {
  return createHash('sha256')
    .update(JSON.stringify([options.deployment, integrationId, teamId]))
    .digest('hex')
}

/**
 * Constant for a team and an integration id, so that concurrent starts use the same namespace. Anyone can
 * compute it, so it must not be part of a host name. Pods use public name servers and cannot resolve it.
 */
export function namespaceOf(options: KubernetesOptions, key: InstanceKey): string {
  return `${options.namespacePrefix}-${options.deployment}-${hashOf(options, key).slice(0, 20)}`
}

export function hostOf(options: KubernetesOptions, hostId: string, { hostPrefix }: Expose): string {
  return `${hostLabelOf(hostPrefix, hostId)}.${options.domain}`
}

/** Also the name of the NodePort service, and of the policy that admits its traffic. */
export function exposeName(index: number): string {
  return `expose-${index}`
}

/** Also a service name, hence a DNS label; shorter, because the cluster appends to it. */
export const Name = z.string().regex(/^[a-z]([a-z0-9-]{0,38}[a-z0-9])?$/, {
  error: 'must consist of lowercase letters, digits and hyphens',
})
export const Port = z.int().min(1).max(65_535)

/** The secret with the instance's values, in its own namespace. */
export const FLAGS_SECRET = 'pennant-instance'

export const NAMESPACES = '/api/v1/namespaces'
export const EVERY_DEPLOYMENT = '/apis/apps/v1/deployments'
export const EVERY_POD = '/api/v1/pods'

export interface Paths {
  readonly namespace: string
  readonly services: string
  readonly secrets: string
  readonly pods: string
  readonly quotas: string
  readonly limits: string
  readonly deployments: string
  readonly policies: string
  readonly ingresses: string
}

export function pathsOf(namespace: string): Paths {
  const core = `${NAMESPACES}/${namespace}`
  return {
    namespace: core,
    services: `${core}/services`,
    secrets: `${core}/secrets`,
    pods: `${core}/pods`,
    quotas: `${core}/resourcequotas`,
    limits: `${core}/limitranges`,
    deployments: `/apis/apps/v1/namespaces/${namespace}/deployments`,
    policies: `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies`,
    ingresses: `/apis/networking.k8s.io/v1/namespaces/${namespace}/ingresses`,
  }
}
