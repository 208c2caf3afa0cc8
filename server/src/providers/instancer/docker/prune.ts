import type { EngineCalls } from './engine-calls.ts'
import { INSTANCE, MANAGER } from './names.ts'
import { groupByInstance, isHalfMade, START_LIMIT_MS, type Found } from './read-instances.ts'
import { removeInstance, removeNetwork, type RemoveOptions } from './remove-instance.ts'

/** Instances removed at once: an event's end must not ask too much of an engine. */
const AT_ONCE = 4
/** A removal that has lasted this long was left by a process that died. */
const LEAVING_LIMIT_MS = 60_000

/** Removes from a host what is over, half made or without an owner. Resolves to the number of instances. */
export async function pruneHost(calls: EngineCalls, context: Omit<RemoveOptions, 'calls'>): Promise<number> {
  const { options, now } = context
  const label = `${MANAGER}=${options.manager}`
  // Before the containers: what is made in between then has its claim in the later list.
  const networks = await calls.listNetworks(label)
  const volumes = await calls.listVolumes(label)
  const instances = groupByInstance(await calls.listContainers(label))
  const over = [...instances.values()].filter((found) => isOver(found, now))
  const removals: PromiseSettledResult<void>[] = []
  for (let at = 0; at < over.length; at += AT_ONCE) {
    const some = over.slice(at, at + AT_ONCE)
    removals.push(
      ...(await Promise.allSettled(some.map((found) => removeInstance(found, { calls, ...context })))),
    )
  }
  const isOrphan = ({ Labels }: { readonly Labels?: Readonly<Record<string, string>> | null | undefined }) =>
    !instances.has(Labels?.[INSTANCE] ?? '')
  for (const network of networks.filter(isOrphan))
    await removeNetwork(network, calls, options.traefik?.container)
  for (const { Name } of volumes.filter(isOrphan)) await calls.removeVolume(Name)
  // One that cannot be removed keeps none of the others.
  const failed = removals.find((removal) => removal.status === 'rejected')
  if (failed) throw failed.reason
  return over.length
}

function isOver(found: Found, now: number): boolean {
  if (!found.claim) return isStale(found, now)
  if (found.isLeaving) return isStale(found, now)
  return found.facts === null || found.until <= now || isHalfMade(found, now)
}

/** By the engine's own clock, which may differ a little from ours. */
function isStale({ claim, notes, parts }: Found, now: number): boolean {
  const all = [...(claim ? [claim] : []), ...notes, ...parts]
  const newest = Math.max(...all.map(({ Created }) => Created * 1000))
  return now - newest > (claim ? LEAVING_LIMIT_MS : START_LIMIT_MS)
}
