import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** State of the engines, read at each scrape. */
export interface InstanceSources {
  readonly readViews: () => Promise<
    readonly {
      readonly instancer: string
      readonly isUp: boolean
      readonly instances: readonly { readonly status: string }[] | null
      readonly capacity: readonly {
        readonly host: string
        readonly used: number
        readonly max: number
        readonly isUp: boolean
      }[]
    }[]
  >
  readonly waiting: () => number
}

export interface InstanceMetrics {
  started(result: 'started' | 'refused' | 'failed', ms: number): void
  /** A finished call to an engine. */
  called(call: {
    readonly instancer: string
    readonly operation: string
    readonly result: 'ok' | 'failed'
    readonly ms: number
  }): void
}

/** Buckets from a warm engine to the timeout of a call. */
const START_SECONDS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 30]
/** Buckets from a local status query to the longest timeout of a call. */
const CALL_SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const STATUSES = ['starting', 'running', 'stopping', 'errored']

/** Metrics of instances. Without engines there are none. */
export function addInstanceMetrics(registry: Registry, sources: InstanceSources): InstanceMetrics {
  const registers = [registry]
  addGauges(registry, sources)
  const starts = new Counter({
    name: 'pennant_instance_starts_total',
    help: 'Instance starts by result.',
    labelNames: ['result'] as const,
    registers,
  })
  const seconds = new Histogram({
    name: 'pennant_instance_start_seconds',
    help: 'Duration of instance starts, including the time in the queue, until the engine accepted them.',
    buckets: START_SECONDS,
    registers,
  })
  const calls = new Histogram({
    name: 'pennant_instancer_call_seconds',
    help: 'Duration of calls to an instancer by operation and result.',
    labelNames: ['instancer', 'operation', 'result'] as const,
    buckets: CALL_SECONDS,
    registers,
  })
  return {
    called: ({ ms, ...labels }) => calls.observe(labels, ms / 1000),
    started(result, ms) {
      starts.inc({ result })
      if (result === 'started') seconds.observe(ms / 1000)
    },
  }
}

function addGauges(registry: Registry, { readViews, waiting }: InstanceSources): void {
  const registers = [registry]
  const line = new Gauge({
    name: 'pennant_instance_starts_waiting',
    help: 'Instance starts queued in this process.',
    registers: [],
    collect() {
      this.set(waiting())
    },
  })
  const hosts = ['instancer', 'host'] as const
  const hostGauge = (name: string, help: string) => new Gauge({ name, help, labelNames: hosts, registers })
  const used = hostGauge('pennant_instance_host_used', 'Instances on a host.')
  const max = hostGauge('pennant_instance_host_max', 'Maximum number of instances on a host.')
  const isUp = hostGauge('pennant_instance_host_up', 'Whether the engine of a host responds.')
  const up = new Gauge({
    name: 'pennant_instancer_up',
    help: 'Whether an instancer responds.',
    labelNames: ['instancer'] as const,
    registers,
  })
  const instances = new Gauge({
    name: 'pennant_instances',
    help: 'Instances by status, for instancers that can list them.',
    labelNames: ['instancer', 'status'] as const,
    registers: [],
    async collect() {
      this.reset()
      for (const view of await readViews()) {
        const { instancer, capacity } = view
        up.set({ instancer }, Number(view.isUp))
        for (const status of view.instances ? STATUSES : [])
          this.set(
            { instancer, status },
            view.instances?.filter((each) => each.status === status).length ?? 0,
          )
        for (const each of capacity) {
          const labels = { instancer, host: each.host }
          used.set(labels, each.used)
          max.set(labels, each.max)
          isUp.set(labels, Number(each.isUp))
        }
      }
    },
  })
  for (const gauge of [line, instances]) registry.registerMetric(gauge)
}
