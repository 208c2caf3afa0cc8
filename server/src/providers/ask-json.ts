import { ProviderError } from './provider.ts'
import { readBounded } from './read-bounded.ts'

export interface Question {
  /** Begins the sentence about a failure: `The instancer`. */
  readonly who: string
  readonly fetch: typeof fetch
  readonly url: string
  readonly method: 'PUT' | 'POST' | 'PATCH' | 'DELETE'
  /** Goes as a bearer. */
  readonly token: string
  readonly body: object
  readonly signal: AbortSignal
}

/** Answers here are states and error texts. */
const MAX_ANSWER_BYTES = 256 * 1024

/**
 * Asks a service of the deployment's own. Rejects with a ProviderError when no JSON came back; its message names
 * neither the address nor anything that was sent or answered.
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
      // A redirect would carry the token elsewhere.
      redirect: 'error',
      signal,
    })
    bytes = await readBounded(response, MAX_ANSWER_BYTES)
  } catch {
    throw new ProviderError(`${who} ${signal.aborted ? 'did not answer in time' : 'cannot be reached'}.`)
  }
  try {
    return { status: response.status, value: JSON.parse(bytes.toString()) }
  } catch {
    throw new ProviderError(`${who} gave no usable answer.`)
  }
}
