import { provider } from '../../provider.ts'
import type { Instancer, Json } from '../instancer.ts'
import { openCluster } from './cluster.ts'
import { Config, example } from './config.ts'
import { createInstance } from './create-instance.ts'
import { housekeeping } from './housekeeping.ts'
import { namespaceOf, pathsOf } from './names.ts'
import { KubernetesOptions } from './options.ts'
import { detailsOf, extendInstance, findNamespace } from './read-instance.ts'
import { STOPPED, STOPPING } from './status.ts'

/** A start makes about a dozen objects, one after the other. */
const CALL_LIMIT_MS = 30_000

/**
 * Runs each instance in a namespace of its own. Keeps nothing and needs no operator: the namespace's labels and
 * annotations are all that is known.
 */
export const kubernetesInstancer = provider<Instancer>()({
  name: 'instancers/kubernetes',
  options: KubernetesOptions,

  async start(options, { log, now }) {
    const cluster = await openCluster(options)
    const context = { cluster, options, log, now }
    return {
      config: Config as Instancer['config'],
      example: example as Json,
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
        const { status } = await cluster.ask({ method: 'DELETE', path }, signal)
        return status === 404 ? STOPPED : STOPPING
      },

      ...housekeeping(context),
    }
  },
})
