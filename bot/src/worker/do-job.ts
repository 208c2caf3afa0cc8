import { errorText } from './error-text.ts'
import { keepLease } from './keep-lease.ts'
import type { Log } from './log.ts'
import type { Job, Outcome, Service } from './service.ts'
import type { Sources } from './sources.ts'
import { makeVisit, type VisitDeps } from './visit.ts'
import type { Visitors } from './visitors.ts'

/** Attempts to report an outcome; after that the lease expires and another worker repeats the visit. */
const TELL_ATTEMPTS = 6
const TELL_AGAIN_MS = 1_000

export interface JobDeps extends VisitDeps {
  readonly service: Service
  readonly sources: Sources
  readonly visitors: Visitors
}

/** Runs a pulled job and reports its outcome, unless the lease is lost. Never throws. */
export async function doJob(job: Job, deps: JobDeps, stop: AbortSignal): Promise<void> {
  const { log, service } = deps
  const lease = keepLease(job, { service, log })
  const signal = AbortSignal.any([lease.lost, stop])
  const fields = { job: job.id, challenge: job.challengeId }
  try {
    const outcome = await visitFor(job, deps, signal)
    if (lease.lost.aborted) return log.warn(fields, 'lost the lease: another worker has the job')
    // The lease expires, and another worker repeats the visit.
    if (stop.aborted && job.lease) return log.warn(fields, 'returned the job to the queue for another worker')
    const isOurs = await reportEnd({ job, outcome, lost: lease.lost }, service, log)
    log.info({ ...fields, ends: outcome.ends }, isOurs ? 'job completed' : 'another worker completed the job')
  } catch (error) {
    log.error({ ...fields, reason: errorText(error) }, 'could not report the result of a job')
  } finally {
    lease.release()
  }
}

async function visitFor(job: Job, deps: JobDeps, signal: AbortSignal): Promise<Outcome> {
  const { sources, visitors, log } = deps
  try {
    const { code, plan } = await sources.load(job.challengeId, job.configRevision)
    const visitor = await visitors.take()
    const { lease: _, ...rest } = job
    const order = { code, job: rest }
    const end = await makeVisit({ visitor, plan, order, signal, onStarted: visitors.warm }, deps)
    return { ends: end.isDone ? 'completed' : 'failed', logs: end.logs }
  } catch (error) {
    log.error(
      { job: job.id, challenge: job.challengeId, reason: errorText(error) },
      'could not start a visit',
    )
    return { ends: 'failed' }
  }
}

interface End {
  readonly job: Job
  readonly outcome: Outcome
  readonly lost: AbortSignal
}

async function reportEnd({ job, outcome, lost }: End, service: Service, log: Log): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await service.finish(job, outcome)
    } catch (error) {
      if (attempt === TELL_ATTEMPTS || lost.aborted) throw error
      log.warn({ job: job.id, reason: errorText(error) }, 'could not report the result of a job; retrying')
      await new Promise((resolve) => setTimeout(resolve, attempt * TELL_AGAIN_MS))
    }
  }
}
