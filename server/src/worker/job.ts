import type { Bus } from '../lib/key-value.ts'
import type { Log } from '../lib/log.ts'
import { createWakeSignal } from './wake-signal.ts'

/** A recurring task that one process runs at a time. */
export interface Job {
  readonly name: string
  /** Wakes the job early. Wake-ups can be lost, so the job also runs after this time without one. */
  readonly channel?: string
  readonly everyMs: number
  /** Minimum time between the end of a run and the next start, however often the job is woken. */
  readonly restMs?: number
  /**
   * Ends soon after the signal. Work it started is either finished or safe to repeat. `wake` starts another run after this one.
   */
  run(signal: AbortSignal, wake?: () => void): Promise<void>
  /** Waits for work that the runs left in flight. */
  end?(): Promise<void>
}

export interface JobDeps {
  readonly bus: Bus
  readonly log: Log
}

const MAX_PAUSE_MS = 30_000

/** Runs the job until the signal; resolves when its last run has ended. Backs off after a failed run. */
export async function runPeriodically(job: Job, { bus, log }: JobDeps, signal: AbortSignal): Promise<void> {
  const wakeSignal = createWakeSignal()
  const stop = createWakeSignal()
  const end = () => {
    wakeSignal.wake()
    stop.wake()
  }
  signal.addEventListener('abort', end)
  const leave = job.channel ? bus.subscribe(job.channel, wakeSignal.wake) : () => {}
  let failures = 0
  // The signal ends the loop and its pauses.
  while (!signal.aborted) {
    try {
      await job.run(signal, wakeSignal.wake)
      if (failures > 0) log.info({ job: job.name }, 'a job has recovered')
      failures = 0
    } catch (error) {
      if (failures === 0) log.error({ err: error, job: job.name }, 'a job failed; retrying')
      failures += 1
    }
    if (!signal.aborted && job.restMs) await stop.wait(job.restMs)
    if (!signal.aborted)
      await wakeSignal.wait(Math.min(job.everyMs * 2 ** failures, Math.max(MAX_PAUSE_MS, job.everyMs)))
  }
  leave()
  await job.end?.()
  signal.removeEventListener('abort', end)
}
