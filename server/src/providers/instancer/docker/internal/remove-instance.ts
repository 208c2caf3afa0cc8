import type { EngineCalls, Network } from './engine-calls.ts'
import { INSTANCE, labelsOf, MANAGER, roleOf, untilLabels } from './names.ts'
import { labelContainerBody } from './bodies.ts'
import type { Options } from './options.ts'
import { groupByInstance, type Found } from './read-instances.ts'

export interface RemoveOptions {
  readonly calls: EngineCalls
  readonly options: Pick<Options, 'manager' | 'stopGrace' | 'traefik'>
  readonly now: number
}

/**
 * Removes an instance from a host. The claim is removed last, and only when the engine lists no other
 * container of the instance: until then the instance cannot be created again and still counts. Resolves to
 * whether the instance is gone; the pruner removes the rest.
 */
export async function removeInstance(found: Found, context: RemoveOptions): Promise<boolean> {
  const { calls, options, now } = context
  const { manager, stopGrace } = options
  const { id, claim, facts } = found
  if (claim && facts && !found.isRemoving) {
    const labels = { ...labelsOf(manager, id, 'removing'), ...untilLabels(now) }
    // Another process may already be removing it.
    await calls
      .createContainer(`${manager}-${id}-removing`, labelContainerBody(facts.image, labels))
      .catch(() => {})
  }
  const own = groupByInstance(await calls.listContainers(`${INSTANCE}=${id}`)).get(id) ?? found
  await Promise.all(
    own.parts.map(async ({ Id, State }) => {
      if (State === 'running') await calls.stopContainer(Id, stopGrace)
      await calls.removeContainer(Id)
    }),
  )
  // The engine responds with 409 when another removal is in progress, and a start in flight may have added
  // containers.
  const left = groupByInstance(await calls.listContainers(`${INSTANCE}=${id}`)).get(id)
  if (left && left.parts.length > 0) return false
  await removeRest(id, context)
  const last = own.notes.filter((note) => roleOf(note) === 'removing')
  const first = own.notes.filter((note) => roleOf(note) !== 'removing')
  for (const { Id } of [...first, ...(own.claim ? [own.claim] : []), ...last]) await calls.removeContainer(Id)
  return true
}

async function removeRest(
  id: string,
  { calls, options: { manager, traefik } }: RemoveOptions,
): Promise<void> {
  const isOurs = ({ Labels }: { readonly Labels?: Readonly<Record<string, string>> | null | undefined }) =>
    Labels?.[MANAGER] === manager
  const networks = (await calls.listNetworks(`${INSTANCE}=${id}`)).filter(isOurs)
  for (const network of networks) await removeNetwork(network, calls, traefik?.container)
  const volumes = (await calls.listVolumes(`${INSTANCE}=${id}`)).filter(isOurs)
  for (const { Name } of volumes) await calls.removeVolume(Name)
}

export async function removeNetwork(
  { Id, Name }: Network,
  calls: EngineCalls,
  proxy: string | undefined,
): Promise<void> {
  if (proxy !== undefined) await calls.disconnect(Name, proxy)
  await calls.removeNetwork(Id)
}
