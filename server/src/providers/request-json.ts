import { UnreachableError } from '../lib/errors.ts'
import { ProviderError, UncertainError } from './provider.ts'
import { readBounded } from './read-bounded.ts'

export interface JsonRequest {
  /** Subject of error messages, such as `The instancer`. */
  readonly who: string
  readonly fetch: typeof fetch
  readonly url: string
  readonly method: 'PUT' | 'POST' | 'PATCH' | 'DELETE'
  /** Sent as a bearer token. */
  readonly token: string
  readonly body: object
  readonly signal: AbortSignal
}

/** Responses contain only states and error texts. */
const MAX_RESPONSE_BYTES = 256 * 1024

/** Errors that occur before anything is sent. */
const NOT_CONNECTED = new Set(
  'ECONNREFUSED EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN UND_ERR_CONNECT_TIMEOUT'.split(' '),
)

/**
 * Calls one of the deployment's own services. Rejects with an UncertainError when the response is not JSON or none
 * arrives, and with another ProviderError when nothing was sent: the circuit is open, or there is no connection. The message contains neither the address nor anything that was sent or received.
 */
export async function requestJson(
  question: JsonRequest,
): Promise<{ readonly status: number; readonly value: unknown }> {
  const { who, fetch, url, method, token, body, signal } = question
  let response: Response
  let bytes: Buffer
  try {
    response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      // A redirect would leak the token.
      redirect: 'error',
      signal,
    })
    bytes = await readBounded(response, MAX_RESPONSE_BYTES)
  } catch (error) {
    if (wasNotSent(error)) throw new ProviderError(`${who} cannot be reached.`)
    throw new UncertainError(`${who} ${signal.aborted ? 'did not respond in time' : 'cannot be reached'}.`)
  }
  try {
    return { status: response.status, value: JSON.parse(bytes.toString()) }
  } catch {
    throw new UncertainError(`${who} returned an unusable response.`)
  }
}

function wasNotSent(error: unknown): boolean {
  if (error instanceof UnreachableError) return true
  const cause = error instanceof Error ? error.cause : undefined
  // A name with several addresses: each of them was tried.
  const causes: readonly unknown[] = cause instanceof AggregateError ? cause.errors : [cause]
  return causes.every((one) => one instanceof Error && 'code' in one && NOT_CONNECTED.has(String(one.code)))
}
