import type { EngineCalls, Network } from './engine-calls.ts'
import { INSTANCE, labelsOf, MANAGER, roleOf, untilLabels } from './names.ts'
import { noteBody } from './bodies.ts'
import type { Options } from './options.ts'
import { groupByInstance, type Found } from './read-instances.ts'

export interface RemoveOptions {
  readonly calls: EngineCalls
  readonly options: Pick<Options, 'manager' | 'stopGrace' | 'traefik'>
  readonly now: number
}

/**
 * Removes all of an instance from a host. The claim goes last: as long as it is there nobody makes the instance anew,
 * and whoever takes over from a process that died knows what is to be done.
 */
export async function removeInstance(found: Found, context: RemoveOptions): Promise<void> {
  const { calls, options, now } = context
  const { manager, stopGrace } = options
  const { id, claim, facts } = found
  if (claim && facts && !found.isLeaving) {
    const labels = { ...labelsOf(manager, id, 'leaving'), ...untilLabels(now) }
    // Somebody else may be at it already.
    await calls.createContainer(`${manager}-${id}-leaving`, noteBody(facts.image, labels)).catch(() => {})
  }
  const own = groupByInstance(await calls.listContainers(`${INSTANCE}=${id}`)).get(id) ?? found
  await Promise.all(
    own.parts.map(async ({ Id, State }) => {
      if (State === 'running') await calls.stopContainer(Id, stopGrace)
      await calls.removeContainer(Id)
    }),
  )
  await removeRest(id, context)
  const last = own.notes.filter((note) => roleOf(note) === 'leaving')
  const first = own.notes.filter((note) => roleOf(note) !== 'leaving')
  for (const { Id } of [...first, ...(own.claim ? [own.claim] : []), ...last]) await calls.removeContainer(Id)
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
