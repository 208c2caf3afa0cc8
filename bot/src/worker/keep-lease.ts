import { errorText } from './error-text.ts'
import type { Log } from './log.ts'
import type { Job, Service } from './service.ts'

/** One renewal may be lost, and the next still comes in time. */
const RENEWALS_PER_LEASE = 3

export interface KeptLease {
  /** Aborted when the job is another's, or may be by now. */
  readonly lost: AbortSignal
  release(): void
}

/** Renews the lease of a job until it is released. */
export function keepLease(
  job: Job,
  { service, log }: { readonly service: Service; readonly log: Log },
): KeptLease {
  const lost = new AbortController()
  if (!job.lease) return { lost: lost.signal, release: () => {} }
  const { milliseconds } = job.lease
  const give = () => lost.abort()
  let end = setTimeout(give, milliseconds)
  const renewal = setInterval(() => {
    service.renew(job).then(
      (isOurs) => {
        clearTimeout(end)
        if (isOurs) end = setTimeout(give, milliseconds)
        else give()
      },
      (error: unknown) => log.warn({ job: job.id, reason: errorText(error) }, 'a lease could not be renewed'),
    )
  }, milliseconds / RENEWALS_PER_LEASE)
  return {
    lost: lost.signal,
    release() {
      clearTimeout(end)
      clearInterval(renewal)
    },
  }
}
