import { pino } from 'pino'
import type { Log } from './log.ts'

/** Lines of JSON on standard output. */
export function createLogger(level: string): Log {
  return pino({ level, base: null })
}
