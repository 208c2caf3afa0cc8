import { createHash } from 'node:crypto'
import type { Expose, InstanceKey } from '../instancer.ts'
import type { KubernetesOptions } from './options.ts'

export const LABEL = {
  deployment: 'pennant/deployment',
  pod: 'pennant/pod',
  egress: 'pennant/egress',
} as const

/** All that is kept of an instance stands in the annotations of its namespace. */
export const NOTE = {
  teamId: 'pennant/team',
  integrationId: 'pennant/integration',
  /** Milliseconds since 1970. */
  startedAt: 'pennant/started-at',
  expiresAt: 'pennant/expires-at',
  expose: 'pennant/expose',
  /** How many deployments a whole instance has. */
  pods: 'pennant/pods',
  /** Set last: without it somebody died while making it. */
  complete: 'pennant/complete',
} as const

/** With the id and a hyphen a label of at most 63 letters. */
const MAX_PREFIX = 50

function hashOf(options: KubernetesOptions, { teamId, integrationId }: InstanceKey): string {
  return createHash('sha256')
    .update(JSON.stringify([options.deployment, integrationId, teamId]))
    .digest('hex')
}

/** Always the same for a team and an integration id, so that two starts at once meet in one namespace. */
export function namespaceOf(options: KubernetesOptions, key: InstanceKey): string {
  return `${options.namespacePrefix}-${options.deployment}-${hashOf(options, key).slice(0, 20)}`
}

export function hostOf(options: KubernetesOptions, namespace: string, { hostPrefix }: Expose): string {
  const id = namespace.slice(-20).slice(0, 12)
  return `${hostPrefix.slice(0, MAX_PREFIX)}-${id}.${options.domain}`
}

/** Also the name of the service of a node port, and of the policy that lets callers in. */
export function exposeName(index: number): string {
  return `expose-${index}`
}

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
