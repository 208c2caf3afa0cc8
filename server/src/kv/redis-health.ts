import type { Redis } from 'ioredis'
import type { Log } from '../lib/log.ts'

export interface Health {
  failed(error: unknown): void
  answered(): void
}

/** Tells the log once that an outage began and once that it ended. */
export function watchHealth(redis: Redis, log: Log): Health {
  let down = false
  const health: Health = {
    failed(error) {
      if (down) return
      down = true
      const reason = error instanceof Error ? error.message : String(error)
      log.warn({ reason }, 'Redis does not answer: this process keeps its own rate limits')
    },
    answered() {
      if (!down) return
      down = false
      log.info({}, 'Redis answers again')
    },
  }
  redis.on('error', (error: unknown) => health.failed(error))
  redis.on('ready', () => health.answered())
  return health
}
