import { UncertainError } from './provider.ts'
import { readBounded } from './read-bounded.ts'

export interface Question {
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
const MAX_ANSWER_BYTES = 256 * 1024

/**
 * Calls one of the deployment's own services. Rejects with an UncertainError when the response is not JSON;
 * the message contains neither the address nor anything that was sent or received.
 */
export async function askJson(
  question: Question,
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
    bytes = await readBounded(response, MAX_ANSWER_BYTES)
  } catch {
    throw new UncertainError(`${who} ${signal.aborted ? 'did not respond in time' : 'cannot be reached'}.`)
  }
  try {
    return { status: response.status, value: JSON.parse(bytes.toString()) }
  } catch {
    throw new UncertainError(`${who} returned an unusable response.`)
  }
}
