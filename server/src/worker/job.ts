import type { Bus } from '../lib/key-value.ts'
import type { Log } from '../lib/log.ts'
import { createBell } from './bell.ts'

/** Something that is done again and again, by one process at a time. */
export interface Job {
  readonly name: string
  /** Wakes it early. Wake-ups get lost, so it also runs after this time without one. */
  readonly channel?: string
  readonly everyMs: number
  /** Least time between the end of a run and the next start, however often it is woken. */
  readonly restMs?: number
  /** Ends soon after the signal; what it started is finished or can be repeated. */
  run(signal: AbortSignal): Promise<void>
  /** Waits for what the runs left under way. */
  end?(): Promise<void>
}

export interface JobDeps {
  readonly bus: Bus
  readonly log: Log
}

const longestPauseMs = 30_000

/** Runs the job until the signal; resolves when its last run has ended. A failed run is followed by a longer pause. */
export async function keepDoing(job: Job, { bus, log }: JobDeps, signal: AbortSignal): Promise<void> {
  const bell = createBell()
  const stop = createBell()
  const end = () => {
    bell.ring()
    stop.ring()
  }
  signal.addEventListener('abort', end)
  const leave = job.channel ? bus.subscribe(job.channel, bell.ring) : () => {}
  let failures = 0
  // Ends with the signal, which also ends its pauses.
  while (!signal.aborted) {
    try {
      await job.run(signal)
      if (failures > 0) log.info({ job: job.name }, 'a job works again')
      failures = 0
    } catch (error) {
      if (failures === 0) log.error({ err: error, job: job.name }, 'a job failed; it will be tried again')
      failures += 1
    }
    if (!signal.aborted && job.restMs) await stop.wait(job.restMs)
    if (!signal.aborted)
      await bell.wait(Math.min(job.everyMs * 2 ** failures, Math.max(longestPauseMs, job.everyMs)))
  }
  leave()
  await job.end?.()
  signal.removeEventListener('abort', end)
}
