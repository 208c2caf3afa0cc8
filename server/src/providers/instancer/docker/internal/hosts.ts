import { definedOf } from '../../../../lib/defined-of.ts'
import type { Log } from '../../../../lib/log.ts'
import { UncertainError } from '../../../provider.ts'
import { openEngine, type Engine } from './engine.ts'
import { engineCalls, type Container, type EngineCalls } from './engine-calls.ts'
import { INSTANCE, MANAGER, roleOf } from './names.ts'
import type { Options } from './options.ts'
import { createServiceStates } from './service-states.ts'
import { groupByInstance, type Found } from './read-instances.ts'

/** A machine with an engine. */
export interface Host {
  readonly name: string
  readonly publicHost: string
  readonly maxInstances: number
  /** Whether the server can reach `publicHost`. */
  readonly probe: boolean
  readonly engine: Engine
}

/** The current containers of a host. */
export interface Survey {
  readonly host: Host
  readonly instances: ReadonlyMap<string, Found>
  /** Containers that record a port to avoid. */
  readonly avoided: readonly Container[]
}

export interface Surveys {
  readonly up: readonly Survey[]
  readonly down: readonly Host[]
}

export interface Hosts {
  readonly all: readonly Host[]
  /**
   * Queries all hosts in parallel, for all instances or for one. Rejects with a ProviderError when none
   * responds.
   */
  survey(signal: AbortSignal, id?: string): Promise<Surveys>
  /** Like `survey`, but a state without any host that responds is a result, too. */
  query(signal: AbortSignal, id?: string): Promise<Surveys>
  calls(host: Host, signal: AbortSignal): EngineCalls
  close(): Promise<void>
}

export function openHosts(
  { hosts, manager }: Pick<Options, 'hosts' | 'manager'>,
  { log, now }: { readonly log: Log; readonly now: () => number },
): Hosts {
  const states = createServiceStates(now)
  const all: Host[] = hosts.map(({ name, url, tls, publicHost, maxInstances, probe }) => ({
    name,
    probe,
    publicHost,
    maxInstances,
    engine: openEngine({ url, tls: tls && definedOf(tls) }),
  }))
  const hostsOf: Hosts = {
    all,
    calls: (host, signal) => engineCalls(host.engine, signal),

    async survey(signal, id) {
      const surveys = await hostsOf.query(signal, id)
      if (surveys.up.length === 0) throw new UncertainError('The container engine cannot be reached.')
      return surveys
    },

    async query(signal, id) {
      const label = id === undefined ? `${MANAGER}=${manager}` : `${INSTANCE}=${id}`
      const lists = await Promise.allSettled(
        all.map(async (host) => {
          const calls = engineCalls(host.engine, signal)
          return states.complete(await calls.listContainers(label), calls)
        }),
      )
      const up: Survey[] = []
      const down: Host[] = []
      for (const [at, host] of all.entries()) {
        const list = lists[at]
        if (list?.status === 'fulfilled') {
          const avoided = list.value.filter((container) => roleOf(container) === 'avoided')
          up.push({ host, instances: groupByInstance(list.value), avoided })
        } else {
          log.warn({ host: host.name, err: list?.reason }, 'a container engine does not respond')
          down.push(host)
        }
      }
      return { up, down }
    },

    async close() {
      await Promise.all(all.map(({ engine }) => engine.close()))
    },
  }
  return hostsOf
}

/** Number of instances that a host runs or is starting. */
export function usedOf({ instances }: Survey): number {
  return [...instances.values()].filter(({ facts }) => facts !== null).length
}

/** The host with the lowest utilisation, or null when all are full. */
export function leastLoaded(surveys: readonly Survey[]): Survey | null {
  const load = (survey: Survey) => usedOf(survey) / survey.host.maxInstances
  const [best = null] = surveys.filter((survey) => load(survey) < 1).toSorted((a, b) => load(a) - load(b))
  return best
}
