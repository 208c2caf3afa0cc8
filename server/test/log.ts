import type { Log } from '../src/lib/log.ts'

export interface LogLine {
  readonly level: keyof Log
  readonly fields: object
  readonly message: string
}

/** A log that collects its lines in memory. */
export function recordLog(): { readonly log: Log; readonly lines: LogLine[] } {
  const lines: LogLine[] = []
  const write = (level: keyof Log) => (fields: object, message: string) => {
    lines.push({ level, fields, message })
  }
  return {
    log: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    lines,
  }
}
