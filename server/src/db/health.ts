import { UnavailableError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'

export interface Health {
  failed(error: Error): void
  answered(): void
}

/**
 * Tells the log once that an outage began and once that it ended, however many connections it broke. A database that
 * never answered is no outage: whoever connects tells of it.
 */
export function watchHealth(log: Log): Health {
  let isDown = false
  let hasAnswered = false
  return {
    failed(error) {
      if (isDown || !hasAnswered) return
      isDown = true
      const reason = error instanceof UnavailableError ? String(error.cause) : error.message
      log.warn({ reason }, 'the database does not answer')
    },
    answered() {
      hasAnswered = true
      if (!isDown) return
      isDown = false
      log.info({}, 'the database answers again')
    },
  }
}
