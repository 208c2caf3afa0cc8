import { provider, ProviderError } from '../../provider.ts'
import type { InstanceDetails, InstanceKey, Instancer, Json, Renewal } from '../instancer.ts'
import { createInstance, type CreateContext } from './create-instance.ts'
import { EngineError, isNameTaken } from './engine.ts'
import { openHosts, type Host, type Hosts } from './hosts.ts'
import { housekeeping } from './housekeeping.ts'
import { createImages } from './images.ts'
import { exampleConfig, InstanceConfig, PrivilegedInstance } from './instance-config.ts'
import { instanceIdOf, labelsOf, untilLabels } from './names.ts'
import { noteBody } from './bodies.ts'
import { Options } from './options.ts'
import { detailsOf, STOPPED, type Found } from './read-instances.ts'
import { removeInstance } from './remove-instance.ts'

/** A start makes about a dozen objects; an image that is not there yet takes longer than anybody waits. */
const CALL_LIMIT_MS = 30_000

/**
 * Runs instances in containers through the API of Docker's engine, which Podman answers as well. Keeps nothing: the
 * labels of the engine's objects are all that is known.
 */
export const dockerInstancer = provider<Instancer>()({
  name: 'instancers/docker',
  options: Options,

  start(options, { log, now }) {
    const hosts = openHosts(options, log)
    const images = createImages(options.registries, log)
    const context: CreateContext = { hosts, images, options, now, chance: Math.random }
    const finder = { hosts, options, now }

    return {
      config: (options.allowPrivileged ? PrivilegedInstance : InstanceConfig) as Instancer['config'],
      example: exampleConfig as Json,
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
        await removeInstance(there.found, { calls, options, now: now() })
        return STOPPED
      },

      ...housekeeping({ hosts, images, options, log, now }),

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
    throw new ProviderError('A machine that may run the instance does not answer. Try again in a moment.')
  return null
}

/** A note of the new end; the latest one counts. */
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
    await calls.createContainer(name, noteBody(found.facts?.image ?? '', labels))
  } catch (cause) {
    // Somebody has extended it in the same millisecond.
    if (!(cause instanceof EngineError && isNameTaken(cause)))
      throw new ProviderError('The instance cannot be extended just now.', { cause })
  }
  for (const note of found.notes) await calls.removeContainer(note.Id)
  return detailsOf((await find(renewal, finder, signal))?.found, now())
}
