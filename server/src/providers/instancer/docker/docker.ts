import { setTimeout as delay } from 'node:timers/promises'
import { provider, ProviderError } from '../../provider.ts'
import {
  STOPPED,
  type InstanceDetails,
  type InstanceKey,
  type Instancer,
  type InstancerContext,
  type Json,
  type Renewal,
} from '../instancer.ts'
import { createInstance, type CreateContext } from './internal/create-instance.ts'
import { EngineError, isNameTaken } from './internal/engine.ts'
import { openHosts, type Host, type Hosts } from './internal/hosts.ts'
import { maintenance } from './internal/maintenance.ts'
import { createImages } from './internal/images.ts'
import {
  exampleConfig,
  instanceConfigFor,
  unknownService,
  type InstanceConfig,
} from './internal/instance-config.ts'
import { instanceIdOf, labelsOf, untilLabels } from './internal/names.ts'
import { labelContainerBody } from './internal/bodies.ts'
import { Options } from './internal/options.ts'
import { detailsOf, type Found } from './internal/read-instances.ts'
import { removeInstance } from './internal/remove-instance.ts'

/** A start creates about a dozen objects. A missing image takes longer to pull than anyone would wait. */
const CALL_LIMIT_MS = 30_000

/**
 * Runs instances in containers through the Docker Engine API, which Podman implements too. Stateless: the
 * labels of the engine's objects are the only record.
 */
export const dockerInstancer = provider<Instancer, InstancerContext>()({
  name: 'instancers/docker',
  options: Options,

  start(options, { log, now, hostNameKey, sleep = delay }) {
    const hosts = openHosts(options, { log, now })
    const images = createImages(options.registries, log)
    const config = instanceConfigFor(options)
    const context: CreateContext = {
      hosts,
      images,
      config,
      options,
      now,
      hostNameKey,
      sleep,
      chance: Math.random,
      log,
    }
    const finder = { hosts, options, now }

    return {
      config: config as Instancer['config'],
      example: exampleConfig as Json,
      exposeProblem: (given, expose) => unknownService((given as InstanceConfig).services, expose),
      canStop: true,
      canExtend: true,
      callTimeoutMs: CALL_LIMIT_MS,

      create: (order, signal) => createInstance(order, context, signal),

      get: async (key, signal) => detailsOf((await find(key, finder, signal))?.found, now()),
      extend: (renewal, signal) => extendInstance(renewal, finder, signal),

      async delete(key, signal) {
        const there = await find(key, finder, signal)
        if (!there) return STOPPED
        const calls = hosts.calls(there.host, signal)
        const isGone = await removeInstance(there.found, { calls, options, now: now() })
        return isGone ? STOPPED : { ...STOPPED, status: 'stopping' }
      },

      ...maintenance({ hosts, images, config, options, log, now }),

      async close() {
        images.close()
        await hosts.close()
      },
    }
  },
})

interface Finder {
  readonly hosts: Hosts
  readonly options: Options
  readonly now: () => number
}

interface Place {
  readonly host: Host
  readonly found: Found
}

async function find(
  key: Omit<InstanceKey, 'config'>,
  { hosts, options: { manager } }: Finder,
  signal: AbortSignal,
): Promise<Place | null> {
  const id = instanceIdOf(manager, key)
  const { up, down } = await hosts.survey(signal, id)
  for (const { host, instances } of up) {
    const found = instances.get(id)
    if (found?.claim) return { host, found }
  }
  if (down.length > 0)
    throw new ProviderError('A machine that may run the instance does not respond. Try again in a moment.')
  return null
}

/** Records the new end in a label container; the latest one counts. */
async function extendInstance(
  renewal: Renewal,
  finder: Finder,
  signal: AbortSignal,
): Promise<InstanceDetails> {
  const { hosts, options, now } = finder
  const there = await find(renewal, finder, signal)
  if (!there || detailsOf(there.found, now()).status === 'stopping')
    throw new ProviderError('There is no instance to extend.')
  const { host, found } = there
  const until = now() + renewal.timeoutMs
  const labels = { ...labelsOf(options.manager, found.id, 'until'), ...untilLabels(until) }
  const calls = hosts.calls(host, signal)
  try {
    const name = `${options.manager}-${found.id}-until-${until}`
    await calls.createContainer(name, labelContainerBody(found.facts?.image ?? '', labels))
  } catch (cause) {
    // A concurrent extension in the same millisecond.
    if (!(cause instanceof EngineError && isNameTaken(cause)))
      throw new ProviderError('The instance could not be extended. Try again in a moment.', { cause })
  }
  for (const note of found.notes) await calls.removeContainer(note.Id)
  return detailsOf((await find(renewal, finder, signal))?.found, now())
}
