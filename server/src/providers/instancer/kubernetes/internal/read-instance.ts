import { EndpointKind } from '@pennant/contract/instances.ts'
import { z } from 'zod'
import { ProviderError } from '../../../provider.ts'
import { STOPPED, type InstanceDetails, type Renewal } from '../../instancer.ts'
import type { Context } from './context.ts'
import { endpointsOf, isNodePort } from './expose.ts'
import { namespaceOf, NOTE, pathsOf } from './names.ts'
import { Deployment, listAll, Namespace, PodState, read, Service } from './objects.ts'
import { expiresAt, hostIdIn, isComplete, isEnding, stateOf, STOPPING } from './status.ts'

/** Even two processes that extend at the same time are unusual. */
const MAX_TRIES = 5

const Exposes = z.array(
  z.object({
    kind: EndpointKind,
    hostPrefix: z.string(),
    containerName: z.string(),
    containerPort: z.int(),
  }),
)

export async function findNamespace(
  name: string,
  { cluster }: Context,
  signal: AbortSignal,
): Promise<Namespace | null> {
  const { status, value } = await cluster.request({ method: 'GET', path: pathsOf(name).namespace }, signal)
  return status === 200 ? read(Namespace, value) : null
}

export async function detailsOf(
  namespace: Namespace,
  context: Context,
  signal: AbortSignal,
): Promise<InstanceDetails> {
  const { cluster, options, log, now } = context
  if (isEnding(namespace, now())) return STOPPING
  const timeLeftMs = expiresAt(namespace) - now()
  if (!isComplete(namespace)) return { status: 'starting', timeLeftMs, endpoints: [] }
  const { name, annotations } = namespace.metadata
  const paths = pathsOf(name)
  const expose = exposesOf(annotations[NOTE.expose])
  const [deployments, pods, services] = await Promise.all([
    listAll(cluster, { path: paths.deployments, item: Deployment, options }, signal),
    listAll(cluster, { path: paths.pods, item: PodState, options }, signal),
    expose.some(({ kind }) => isNodePort(kind)) ? listServices(paths.services, context, signal) : [],
  ])
  const { status, reason } = stateOf(namespace, { deployments, pods })
  if (reason) log.debug({ namespace: name, reason }, 'an instance failed')
  const endpoints = endpointsOf({ options, hostId: hostIdIn(namespace) }, expose, nodePortsOf(services))
  return { status, timeLeftMs, endpoints }
}

function exposesOf(note: string | undefined): z.output<typeof Exposes> {
  try {
    return Exposes.parse(JSON.parse(note ?? ''))
  } catch (cause) {
    throw new ProviderError('The metadata of the instance is damaged. Stop it and start it again.', { cause })
  }
}

async function listServices(path: string, { cluster }: Context, signal: AbortSignal): Promise<Service[]> {
  const { status, value } = await cluster.request({ method: 'GET', path }, signal)
  return status === 200 ? read(z.object({ items: z.array(Service) }), value).items : []
}

export function nodePortsOf(services: readonly Service[]): Map<string, number> {
  return new Map(
    services.flatMap(({ metadata, spec: { ports } }) => {
      const [first] = ports
      return first?.nodePort ? [[metadata.name, first.nodePort]] : []
    }),
  )
}

/**
 * The resource version ensures that the instance has not been extended, stopped or removed since it was read.
 */
export async function extendInstance(
  renewal: Renewal,
  context: Context,
  signal: AbortSignal,
): Promise<InstanceDetails> {
  const { cluster, options, now } = context
  const name = namespaceOf(options, renewal)
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const found = await findNamespace(name, context, signal)
    if (!found) return STOPPED
    if (isEnding(found, now())) return STOPPING
    const { resourceVersion } = found.metadata
    const annotations = { [NOTE.expiresAt]: String(now() + renewal.timeoutMs) }
    const body = { metadata: { resourceVersion, annotations } }
    const request = { method: 'PATCH', path: pathsOf(name).namespace, body } as const
    const { status, value } = await cluster.request(request, signal)
    if (status === 200) return detailsOf(read(Namespace, value), context, signal)
  }
  throw new ProviderError('The instance could not be extended. Try again in a moment.')
}

/** True when removed, false when it has changed since it was read. */
export async function removeNamespace(
  { metadata: { name, uid, resourceVersion } }: Namespace,
  { cluster }: Context,
  signal: AbortSignal,
): Promise<boolean> {
  const body = {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    propagationPolicy: 'Background',
    preconditions: { uid, resourceVersion },
  }
  const { status } = await cluster.request({ method: 'DELETE', path: pathsOf(name).namespace, body }, signal)
  return status === 200 || status === 202
}
