import { MINUTE_MS } from '@pennant/contract/durations.ts'
import type { EngineCalls } from './engine-calls.ts'
import { INSTANCE, MANAGER, roleOf, untilOf } from './names.ts'
import { groupByInstance, isHalfMade, START_LIMIT_MS, type Found } from './read-instances.ts'
import { removeInstance, removeNetwork, type RemoveOptions } from './remove-instance.ts'

/** Concurrent removals, so that the end of an event does not overload an engine. */
const AT_ONCE = 4
/** A removal that takes longer was abandoned by a process that died. */
const LEAVING_LIMIT_MS = MINUTE_MS

/** Removes expired, incomplete and orphaned instances from a host. Resolves to the number of instances. */
export async function pruneHost(calls: EngineCalls, context: Omit<RemoveOptions, 'calls'>): Promise<number> {
  const { options, now } = context
  const label = `${MANAGER}=${options.manager}`
  // Listed before the containers: objects created in between then have their claim in the later list.
  const networks = await calls.listNetworks(label)
  const volumes = await calls.listVolumes(label)
  const containers = await calls.listContainers(label)
  for (const container of containers)
    if (roleOf(container) === 'avoided' && untilOf(container) <= now)
      await calls.removeContainer(container.Id)
  const instances = groupByInstance(containers)
  const over = [...instances.values()].filter((found) => isOver(found, now))
  const removals: PromiseSettledResult<boolean>[] = []
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
  // A failed removal does not block the others.
  const failed = removals.find((removal) => removal.status === 'rejected')
  if (failed) throw failed.reason
  return over.length
}

function isOver(found: Found, now: number): boolean {
  if (!found.claim) return isStale(found, now)
  if (found.isRemoving) return isStale(found, now)
  return found.facts === null || found.until <= now || isHalfMade(found, now)
}

/** By the engine's own clock, which may differ slightly from ours. */
function isStale({ claim, notes, parts }: Found, now: number): boolean {
  const all = [...(claim ? [claim] : []), ...notes, ...parts]
  const newest = Math.max(...all.map(({ Created }) => Created * 1000))
  return now - newest > (claim ? LEAVING_LIMIT_MS : START_LIMIT_MS)
}
