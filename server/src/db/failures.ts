import { UnavailableError } from '../lib/errors.ts'

/**
 * Error codes of sockets, DNS and streams: a connection that was closed between two statements rejects the write of the
 * next one. EAGAIN: the queue of a Unix socket is full.
 */
const NETWORK_CODES = new Set(
  (
    'ECONNREFUSED ENOENT ECONNRESET ECONNABORTED ENOTCONN EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN EAGAIN ' +
    'ERR_STREAM_DESTROYED ERR_STREAM_WRITE_AFTER_END ERR_STREAM_PREMATURE_CLOSE ERR_SOCKET_CLOSED'
  ).split(' '),
)

/**
 * PostgreSQL error codes: shutting down or starting, too many connections, no space on the disk, no memory, a timeout,
 * or a read-only standby after a failover. A later retry may succeed.
 */
const SERVER_CODES = new Set('57P01 57P02 57P03 57P05 53100 53200 53300 57014 55P03 25P03 25006'.split(' '))

/** Errors of the driver itself have no code. */
const DRIVER_MESSAGE =
  /^(Connection terminated|timeout e|Query read timeout|Client (has encountered|was closed)|Cannot use a pool after)/

/** Serialization failure and deadlock: the whole transaction can be retried. */
const RETRY_CODES = new Set(['40001', '40P01'])

/** A statement that waited for a lock, for as long as `lock_timeout` allows: the database works. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof UnavailableError && codeOf(error.cause) === '55P03'
}

export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

export function isWorthRetrying(error: unknown): boolean {
  return RETRY_CODES.has(codeOf(error) ?? '')
}

function isUnavailable(error: unknown): boolean {
  const code = codeOf(error)
  if (code !== undefined) return NETWORK_CODES.has(code) || SERVER_CODES.has(code) || code.startsWith('08')
  return error instanceof Error && DRIVER_MESSAGE.test(error.message)
}

/** Converts an error of the driver to the one that callers see. */
export function failureOf(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof UnavailableError) return error
  if (isUnavailable(error)) return outageOf(error)
  // The detail of a constraint violation contains the row's values, such as flags and addresses. They must not be logged.
  if ('detail' in error) delete error.detail
  return error
}

/**
 * Whatever prevents a connection: also a refused sign-in, a database that was renamed or accepts no connections, or a
 * failed TLS handshake.
 */
export function outageOf(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof UnavailableError) return error
  return new UnavailableError('database unreachable', { cause: plain(error) })
}

function plain(error: Error): Error {
  const code = codeOf(error)
  // An AggregateError (several addresses, all refused) has no message.
  const reason = new Error([code, error.message].filter(Boolean).join(': '))
  return code === undefined ? reason : Object.assign(reason, { code })
}
