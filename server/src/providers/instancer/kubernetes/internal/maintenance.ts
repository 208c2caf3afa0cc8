import { groupBy } from '../../../../lib/group-by.ts'
import { ProviderError } from '../../../provider.ts'
import type { Maintenance, ListedInstance } from '../../instancer.ts'
import { readConfig } from '../../read-config.ts'
import { configFor } from './config.ts'
import type { Context } from './context.ts'
import { EVERY_DEPLOYMENT, EVERY_POD, NAMESPACES, NOTE } from './names.ts'
import { Deployment, listAll, Namespace, PodState } from './objects.ts'
import { removeNamespace } from './read-instance.ts'
import { expiresAt, isComplete, isEnding, stateOf } from './status.ts'

/** Longer than any start takes; the process that started it has died. */
const HALF_MADE_MS = 120_000

/** The platform sees the cluster as one machine with this name. */
const HOST = 'kubernetes'

/**
 * The maintenance calls of the port. `prepare` pulls no images: that needs pods on every node, and nodes come
 * and go.
 */
export function maintenance(context: Context): Maintenance {
  const { options, now } = context
  return {
    list: async (signal) => ({ instances: await listInstances(context, signal), unreachable: [] }),

    async prune(signal) {
      let removed = 0
      for (const namespace of await listNamespaces(context, signal)) {
        if (!isOver(namespace, now()) || namespace.metadata.deletionTimestamp) continue
        if (await removeNamespace(namespace, context, signal)) removed++
      }
      return removed
    },

    async prepare(configs) {
      const schema = configFor(options)
      for (const config of configs) readConfig(schema, config)
    },

    async capacity(signal) {
      const max = options.maxInstances
      try {
        const { length: used } = await listNamespaces(context, signal)
        return [{ host: HOST, used, max, isUp: true }]
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error
        return [{ host: HOST, used: 0, max, isUp: false }]
      }
    },
  }
}

function isOver(namespace: Namespace, now: number): boolean {
  const startedAt = Number(namespace.metadata.annotations[NOTE.startedAt] ?? 0)
  return expiresAt(namespace) <= now || (!isComplete(namespace) && startedAt + HALF_MADE_MS <= now)
}

function listNamespaces({ cluster, options }: Context, signal: AbortSignal): Promise<Namespace[]> {
  return listAll(cluster, { path: NAMESPACES, item: Namespace, options }, signal)
}

/** Three requests for all instances together. */
async function listInstances(context: Context, signal: AbortSignal): Promise<ListedInstance[]> {
  const { cluster, options, now } = context
  const [namespaces, deployments, pods] = await Promise.all([
    listNamespaces(context, signal),
    listAll(cluster, { path: EVERY_DEPLOYMENT, item: Deployment, options }, signal),
    listAll(cluster, { path: EVERY_POD, item: PodState, options }, signal),
  ])
  const deploymentsOf = byNamespace(deployments)
  const podsOf = byNamespace(pods)
  return namespaces.map((namespace) => {
    const { name, annotations } = namespace.metadata
    const running = { deployments: deploymentsOf.get(name) ?? [], pods: podsOf.get(name) ?? [] }
    const isDeleting = isEnding(namespace, now())
    return {
      teamId: annotations[NOTE.teamId] ?? '',
      integrationId: annotations[NOTE.integrationId] ?? '',
      status: isDeleting ? 'stopping' : stateOf(namespace, running).status,
      timeLeftMs: isDeleting ? null : expiresAt(namespace) - now(),
      host: null,
    }
  })
}

function byNamespace<T extends { metadata: { namespace: string } }>(items: readonly T[]): Map<string, T[]> {
  return groupBy(items, ({ metadata }) => metadata.namespace)
}
