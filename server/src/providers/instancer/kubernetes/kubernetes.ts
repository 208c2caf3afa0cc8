import { provider } from '../../provider.ts'
import { STOPPED, type Instancer, type InstancerContext, type Json } from '../instancer.ts'
import { openCluster } from './internal/cluster.ts'
import { configFor, example, type Config } from './internal/config.ts'
import { exposeProblem } from './internal/expose.ts'
import { createInstance } from './internal/create-instance.ts'
import { maintenance } from './internal/maintenance.ts'
import { namespaceOf, pathsOf } from './internal/names.ts'
import { KubernetesOptions } from './internal/options.ts'
import { detailsOf, extendInstance, findNamespace } from './internal/read-instance.ts'
import { STOPPING } from './internal/status.ts'

/** A start creates about a dozen objects sequentially. */
const CALL_LIMIT_MS = 30_000

/**
 * Runs each instance in its own namespace. Stateless and without an operator in the cluster: the namespace's
 * labels and annotations are the only record.
 */
export const kubernetesInstancer = provider<Instancer, InstancerContext>()({
  name: 'instancers/kubernetes',
  options: KubernetesOptions,

  async start(options, { log, now, hostNameKey }) {
    const cluster = await openCluster(options)
    const context = { cluster, options, log, now, hostNameKey }
    return {
      config: configFor(options) as Instancer['config'],
      example: example as Json,
      exposeProblem: (config, expose) => exposeProblem((config as Config).pods, expose),
      canStop: true,
      canExtend: true,
      callTimeoutMs: CALL_LIMIT_MS,

      create: (order, signal) => createInstance(order, context, signal),

      async get(key, signal) {
        const found = await findNamespace(namespaceOf(options, key), context, signal)
        return found ? detailsOf(found, context, signal) : STOPPED
      },

      extend: (renewal, signal) => extendInstance(renewal, context, signal),

      async delete(key, signal) {
        const path = pathsOf(namespaceOf(options, key)).namespace
        const { status } = await cluster.request({ method: 'DELETE', path }, signal)
        return status === 404 ? STOPPED : STOPPING
      },

      ...maintenance(context),
    }
  },
})
