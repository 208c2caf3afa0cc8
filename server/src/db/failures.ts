import { UnavailableError } from '../lib/errors.ts'

/** Of the network and the name service. */
const NETWORK_CODES = new Set(
  'ECONNREFUSED ENOENT ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN'.split(' '),
)

/**
 * Of PostgreSQL: shut down or starting, no free connection, a time limit was met, or a standby answered after a
 * fail-over. Trying again later may succeed.
 */
const SERVER_CODES = new Set('57P01 57P02 57P03 57P05 53300 57014 55P03 25P03 25006'.split(' '))

/** The driver's own failures carry no code. */
const DRIVER_MESSAGE =
  /^(Connection terminated|timeout e|Query read timeout|Client (has encountered|was closed)|Cannot use a pool after)/

/** Worth a second try of the whole transaction: serialization failure and deadlock. */
const RETRY_CODES = new Set(['40001', '40P01'])

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

/** What callers get to see of a failed statement. */
export function failureOf(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof UnavailableError) return error
  if (isUnavailable(error))
    return new UnavailableError('the database does not answer', { cause: plain(error) })
  // The detail of a broken constraint holds the row's values, flags and addresses among them: not for a log.
  if ('detail' in error) delete error.detail
  return error
}

function plain(error: Error): Error {
  const code = codeOf(error)
  // Several addresses that all refused come without a message of their own.
  return new Error([code, error.message].filter(Boolean).join(': '))
}
