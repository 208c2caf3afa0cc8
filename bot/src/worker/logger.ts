import { pino } from 'pino'
import type { Log } from './log.ts'

/** JSON lines on standard output. */
export function createLogger(level: string): Log {
  return pino({ level, base: null })
}
