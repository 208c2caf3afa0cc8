import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { serverMib, usageOf, type Processes } from '../usage.ts'
import type { RushPlan, RushResult } from './plan.ts'

export interface Played {
  readonly result: RushResult
  /** Seconds of processor time for each second. */
  readonly server: number | null
  readonly database: number | null
  readonly serverMib: number | null
}

/** Runs the generator in a process of its own. */
export async function playApart(plan: RushPlan, processes: Processes): Promise<Played> {
  const child = fork(fileURLToPath(new URL('generator.ts', import.meta.url)), ['rush'])
  const ended = once(child, 'exit').then(([status]) => {
    throw new Error(`the generator ended with status ${String(status)}`)
  })
  ended.catch(() => {})
  try {
    await Promise.race([once(child, 'message'), ended])
    const before = usageOf(processes)
    child.send(plan)
    const [{ result }] = (await Promise.race([once(child, 'message'), ended])) as [{ result: RushResult }]
    const after = usageOf(processes)
    const share = (from: number | null, to: number | null) =>
      from === null || to === null ? null : (to - from) / result.seconds
    return {
      result,
      server: share(before.serverS, after.serverS),
      database: share(before.databaseS, after.databaseS),
      serverMib: serverMib(processes),
    }
  } finally {
    child.kill()
  }
}
