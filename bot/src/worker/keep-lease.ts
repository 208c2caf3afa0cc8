import { errorText } from './error-text.ts'
import type { Log } from './log.ts'
import type { Job, Service } from './service.ts'

/** One renewal may fail, and the next is still in time. */
const RENEWALS_PER_LEASE = 3

export interface KeptLease {
  /** Aborted when the lease is lost, or may be. */
  readonly lost: AbortSignal
  release(): void
}

/** Renews a job's lease until it is released. */
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
      (error: unknown) =>
        log.warn({ job: job.id, reason: errorText(error) }, 'could not renew the lease of a job'),
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
