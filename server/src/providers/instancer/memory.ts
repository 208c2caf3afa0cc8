import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { provider, ProviderError } from '../provider.ts'
import { hostIdOf, hostLabelOf } from './host-names.ts'
import {
  STOPPED,
  type EndpointKind,
  type InstanceDetails,
  type InstanceKey,
  type Instancer,
  type InstancerContext,
  type InstanceOrder,
} from './instancer.ts'

const Unused = z
  .record(z.string(), z.unknown())
  .optional()
  .describe('As for containers: accepted and not used, so that their challenges can be rehearsed.')

/** The simulated outcome of an instance, so that every state can be shown. */
const Config = z.strictObject({
  outcome: z
    .enum(['runs', 'fails', 'refused'])
    .default('runs')
    .describe('It runs; it fails while it starts; the start is refused.'),
  services: Unused,
  networks: Unused,
  volumes: Unused,
})

const Milliseconds = z.int().min(0).max(HOUR_MS)

const PORTS: Readonly<Record<EndpointKind, number>> = {
  http: 80,
  https: 443,
  tcp: 1337,
  udp: 1337,
  'tcp-ssl': 1337,
}

/** Above it starts are refused: a forgotten demo must not fill the memory. */
const MAX_INSTANCES = 10_000

interface Kept {
  readonly outcome: 'runs' | 'fails'
  readonly endpoints: InstanceDetails['endpoints']
  /** When it is running or has failed. */
  readonly readyAt: number
  /** When it starts to stop: at the end of its lifetime or when stopped. */
  readonly stopsAt: number
}

/** Runs nothing, but goes through all states of a real instance: for tests and demos. */
export const memoryInstancer = provider<Instancer, InstancerContext>()({
  name: 'instancers/memory',
  options: z.strictObject({
    startDelay: Milliseconds.default(2_000).describe('Milliseconds that an instance is starting.'),
    stopDelay: Milliseconds.default(1_000).describe('Milliseconds that an instance is stopping.'),
    host: z.string().min(1).default('instances.localhost').describe('Host names end with this.'),
  }),

  start({ startDelay, stopDelay, host }, { now, hostNameKey }) {
    const instances = new Map<string, Kept>()

    function find(key: InstanceKey): Kept | null {
      const kept = instances.get(nameOf(key))
      return kept && now() < kept.stopsAt + stopDelay ? kept : null
    }

    function detailsOf(kept: Kept | null): InstanceDetails {
      if (!kept) return STOPPED
      const at = now()
      if (at >= kept.stopsAt) return { ...STOPPED, status: 'stopping' }
      const status = at < kept.readyAt ? 'starting' : kept.outcome === 'runs' ? 'running' : 'errored'
      return { status, timeLeftMs: kept.stopsAt - at, endpoints: kept.endpoints }
    }

    function create(order: InstanceOrder): InstanceDetails {
      const there = find(order)
      const { outcome } = Config.parse(order.config)
      if (detailsOf(there).status === 'stopping')
        throw new ProviderError('The instance is still stopping. Try again in a moment.')
      if (there && detailsOf(there).status !== 'errored') return detailsOf(there)
      if (outcome === 'refused') throw new ProviderError('The instance cannot be started.')
      const at = now()
      for (const [name, { stopsAt }] of instances) if (at >= stopsAt + stopDelay) instances.delete(name)
      if (instances.size >= MAX_INSTANCES) throw new ProviderError('All instance slots are in use.')
      const hostId = hostIdOf(hostNameKey, [nameOf(order), randomUUID()])
      const endpoints = endpointsOf(order, (prefix) => `${hostLabelOf(prefix, hostId)}.${host}`)
      const kept = { outcome, endpoints, readyAt: at + startDelay }
      const started = { ...kept, stopsAt: at + order.timeoutMs }
      instances.set(nameOf(order), started)
      return detailsOf(started)
    }

    return {
      config: Config,
      example: Config.parse({}),
      canStop: true,
      canExtend: true,
      create: async (order) => create(order),
      get: async (key) => detailsOf(find(key)),

      async extend({ timeoutMs, ...key }) {
        const there = find(key)
        if (!there || now() >= there.stopsAt) throw new ProviderError('There is no instance to extend.')
        const extended = { ...there, stopsAt: now() + timeoutMs }
        instances.set(nameOf(key), extended)
        return detailsOf(extended)
      },

      async list() {
        const listed = Array.from(instances, ([name, kept]) => {
          const [integrationId = '', teamId = ''] = JSON.parse(name) as string[]
          const { status, timeLeftMs } = detailsOf(now() < kept.stopsAt + stopDelay ? kept : null)
          return { teamId, integrationId, status, timeLeftMs, host: null }
        })
        return { instances: listed.filter(({ status }) => status !== 'stopped'), unreachable: [] }
      },

      async capacity() {
        return [{ host: 'memory', used: instances.size, max: MAX_INSTANCES, isUp: true }]
      },

      async delete(key) {
        const there = find(key)
        const stopped = there && { ...there, stopsAt: Math.min(there.stopsAt, now()) }
        if (stopped) instances.set(nameOf(key), stopped)
        return detailsOf(find(key))
      },
    }
  },
})

function nameOf({ teamId, integrationId }: InstanceKey): string {
  return JSON.stringify([integrationId, teamId])
}

function endpointsOf(
  { expose }: InstanceOrder,
  hostOf: (hostPrefix: string) => string,
): InstanceDetails['endpoints'] {
  return expose.map(({ kind, hostPrefix }) => ({ kind, host: hostOf(hostPrefix), port: PORTS[kind] }))
}
