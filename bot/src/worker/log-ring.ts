import { MAX_LOGS_LENGTH } from '@pennant/contract/admin-bot-worker.ts'
import { cutLine, type LineReport, type Plan } from '../protocol.ts'

/** Prefixes are words such as `console`. */
const MAX_PREFIX_LENGTH = 64

export interface LogRing {
  add(line: Omit<LineReport, 'type'>): void
  /** The newest lines as newline-delimited JSON, within the server's limit; `''` without lines. */
  text(): string
}

/**
 * Keeps the newest lines of a visit, up to the server's limit. The worker holds them, so that they survive a
 * crash of the visit. They come from a process that runs an author's code, so lengths are not trusted.
 */
export function createLogRing({ maxLogLines, maxLogValueChars }: Plan, now: () => number): LogRing {
  const lines: string[] = []
  // Includes a line break after each line.
  let length = 0
  return {
    add({ level, prefix, line, extra }) {
      const time = new Date(now()).toISOString()
      const cut = cutLine({ line, extra }, maxLogValueChars)
      const entry = {
        time,
        level,
        prefix: prefix.slice(0, MAX_PREFIX_LENGTH),
        line: cut.line,
        extra: cut.extra ?? null,
      }
      const text = JSON.stringify(entry)
      lines.push(text)
      length += text.length + 1
      // Terminates: each round removes a line.
      while (lines.length > maxLogLines || length - 1 > MAX_LOGS_LENGTH) {
        const oldest = lines.shift()
        if (oldest === undefined) break
        length -= oldest.length + 1
      }
    },
    text: () => lines.join('\n'),
  }
}
