import { errorText } from './error-text.ts'
import type { Log } from './log.ts'
import type { Job, Service } from './service.ts'

export interface LoopDeps {
  readonly service: Pick<Service, 'pull'>
  readonly log: Log
  readonly concurrency: number
  readonly pollIntervalMs: number
  /** Never rejects. */
  readonly doJob: (job: Job) => Promise<void>
}

/** Pulls jobs while there is capacity, until the signal. Resolves when the last job is done. */
export async function keepPulling(deps: LoopDeps, stop: AbortSignal): Promise<void> {
  const { log, concurrency, pollIntervalMs } = deps
  const running = new Set<Promise<void>>()
  let failures = 0
  // Ends with the signal, which also cancels the pauses.
  while (!stop.aborted) {
    if (running.size >= concurrency) {
      await Promise.race(running)
      continue
    }
    const pulled = await deps.service.pull().catch((error: unknown) => {
      if (failures === 0) log.error({ reason: errorText(error) }, 'could not pull a job; retrying')
      return 'failed' as const
    })
    if (pulled !== 'failed' && failures > 0) log.info({}, 'pulling jobs works again')
    failures = pulled === 'failed' ? failures + 1 : 0
    if (pulled === null || pulled === 'failed') {
      await pause(pollIntervalMs, stop)
      continue
    }
    const done = deps.doJob(pulled).finally(() => running.delete(done))
    running.add(done)
  }
  await Promise.all(running)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}
