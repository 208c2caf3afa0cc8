import { dumpYaml, loadYaml } from '@kubernetes/client-node'
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler'
import { Job } from 'kubernetes-models/batch/v1/Job'
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { ClusterRole } from 'kubernetes-models/rbac.authorization.k8s.io/v1/ClusterRole'
import { ClusterRoleBinding } from 'kubernetes-models/rbac.authorization.k8s.io/v1/ClusterRoleBinding'
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap'
import { LimitRange } from 'kubernetes-models/v1/LimitRange'
import { Namespace } from 'kubernetes-models/v1/Namespace'
import { ResourceQuota } from 'kubernetes-models/v1/ResourceQuota'
import { Secret } from 'kubernetes-models/v1/Secret'
import { Service } from 'kubernetes-models/v1/Service'
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount'
import { parse } from 'yaml'

interface Model {
  validate(): void
}
type ModelClass = new (data: never) => Model

const MODELS: Readonly<Record<string, ModelClass>> = {
  'apps/v1 Deployment': Deployment,
  'autoscaling/v2 HorizontalPodAutoscaler': HorizontalPodAutoscaler,
  'batch/v1 Job': Job,
  'networking.k8s.io/v1 Ingress': Ingress,
  'networking.k8s.io/v1 NetworkPolicy': NetworkPolicy,
  'policy/v1 PodDisruptionBudget': PodDisruptionBudget,
  'rbac.authorization.k8s.io/v1 ClusterRole': ClusterRole,
  'rbac.authorization.k8s.io/v1 ClusterRoleBinding': ClusterRoleBinding,
  'v1 ConfigMap': ConfigMap,
  'v1 LimitRange': LimitRange,
  'v1 Namespace': Namespace,
  'v1 ResourceQuota': ResourceQuota,
  'v1 Secret': Secret,
  'v1 Service': Service,
  'v1 ServiceAccount': ServiceAccount,
}

/**
 * Validates an object against the official OpenAPI schemas; returns the problem or null. Generated validators
 * check types and required fields; unknown fields are found because the official client drops them.
 */
export function wrongWith(body: { apiVersion?: unknown; kind?: unknown }): string | null {
  const model = MODELS[`${String(body.apiVersion)} ${String(body.kind)}`]
  if (!model) return `no kind ${String(body.kind)} in version ${String(body.apiVersion)}`
  try {
    new model(body as never).validate()
  } catch (error) {
    return String(error)
  }
  const known: unknown = parse(dumpYaml(loadYaml(JSON.stringify(body))))
  const unknown = missing(body, known, '')
  return unknown.length > 0 ? `strict decoding error: unknown field ${unknown.join(', ')}` : null
}

/** Paths that exist in `sent` but not in `known`. */
function missing(sent: unknown, known: unknown, path: string): string[] {
  if (typeof sent !== 'object' || sent === null) return []
  const there = (known ?? {}) as Record<string, unknown>
  return Object.entries(sent).flatMap(([name, value]) =>
    name in there ? missing(value, there[name], `${path}.${name}`) : [`"${path}.${name}"`.replace('".', '"')],
  )
}
