import type { Redis } from 'ioredis'
import type { Log } from '../lib/log.ts'

export interface Health {
  failed(error: unknown): void
  succeeded(): void
}

/** Logs the start and the end of an outage once each. */
export function watchHealth(redis: Redis, log: Log): Health {
  let isDown = false
  const health: Health = {
    failed(error) {
      if (isDown) return
      isDown = true
      const reason = error instanceof Error ? error.message : String(error)
      log.warn({ reason }, 'Redis unreachable; rate limits are per process until it is back')
    },
    succeeded() {
      if (!isDown) return
      isDown = false
      log.info({}, 'Redis reachable again')
    },
  }
  redis.on('error', (error: unknown) => health.failed(error))
  redis.on('ready', () => health.succeeded())
  return health
}
