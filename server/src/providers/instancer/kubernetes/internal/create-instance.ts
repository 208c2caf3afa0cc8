import { randomUUID } from 'node:crypto'
import { ProviderError } from '../../../provider.ts'
import { hostIdOf } from '../../host-names.ts'
import type { InstanceDetails, InstanceOrder } from '../../instancer.ts'
import { readConfig } from '../../read-config.ts'
import { Refused, STILL_STOPPING } from './cluster.ts'
import { configFor, MAX_PODS, type Pod } from './config.ts'
import type { Context } from './context.ts'
import { endpointsOf, exposedOf, ingressesOf, nodePortServices, type Exposed } from './expose.ts'
import { LABEL, namespaceOf, NAMESPACES, NOTE, pathsOf } from './names.ts'
import { Namespace, read, Service } from './objects.ts'
import { DEFAULT_LIMITS, DEFAULT_QUOTA } from './options.ts'
import { policies } from './policies.ts'
import { detailsOf, findNamespace, nodePortsOf, removeNamespace } from './read-instance.ts'
import { hostIdIn, isComplete, isEnding } from './status.ts'
import { deploymentOf, pullSecretOf, secretOf, serviceOf } from './workload.ts'

/** An object that exists and then does not was removed in between, or a quota was busy. */
const MAX_TRIES = 5
const STRICT = { fieldValidation: 'Strict' }

interface Making extends Context {
  readonly order: InstanceOrder
  readonly name: string
  readonly pods: readonly Pod[]
  readonly exposed: readonly Exposed[]
}

/**
 * Creates the missing objects, whichever call started the instance: concurrent calls converge to the same
 * objects.
 */
export async function createInstance(
  order: InstanceOrder,
  context: Context,
  signal: AbortSignal,
): Promise<InstanceDetails> {
  const { pods } = readConfig(configFor(context.options), order.config)
  const name = namespaceOf(context.options, order)
  const making = { ...context, order, name, pods, exposed: exposedOf(pods, order.expose) }
  const namespace = await claim(making, signal)
  if (isEnding(namespace, context.now())) throw new ProviderError(STILL_STOPPING)
  if (isComplete(namespace)) return detailsOf(namespace, context, signal)
  try {
    await fill(making, hostIdIn(namespace), signal)
  } catch (error) {
    // It would be refused on every retry, and the team should not wait for the pruner.
    if (error instanceof Refused) await removeNamespace(namespace, context, signal).catch(() => false)
    throw error
  }
  return detailsOf(await finish(namespace, making, signal), context, signal)
}

async function claim(making: Making, signal: AbortSignal): Promise<Namespace> {
  const body = namespaceBody(making)
  const request = { method: 'POST', path: NAMESPACES, query: STRICT, body } as const
  const { status, value } = await making.cluster.request(request, signal)
  if (status === 201) return read(Namespace, value)
  const there = await findNamespace(making.name, making, signal)
  if (!there) throw new ProviderError(STILL_STOPPING)
  return there
}

function namespaceBody({ options, order, name, pods, now, hostNameKey }: Making): object {
  const standard = 'pod-security.kubernetes.io'
  const labels = { [LABEL.deployment]: options.deployment, [`${standard}/enforce`]: options.podSecurity }
  const annotations = {
    [NOTE.teamId]: order.teamId,
    [NOTE.integrationId]: order.integrationId,
    [NOTE.startedAt]: String(now()),
    [NOTE.expiresAt]: String(now() + order.timeoutMs),
    [NOTE.expose]: JSON.stringify(order.expose),
    [NOTE.hostId]: hostIdOf(hostNameKey, [name, randomUUID()]),
    [NOTE.pods]: String(pods.length),
  }
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels, annotations } }
}

/**
 * Network policies first, then the addresses, which the secret passes to the pods, then the pods, and ingress
 * last.
 */
async function fill(making: Making, hostId: string, signal: AbortSignal): Promise<void> {
  const { options, order, name, pods, exposed } = making
  const paths = pathsOf(name)
  const put = (path: string, bodies: readonly object[]) => putAll(making, { path, bodies }, signal)
  await put(paths.policies, policies(options, exposed))
  await put(paths.limits, [limitsOf(making)])
  await put(paths.quotas, [quotaOf(making)])
  const services = (await put(paths.services, pods.flatMap(serviceOf))).map((made) => read(Service, made))
  const doors = (await put(paths.services, nodePortServices(options, exposed))).map((made) =>
    read(Service, made),
  )
  const endpoints = endpointsOf({ options, hostId }, exposed, nodePortsOf(doors))
  const hostnames = exposed.map((port, index) => ({
    ...port,
    ...(endpoints[index] ?? { host: '', port: 0 }),
  }))
  await put(paths.secrets, [secretOf(order, hostnames), ...pullSecretOf(options)])
  const aliases = services.flatMap(({ metadata, spec: { clusterIP } }) =>
    clusterIP ? [{ ip: clusterIP, hostnames: [metadata.name] }] : [],
  )
  await put(
    paths.deployments,
    pods.map((pod) => deploymentOf(options, pod, aliases)),
  )
  await put(paths.ingresses, ingressesOf({ options, hostId }, exposed))
}

function limitsOf({ options }: Making): object {
  const limit = {
    type: 'Container',
    // Each resource has a limit, even if the operator sets only some.
    default: { ...DEFAULT_LIMITS, ...options.defaultLimits },
    defaultRequest: options.defaultRequests,
  }
  return { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'defaults' }, spec: { limits: [limit] } }
}

/** Terminating pods coexist with their replacements. */
function quotaOf({ options }: Making): object {
  const hard = { pods: String(MAX_PODS * 2), ...DEFAULT_QUOTA, ...options.quota }
  return { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'instance' }, spec: { hard } }
}

interface Wish {
  readonly path: string
  readonly bodies: readonly object[]
}

/** Returns the objects as the cluster has them: created now or by an earlier call. */
async function putAll(making: Making, { path, bodies }: Wish, signal: AbortSignal): Promise<unknown[]> {
  const made: unknown[] = []
  for (const body of bodies) made.push(await putOne(making, { path, body }, signal))
  return made
}

async function putOne(
  { cluster }: Making,
  { path, body }: { path: string; body: object },
  signal: AbortSignal,
): Promise<unknown> {
  const { name } = (body as { metadata: { name: string } }).metadata
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const made = await cluster.request({ method: 'POST', path, query: STRICT, body }, signal)
    if (made.status === 404) throw new ProviderError('The instance was removed while it was starting.')
    if (made.status !== 409) return made.value
    const there = await cluster.request({ method: 'GET', path: `${path}/${name}` }, signal)
    if (there.status === 200) return there.value
  }
  throw new ProviderError('The cluster is busy with this instance. Try again in a moment.')
}

/** The uid ensures that it is still the same namespace, not a new one with the same name. */
async function finish(
  { metadata: { uid } }: Namespace,
  { cluster, name, now }: Making,
  signal: AbortSignal,
): Promise<Namespace> {
  const body = { metadata: { uid, annotations: { [NOTE.complete]: String(now()) } } }
  const path = pathsOf(name).namespace
  const { status, value } = await cluster.request({ method: 'PATCH', path, query: STRICT, body }, signal)
  if (status !== 200) throw new ProviderError('The instance was removed while it was starting.')
  return read(Namespace, value)
}
