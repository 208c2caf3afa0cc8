import { STOPPED, type InstanceDetails, type InstanceStatus } from '../../instancer.ts'
import { LABEL, NOTE } from './names.ts'
import type { Deployment, Namespace, PodState } from './objects.ts'

export const STOPPING: InstanceDetails = { ...STOPPED, status: 'stopping' }

/** Waiting reasons that do not resolve soon without intervention (kubelet's own names). */
const STUCK = new Set([
  'CrashLoopBackOff',
  'CreateContainerConfigError',
  'CreateContainerError',
  'ErrImageNeverPull',
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'RunContainerError',
])

export function isComplete({ metadata }: Namespace): boolean {
  return NOTE.complete in metadata.annotations
}

/** Instances started by an earlier release keep the id derived from their namespace's name. */
export function hostIdIn({ metadata: { name, annotations } }: Namespace): string {
  return annotations[NOTE.hostId] ?? name.slice(-20).slice(0, 12)
}

export function expiresAt({ metadata }: Namespace): number {
  return Number(metadata.annotations[NOTE.expiresAt] ?? 0)
}

export function isEnding(namespace: Namespace, now: number): boolean {
  return namespace.metadata.deletionTimestamp !== undefined || expiresAt(namespace) <= now
}

export interface Running {
  readonly deployments: readonly Deployment[]
  readonly pods: readonly PodState[]
}

export interface State {
  readonly status: InstanceStatus
  /** Why it is errored, in the cluster's words; for operators. */
  readonly reason?: string
}

/** For a namespace that is not terminating. */
export function stateOf(namespace: Namespace, { deployments, pods }: Running): State {
  if (!isComplete(namespace)) return { status: 'starting' }
  if (deployments.length < Number(namespace.metadata.annotations[NOTE.pods]))
    return { status: 'errored', reason: 'a deployment was removed' }
  const waiting = deployments.filter((deployment) => !isReady(deployment))
  for (const deployment of waiting) {
    const reason = failureOf(deployment, pods)
    if (reason) return { status: 'errored', reason: `${deployment.metadata.name}: ${reason}` }
  }
  return { status: waiting.length > 0 ? 'starting' : 'running' }
}

function isReady({ metadata, status }: Deployment): boolean {
  return status.observedGeneration >= metadata.generation && status.readyReplicas > 0
}

function failureOf({ metadata, status }: Deployment, pods: readonly PodState[]): string | undefined {
  const failed = status.conditions.find(
    ({ type, status: is }) =>
      (type === 'Progressing' && is === 'False') || (type === 'ReplicaFailure' && is === 'True'),
  )
  if (failed) return failed.message ?? failed.reason ?? failed.type
  const own = pods.filter((pod) => pod.metadata.labels[LABEL.pod] === metadata.name)
  const states = own.flatMap((pod) => [...pod.status.initContainerStatuses, ...pod.status.containerStatuses])
  const stuck = states.find(({ state }) => STUCK.has(state.waiting?.reason ?? ''))?.state.waiting
  return stuck && [stuck.reason, stuck.message].filter(Boolean).join(': ')
}
