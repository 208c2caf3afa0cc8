import { pino, type DestinationStream, type Logger } from 'pino'
import type { Outside } from './outside.ts'

/** Never written, wherever they stand in what is logged. */
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
  readonly outside: Outside
}

/** Lines of JSON, or readable ones. */
export function createLog({ level, isReadable, outside }: LogOptions): Logger {
  const options = { level, base: null, redact: { paths: REDACTED, censor: '[hidden]' } }
  const destination: DestinationStream = {
    write: (line) => outside.print(isReadable ? readable(line) : line.trimEnd()),
  }
  return pino(options, destination)
}

/** JSON is for machines: in production, when nobody looks. */
export function isReadableLog({ env, isTerminal }: Outside): boolean {
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
    ([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const stack = entry.err?.stack ? `\n${entry.err.stack}` : ''
  return `${time} ${(LEVELS[entry.level] ?? '').padEnd(5)} ${entry.msg ?? ''}${rest.join('')}${stack}`
}
