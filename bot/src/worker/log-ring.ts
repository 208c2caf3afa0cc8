import { maxLogsLength } from '@pennant/contract/admin-bot-worker.ts'
import type { LineReport, Plan } from '../protocol.ts'

/** Prefixes are words, as `console`. */
const MAX_PREFIX_LENGTH = 64

export interface LogRing {
  add(line: Omit<LineReport, 'type'>): void
  /** Newline-delimited JSON, the newest lines, as many as the service takes; without lines `''`. */
  text(): string
}

/** The newest lines of a visit. Kept by the worker, so that they outlive whatever the visit ends with. */
export function createLogRing({ maxLogLines, maxLogValueChars }: Plan, now: () => number): LogRing {
  const lines: string[] = []
  return {
    add({ level, prefix, line, extra }) {
      const time = new Date(now()).toISOString()
      const entry = {
        time,
        level,
        prefix: prefix.slice(0, MAX_PREFIX_LENGTH),
        line: line.slice(0, maxLogValueChars),
      }
      lines.push(JSON.stringify({ ...entry, extra: extra ?? null }))
      if (lines.length > maxLogLines) lines.shift()
    },
    text() {
      let length = -1
      const first = lines.findLastIndex((line) => (length += line.length + 1) > maxLogsLength)
      return lines.slice(first + 1).join('\n')
    },
  }
}
