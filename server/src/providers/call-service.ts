import { TryLaterError } from '../lib/errors.ts'
import { ProviderError, type ProviderWorld } from './provider.ts'
import { readBounded } from './read-bounded.ts'

/** One request to an outside service. */
export interface ServiceCall {
  /** The provider's name, for messages. */
  readonly service: string
  readonly method?: 'POST'
  readonly url: string | URL
  readonly headers?: Headers | Readonly<Record<string, string>>
  readonly body: string | URLSearchParams
  /** Time for the whole answer. */
  readonly limitMs: number
  /** Ends the call early. */
  readonly signal?: AbortSignal | undefined
  /** What must not be told of, should the service repeat it. */
  readonly secrets: readonly string[]
}

/** Answers of these services are some lines of JSON. */
const MAX_ANSWER_BYTES = 64 * 1024
const MAX_REASON_LENGTH = 200
/** A path such as `/` hides nothing, and would be found everywhere. */
const MIN_SECRET_LENGTH = 4
const MAX_WAIT_MS = 60 * 60 * 1000

/**
 * Posts to a service, which must accept. Rejects with a message that may be logged: neither the address nor what was
 * sent stands in it, since webhooks and bot tokens are secrets.
 */
export async function callService(call: ServiceCall, { fetch }: ProviderWorld): Promise<void> {
  const { service, method = 'POST', url, headers = {}, body, limitMs } = call
  const limit = AbortSignal.timeout(limitMs)
  const signal = call.signal ? AbortSignal.any([call.signal, limit]) : limit
  let status: number
  let retryAfter: string | null
  let text: string
  try {
    // A redirect would carry the credentials elsewhere.
    const response = await fetch(url, { method, headers, body, signal, redirect: 'manual' })
    status = response.status
    retryAfter = response.headers.get('retry-after')
    text = (await readBounded(response, MAX_ANSWER_BYTES)).toString()
    if (response.ok) return
  } catch (error) {
    // Not as the cause: what the runtime says may name the address.
    throw new ProviderError(`${service} did not answer: ${limit.aborted ? 'too late' : failureOf(error)}`)
  }
  const answer = parse(text)
  const message = withoutSecrets(`${service} answered ${status}${reasonOf(answer)}`, call.secrets)
  const waitMs = status === 429 ? waitOf(answer, retryAfter) : null
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

/** Each service has its own word for it. */
function reasonOf({ message, Message, description }: Fields): string {
  const reason = [message, Message, description].find((text) => typeof text === 'string')
  return reason === undefined ? '' : `: ${String(reason).slice(0, MAX_REASON_LENGTH)}`
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  const telling = secrets.filter((secret) => secret.length >= MIN_SECRET_LENGTH)
  return telling.reduce((left, secret) => left.replaceAll(secret, '(secret)'), text)
}

/** Seconds, from wherever the service puts them; null when it does not say. */
function waitOf(answer: Fields, header: string | null): number | null {
  const { retry_after: inner } = (answer['parameters'] ?? {}) as Fields
  const named = [answer['retry_after'], inner, header].find((value) => value !== undefined && value !== null)
  const seconds = Number(named)
  if (named === undefined || !Number.isFinite(seconds) || seconds < 0) return null
  return Math.min(Math.ceil(seconds * 1000), MAX_WAIT_MS)
}
