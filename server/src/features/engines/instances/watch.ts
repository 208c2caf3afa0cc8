import { mayUseCaches } from '../../../lib/caching.ts'
import type { Log } from '../../../lib/log.ts'
import type { HostCapacity, ListedInstance } from '../../../providers/instancer/instancer.ts'
import type { Instancers } from '../../../providers/instancer/registry.ts'

/** Results are cached this long, so that not every metrics scrape and dashboard request calls the engines. */
const FRESH_MS = 5_000
const LOOK_LIMIT_MS = 10_000

export interface EngineView {
  readonly instancer: string
  /** Null if the engine cannot list its instances or does not respond. */
  readonly instances: readonly ListedInstance[] | null
  readonly capacity: readonly HostCapacity[]
  readonly isUp: boolean
}

export interface InstanceWatch {
  readViews(): Promise<readonly EngineView[]>
}

export interface WatchDeps {
  readonly instancers: Instancers
  readonly log: Log
  readonly now: () => number
}

/** Lists the instances of all engines, at most a few seconds old. Never rejects. */
export function watchInstances({ instancers, log, now }: WatchDeps): InstanceWatch {
  let last: { readonly at: number; readonly views: Promise<readonly EngineView[]> } | null = null
  return {
    readViews() {
      if (last && now() - last.at < FRESH_MS && mayUseCaches()) return last.views
      last = { at: now(), views: Promise.all(instancers.engines().map((engine) => viewOf(engine, log))) }
      return last.views
    },
  }
}

type Engine = ReturnType<Instancers['engines']>[number]

async function viewOf({ instancer, maintenance }: Engine, log: Log): Promise<EngineView> {
  const signal = AbortSignal.timeout(LOOK_LIMIT_MS)
  const { name } = instancer
  const [listing, machines, checked] = await Promise.allSettled([
    maintenance.list?.(signal),
    maintenance.capacity?.(signal),
    maintenance.check?.(signal),
  ])
  const failed = [listing, machines, checked].find((result) => result.status === 'rejected')
  if (failed) log.warn({ instancer: name, err: failed.reason }, 'an instancer does not respond')
  const instances = listing.status === 'fulfilled' ? (listing.value?.instances ?? null) : null
  const capacity = machines.status === 'fulfilled' ? machines.value : undefined
  // An instancer that does not report its machines is one, with an unknown capacity.
  const own = failed ? [{ host: name, used: 0, max: 0, isUp: false }] : []
  return { instancer: name, instances, capacity: capacity ?? own, isUp: !failed }
}
