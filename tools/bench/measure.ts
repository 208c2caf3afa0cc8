import { failuresOf, type Measured, type Plan } from './generator/plan.ts'
import { runApart } from './generator/process.ts'
import { canUseWrk, runWrk } from './generator/wrk.ts'
import type { Options } from './options.ts'
import type { Row } from './report.ts'
import { serverMib, usageOf, type Processes } from './usage.ts'

/** Compiles the code of a route, and fills its caches. */
const WARM_UP_S = 1
/** To find out which rate is half of what a closed loop reaches. */
const PROBE_S = 1

export interface Result extends Measured {
  /** Processor time per response, in microseconds. */
  readonly serverCpuUs: number | null
  readonly databaseCpuUs: number | null
  readonly serverMib: number | null
}

export type What = Pick<Plan, 'url' | 'requests' | 'isOnce'>

/** Sends the requests as the options say, and measures what the processes use meanwhile. */
export async function measure(what: What, options: Options, processes: Processes): Promise<Result> {
  const plan = { ...what, ...(await loopOf(what, options)), warmUpSeconds: WARM_UP_S }
  let before = usageOf(processes)
  const onStart = () => (before = usageOf(processes))
  const isByWrk = options.generator === 'auto' && canUseWrk(plan)
  const measured = isByWrk ? await runWrk(plan, onStart) : await runApart(plan, onStart)
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

async function loopOf(what: What, { connections, seconds, rate }: Options) {
  if (rate !== 'half') return { connections, seconds, perSecond: rate }
  // Requests that can be sent only once have no rate to find out.
  if (what.isOnce) return { connections, seconds, perSecond: null }
  const probe = { ...what, connections, seconds: PROBE_S, perSecond: null, warmUpSeconds: WARM_UP_S }
  const { perSecond } = await runApart(probe, () => {})
  return { connections, seconds, perSecond: perSecond / 2 }
}

/** The columns that all measurements share. `expected` matches the statuses that are no failure. */
export function rowOf(name: string, result: Result, expected = /^[23]/): Row {
  const failures = failuresOf(result, expected)
  return {
    what: name,
    'per s': Math.round(result.perSecond),
    'p50 ms': result.p50Ms,
    'p99 ms': result.p99Ms,
    'p99.9 ms': result.p999Ms,
    'server µs': rounded(result.serverCpuUs),
    'database µs': rounded(result.databaseCpuUs),
    MiB: rounded(result.serverMib),
    failed: failures === 0 ? null : failures,
    generator: result.generator,
  }
}

const rounded = (value: number | null) => (value === null ? null : Math.round(value))
