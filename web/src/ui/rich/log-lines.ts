export interface LogLine {
  /** As in the log; empty if the line contains no time. */
  readonly time: string
  readonly level: string
  readonly prefix: string
  readonly text: string
}

/** Further lines are not shown; the download contains all. */
export const MAX_LINES = 50_000

/** Parses NDJSON into rows. A line that is not a JSON object becomes plain text. */
export function parseLog(log: string): LogLine[] {
  return log
    .split('\n', MAX_LINES)
    .filter((line) => line.trim() !== '')
    .map(parseLine)
}

function parseLine(line: string): LogLine {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return lineOf(value)
  } catch {
    // Not JSON: show the line unchanged.
  }
  return { time: '', level: '', prefix: '', text: line }
}

function lineOf(value: object): LogLine {
  const fields = value as Record<string, unknown>
  const pick = (...names: string[]) => {
    const found = names.map((name) => fields[name]).find((each) => each !== undefined && each !== null)
    return typeof found === 'string' ? found : found === undefined ? '' : JSON.stringify(found)
  }
  return {
    time: pick('time', 'timestamp', 'ts'),
    level: pick('level').toLowerCase(),
    prefix: pick('prefix'),
    text: pick('line', 'message', 'msg') || JSON.stringify(value),
  }
}

/** Lines of these levels (all if empty) that contain every word. */
export function filterLog(lines: readonly LogLine[], levels: ReadonlySet<string>, typed: string): LogLine[] {
  const parts = typed.trim().toLowerCase().split(/\s+/)
  return lines.filter(({ level, prefix, text }) => {
    if (levels.size > 0 && !levels.has(level)) return false
    const whole = `${prefix} ${text}`.toLowerCase()
    return parts.every((part) => whole.includes(part))
  })
}
