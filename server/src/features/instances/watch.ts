import type { Log } from '../../lib/log.ts'
import type { HostCapacity, ListedInstance } from '../../providers/instancer/instancer.ts'
import type { Instancers } from '../../providers/instancer/registry.ts'

/** Whoever asks more often gets the same answer: engines are not to be asked for every scrape and every admin. */
const FRESH_MS = 5_000
const LOOK_LIMIT_MS = 10_000

export interface EngineView {
  readonly instancer: string
  /** Null when the engine cannot tell, or does not answer. */
  readonly instances: readonly ListedInstance[] | null
  readonly capacity: readonly HostCapacity[]
  readonly isUp: boolean
}

export interface InstanceWatch {
  look(): Promise<readonly EngineView[]>
}

export interface WatchDeps {
  readonly instancers: Instancers
  readonly log: Log
  readonly now: () => number
}

/** What all engines hold, a few seconds old at most. Never rejects. */
export function watchInstances({ instancers, log, now }: WatchDeps): InstanceWatch {
  let last: { readonly at: number; readonly views: Promise<readonly EngineView[]> } | null = null
  return {
    look() {
      if (last && now() - last.at < FRESH_MS) return last.views
      last = { at: now(), views: Promise.all(instancers.engines().map((engine) => lookAt(engine, log))) }
      return last.views
    },
  }
}

type Engine = ReturnType<Instancers['engines']>[number]

async function lookAt({ instancer, house }: Engine, log: Log): Promise<EngineView> {
  const signal = AbortSignal.timeout(LOOK_LIMIT_MS)
  try {
    const [instances, capacity] = await Promise.all([house.list?.(signal), house.capacity?.(signal)])
    return { instancer: instancer.name, instances: instances ?? null, capacity: capacity ?? [], isUp: true }
  } catch (error) {
    log.warn({ instancer: instancer.name, err: error }, 'an instancer does not answer')
    return { instancer: instancer.name, instances: null, capacity: [], isUp: false }
  }
}
