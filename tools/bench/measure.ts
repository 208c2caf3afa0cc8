import { failuresOf, type Measured, type Plan } from './generator/plan.ts'
import { run } from './generator/run.ts'
import type { Options } from './options.ts'
import type { Row } from './report.ts'
import { serverMib, usageOf, type Processes } from './usage.ts'

/** Compiles the code of a route and fills its caches. */
const WARM_UP_S = 1

export interface Result extends Measured {
  /** Processor time per response, in microseconds. */
  readonly serverCpuUs: number | null
  readonly databaseCpuUs: number | null
  readonly serverMib: number | null
}

export type What = Pick<Plan, 'url' | 'requests' | 'isOnce'>

export type Loop = Pick<Options, 'connections' | 'seconds'>

/** Sends the requests as the options say, and measures what the processes use meanwhile. */
export async function measure(what: What, options: Loop, processes: Processes): Promise<Result> {
  const { connections, seconds } = options
  const plan = { ...what, connections, seconds }
  // Requests that can be sent only once warm nothing up.
  if (!what.isOnce) await run({ ...plan, seconds: WARM_UP_S })
  const before = usageOf(processes)
  const measured = await run(plan)
  const after = usageOf(processes)
  const perResponse = (from: number | null, to: number | null) =>
    from === null || to === null ? null : ((to - from) * 1e6) / measured.count
  return {
    ...measured,
    serverCpuUs: perResponse(before.serverS, after.serverS),
    databaseCpuUs: perResponse(before.databaseS, after.databaseS),
    serverMib: serverMib(processes),
  }
}

/** The columns that all measurements share. `expected` matches the statuses that are no failure. */
export function rowOf(name: string, result: Result, expected = /^[23]/): Row {
  const failures = failuresOf(result, expected)
  const statuses = Object.keys(result.statuses).filter((status) => !expected.test(status))
  return {
    what: name,
    'per s': Math.round(result.perSecond),
    'p50 ms': result.p50Ms,
    'p99 ms': result.p99Ms,
    'p99.9 ms': result.p999Ms,
    'server µs': rounded(result.serverCpuUs),
    'database µs': rounded(result.databaseCpuUs),
    MiB: rounded(result.serverMib),
    failed:
      failures === 0
        ? null
        : `${failures} (${[...statuses, ...(result.broken > 0 ? ['broken'] : [])].join(', ')})`,
    generator: result.generator,
  }
}

export const rounded = (value: number | null) => (value === null ? null : Math.round(value))
