import { Registry, type Metric, type MetricObjectWithValues, type MetricValue } from 'prom-client'

type MetricObject = MetricObjectWithValues<MetricValue<string>>

interface OfProcess {
  /** From 1. */
  readonly process: number
  readonly value: readonly MetricObject[]
}

/** Shares the metrics of this process with those on the same port, and returns a function that reads all. */
export type GatherMetrics = (read: () => Promise<MetricObject[]>) => () => Promise<readonly OfProcess[]>

/** The metrics of several processes in the Prometheus text format, distinguished by the label `process`. */
export async function mergedText(parts: readonly OfProcess[]): Promise<string> {
  const merged = new Map<string, MetricObject>()
  for (const { process, value } of parts)
    for (const metric of value) {
      const values = metric.values.map((each) => ({
        ...each,
        labels: { ...each.labels, process: String(process) },
      }))
      const earlier = merged.get(metric.name)
      merged.set(metric.name, { ...metric, values: [...(earlier?.values ?? []), ...values] })
    }
  const registry = new Registry()
  // The registry reads only these members of a metric.
  for (const metric of merged.values())
    registry.registerMetric({ ...metric, get: async () => metric } as unknown as Metric)
  return await registry.metrics()
}
