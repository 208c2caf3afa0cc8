import { UnavailableError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'

export interface Health {
  failed(error: Error): void
  succeeded(): void
}

/**
 * Logs the start and the end of an outage once each, however many connections it broke. A database that never
 * responded is not an outage: the connecting code reports it.
 */
export function watchHealth(log: Log): Health {
  let isDown = false
  let wasUp = false
  return {
    failed(error) {
      if (isDown || !wasUp) return
      isDown = true
      const reason = error instanceof UnavailableError ? String(error.cause) : error.message
      log.warn({ reason }, 'database unreachable')
    },
    succeeded() {
      wasUp = true
      if (!isDown) return
      isDown = false
      log.info({}, 'database reachable again')
    },
  }
}
