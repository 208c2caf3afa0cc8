import { HOUR_MS } from '@pennant/contract/durations.ts'
import { CircuitOpenError } from '../lib/circuits.ts'
import { TryLaterError } from '../lib/errors.ts'
import { ProviderError, type ProviderContext } from './provider.ts'
import { readBounded } from './read-bounded.ts'

/** A request to an external service. */
export interface ServiceCall {
  /** The provider's name, for messages. */
  readonly service: string
  readonly method?: 'POST'
  readonly url: string | URL
  readonly headers?: Headers | Readonly<Record<string, string>>
  readonly body: string | URLSearchParams
  /** Timeout for the complete response. */
  readonly limitMs: number
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined
  /** Texts to remove from error messages, in case the service repeats them. */
  readonly secrets: readonly string[]
}

/** Responses of these services are a few lines of JSON. */
const MAX_ANSWER_BYTES = 64 * 1024
const MAX_REASON_LENGTH = 200
/** Shorter texts such as the path `/` are not secret, and would match everywhere. */
const MIN_SECRET_LENGTH = 4
const MAX_WAIT_MS = HOUR_MS

/**
 * Posts to a service and expects success. Rejects with a message that is safe to log: it contains neither the
 * address nor the request, since webhook URLs and bot tokens are secrets.
 */
export async function callService(call: ServiceCall, { fetch }: ProviderContext): Promise<void> {
  const { service, method = 'POST', url, headers = {}, body, limitMs } = call
  const limit = AbortSignal.timeout(limitMs)
  const signal = call.signal ? AbortSignal.any([call.signal, limit]) : limit
  let status: number
  let retryAfter: string | null
  let text: string
  try {
    // A redirect would leak the credentials.
    const response = await fetch(url, { method, headers, body, signal, redirect: 'manual' })
    status = response.status
    retryAfter = response.headers.get('retry-after')
    text = (await readBounded(response, MAX_ANSWER_BYTES)).toString()
    if (response.ok) return
  } catch (error) {
    if (error instanceof CircuitOpenError) throw new CircuitOpenError(service, error.afterMs)
    // Not set as the cause: the runtime's message may contain the address.
    throw new ProviderError(`${service} did not respond: ${limit.aborted ? 'timeout' : failureOf(error)}`)
  }
  const fields = parse(text)
  const message = withoutSecrets(`${service} answered ${status}${reasonOf(fields)}`, call.secrets)
  const waitMs = status === 429 ? waitOf(fields, retryAfter) : null
  throw waitMs === null ? new ProviderError(message) : new TryLaterError(message, waitMs)
}

function failureOf(error: unknown): string {
  if (error instanceof ProviderError) return error.message
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'the connection failed'
}

type Fields = Readonly<Record<string, unknown>>

function parse(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Fields) : {}
  } catch {
    return {}
  }
}

/** Each service uses another field name. */
function reasonOf({ message, Message, description }: Fields): string {
  const reason = [message, Message, description].find((text) => typeof text === 'string')
  return reason === undefined ? '' : `: ${String(reason).slice(0, MAX_REASON_LENGTH)}`
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  const redacted = secrets.filter((secret) => secret.length >= MIN_SECRET_LENGTH)
  return redacted.reduce((left, secret) => left.replaceAll(secret, '(secret)'), text)
}

/** The retry delay in seconds, from wherever the service puts it; null when absent. */
function waitOf(fields: Fields, header: string | null): number | null {
  const { retry_after: inner } = (fields['parameters'] ?? {}) as Fields
  const named = [fields['retry_after'], inner, header].find((value) => value !== undefined && value !== null)
  const seconds = Number(named)
  if (named === undefined || !Number.isFinite(seconds) || seconds < 0) return null
  return Math.min(Math.ceil(seconds * 1000), MAX_WAIT_MS)
}
