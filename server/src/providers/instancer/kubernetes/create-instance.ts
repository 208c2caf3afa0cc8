import { ProviderError } from '../../provider.ts'
import type { InstanceDetails, InstanceOrder } from '../instancer.ts'
import { Refused, STILL_STOPPING } from './cluster.ts'
import { Config, MAX_PODS, type Pod } from './config.ts'
import type { Context } from './context.ts'
import { endpointsOf, exposedOf, ingressesOf, nodePortServices, type Exposed } from './expose.ts'
import { LABEL, namespaceOf, NAMESPACES, NOTE, pathsOf } from './names.ts'
import { Namespace, read, Service } from './objects.ts'
import { policies } from './policies.ts'
import { detailsOf, findNamespace, nodePortsOf, removeNamespace } from './read-instance.ts'
import { isComplete, isEnding } from './status.ts'
import { deploymentOf, pullSecretOf, secretOf, serviceOf } from './workload.ts'

/** An object that is said to be there and then is not was removed in between, or a quota was busy. */
const MAX_TRIES = 5
const STRICT = { fieldValidation: 'Strict' }

interface Making extends Context {
  readonly order: InstanceOrder
  readonly name: string
  readonly pods: readonly Pod[]
  readonly exposed: readonly Exposed[]
}

/** Makes what is missing, whoever began: of many calls at once all make the same one. */
export async function createInstance(
  order: InstanceOrder,
  context: Context,
  signal: AbortSignal,
): Promise<InstanceDetails> {
  const { pods } = read(Config, order.config)
  const name = namespaceOf(context.options, order)
  const making = { ...context, order, name, pods, exposed: exposedOf(pods, order.expose) }
  const namespace = await claim(making, signal)
  if (isEnding(namespace, context.now())) throw new ProviderError(STILL_STOPPING)
  if (isComplete(namespace)) return detailsOf(namespace, context, signal)
  try {
    await fill(making, signal)
  } catch (error) {
    // It would be refused again each time, and the team should not wait for the pruner.
    if (error instanceof Refused) await removeNamespace(namespace, context, signal).catch(() => false)
    throw error
  }
  return detailsOf(await finish(namespace, making, signal), context, signal)
}

async function claim(making: Making, signal: AbortSignal): Promise<Namespace> {
  const body = namespaceBody(making)
  const ask = { method: 'POST', path: NAMESPACES, query: STRICT, body } as const
  const { status, value } = await making.cluster.ask(ask, signal)
  if (status === 201) return read(Namespace, value)
  const there = await findNamespace(making.name, making, signal)
  if (!there) throw new ProviderError(STILL_STOPPING)
  return there
}

function namespaceBody({ options, order, name, pods, now }: Making): object {
  const standard = 'pod-security.kubernetes.io'
  const labels = { [LABEL.deployment]: options.deployment, [`${standard}/enforce`]: options.podSecurity }
  const annotations = {
    [NOTE.teamId]: order.teamId,
    [NOTE.integrationId]: order.integrationId,
    [NOTE.startedAt]: String(now()),
    [NOTE.expiresAt]: String(now() + order.timeoutMs),
    [NOTE.expose]: JSON.stringify(order.expose),
    [NOTE.pods]: String(pods.length),
  }
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels, annotations } }
}

/** Walls first, then addresses, which the secret tells to the pods, and the pods last but for the way in. */
async function fill(making: Making, signal: AbortSignal): Promise<void> {
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
  const endpoints = endpointsOf({ options, namespace: name }, exposed, nodePortsOf(doors))
  const hostnames = endpoints.map((endpoint, index) => ({ ...endpoint, ...placeOf(exposed[index]) }))
  await put(paths.secrets, [secretOf(order, hostnames), ...pullSecretOf(options)])
  const aliases = services.flatMap(({ metadata, spec: { clusterIP } }) =>
    clusterIP ? [{ ip: clusterIP, hostnames: [metadata.name] }] : [],
  )
  await put(
    paths.deployments,
    pods.map((pod) => deploymentOf(options, pod, aliases)),
  )
  await put(paths.ingresses, ingressesOf({ options, namespace: name }, exposed))
}

function placeOf(exposed: Exposed | undefined): object {
  if (!exposed) return {}
  const { hostPrefix, containerName, containerPort, title } = exposed
  return { hostPrefix, containerName, containerPort, ...(title !== undefined && { title }) }
}

function limitsOf({ options }: Making): object {
  const limit = {
    type: 'Container',
    default: options.defaultLimits,
    defaultRequest: options.defaultRequests,
  }
  return { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'defaults' }, spec: { limits: [limit] } }
}

/** Pods that end stand beside those that replace them. */
function quotaOf({ options }: Making): object {
  const hard = { pods: String(MAX_PODS * 2), 'services.loadbalancers': '0', ...options.quota }
  return { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'instance' }, spec: { hard } }
}

interface Wish {
  readonly path: string
  readonly bodies: readonly object[]
}

/** The objects as the cluster has them: made now, or by somebody before. */
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
    const made = await cluster.ask({ method: 'POST', path, query: STRICT, body }, signal)
    if (made.status === 404) throw new ProviderError('The instance was removed while it started.')
    if (made.status !== 409) return made.value
    const there = await cluster.ask({ method: 'GET', path: `${path}/${name}` }, signal)
    if (there.status === 200) return there.value
  }
  throw new ProviderError('The cluster is busy with this instance. Try again in a moment.')
}

/** The id says that it is still the same namespace, not one of that name that was made since. */
async function finish(
  { metadata: { uid } }: Namespace,
  { cluster, name, now }: Making,
  signal: AbortSignal,
): Promise<Namespace> {
  const body = { metadata: { uid, annotations: { [NOTE.complete]: String(now()) } } }
  const path = pathsOf(name).namespace
  const { status, value } = await cluster.ask({ method: 'PATCH', path, query: STRICT, body }, signal)
  if (status !== 200) throw new ProviderError('The instance was removed while it started.')
  return read(Namespace, value)
}
