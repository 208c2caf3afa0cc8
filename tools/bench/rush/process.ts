import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { serverMib, usageOf, type Processes, type Usage } from '../usage.ts'
import type { RushPlan, RushResult } from './plan.ts'

export interface Measured {
  readonly processes: Processes
  readonly proxyPid: number | null
}

export interface Played {
  readonly result: RushResult
  /** Seconds of processor time for each second. */
  readonly server: number | null
  readonly database: number | null
  readonly proxy: number | null
  readonly serverMib: number | null
}

/** Runs the generator in a process of its own. */
export async function playApart(plan: RushPlan, { processes, proxyPid }: Measured): Promise<Played> {
  const child = fork(fileURLToPath(new URL('generator.ts', import.meta.url)), ['rush'])
  const ended = once(child, 'exit').then(([status]) => {
    throw new Error(`the generator ended with status ${String(status)}`)
  })
  ended.catch(() => {})
  try {
    await Promise.race([once(child, 'message'), ended])
    const usage = (): [Usage, Usage] => [usageOf(processes), usageOf({ server: proxyPid, database: null })]
    const [before, proxyBefore] = usage()
    child.send(plan)
    const [{ result }] = (await Promise.race([once(child, 'message'), ended])) as [{ result: RushResult }]
    const [after, proxyAfter] = usage()
    const share = (from: number | null, to: number | null) =>
      from === null || to === null ? null : (to - from) / result.seconds
    return {
      result,
      server: share(before.serverS, after.serverS),
      database: share(before.databaseS, after.databaseS),
      proxy: share(proxyBefore.serverS, proxyAfter.serverS),
      serverMib: serverMib(processes),
    }
  } finally {
    child.kill()
  }
}
