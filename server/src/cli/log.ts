import { pino, type DestinationStream, type Logger } from 'pino'
import type { ProcessContext } from './process-context.ts'

/** Fields that are removed from log entries at any depth. */
const SECRETS = ['authorization', 'cookie', 'token', 'authToken', 'teamToken', 'tokenKey', 'password']
const REDACTED = SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `*.*.*.${name}`])

const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
}
const ENVELOPE = new Set(['level', 'time', 'msg', 'err'])

export interface LogOptions {
  readonly level: string
  readonly isReadable: boolean
  readonly context: ProcessContext
}

/** Logs as JSON lines or in a readable format. */
export function createLog({ level, isReadable, context }: LogOptions): Logger {
  const options = { level, base: null, redact: { paths: REDACTED, censor: '[hidden]' } }
  const destination: DestinationStream = {
    write: (line) => context.print(isReadable ? readable(line) : line.trimEnd()),
  }
  return pino(options, destination)
}

/** JSON in production when the output is not a terminal. */
export function isReadableLog({ env, isTerminal }: ProcessContext): boolean {
  return isTerminal || env['NODE_ENV'] !== 'production'
}

interface Entry extends Record<string, unknown> {
  readonly level: number
  readonly time: number
  readonly msg?: string
  readonly err?: { readonly stack?: string }
}

function readable(line: string): string {
  const entry = JSON.parse(line) as Entry
  const time = new Date(entry.time).toISOString().slice(11, 19)
  const fields = Object.entries(entry).filter(([name]) => !ENVELOPE.has(name))
  const rest = fields.map(
    ([name, value]) =>
      ` ${escaped(name)}=${escaped(typeof value === 'string' ? value : JSON.stringify(value))}`,
  )
  // Indented, so that no line of an error looks like a log line.
  const stack = (entry.err?.stack ?? '').split('\n').filter((each) => each !== '')
  const below = stack.map((each) => `\n  ${escaped(each)}`).join('')
  return `${time} ${(LEVELS[entry.level] ?? '').padEnd(5)} ${escaped(entry.msg ?? '')}${rest.join('')}${below}`
}

/** C0, DEL and C1, line separators, and marks that change text direction. */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/**
 * Logs contain text of requests, mails and services. In a terminal, control characters could move the cursor,
 * rename the window, or forge and hide lines. JSON escapes the dangerous ones already.
 */
function escaped(text: string): string {
  return text.replace(CONTROLS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
