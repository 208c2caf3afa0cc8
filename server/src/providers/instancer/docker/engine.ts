import { Agent, request } from 'undici'
import { z } from 'zod'
import { ProviderError } from '../../provider.ts'

/** Calls under way at one engine; it works on few at a time anyway. */
const MAX_CONNECTIONS = 16
const CONNECT_LIMIT_MS = 5_000
/** A list of some thousands of containers. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024

/** How an engine is reached: `unix:///run/docker.sock`, `tcp://host:2376` with TLS, or without. */
export interface EngineAddress {
  readonly url: string
  /** PEM texts. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string } | undefined
}

export interface EngineRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below the root of the API, with its query. */
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** What the engine refused: its status, and its own words, which are for the log. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Whether a container of that name is there already. Docker answers 409, Podman 500 with such words. */
export function isNameTaken({ status, message }: EngineError): boolean {
  return status === 409 || /name .*already in use/i.test(message)
}

/** The API of one engine, as Docker documents it. Rejects with EngineError, or ProviderError when nothing answers. */
export interface Engine {
  call(request: EngineRequest): Promise<unknown>
  close(): Promise<void>
}

const Failure = z.object({ message: z.string() })

export function openEngine({ url, tls }: EngineAddress): Engine {
  const { origin, socketPath } = targetOf(url, tls !== undefined)
  const agent = new Agent({
    connections: MAX_CONNECTIONS,
    connect: { ...tls, ...(socketPath === undefined ? {} : { socketPath }), timeout: CONNECT_LIMIT_MS },
    // The callers' signals bound every wait.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: MAX_ANSWER_BYTES,
  })
  return {
    async call({ method, path, body, headers = {}, signal }) {
      let status: number
      let text: string
      try {
        const answer = await request(`${origin}${path}`, {
          dispatcher: agent,
          method,
          signal,
          headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        status = answer.statusCode
        text = await answer.body.text()
      } catch (cause) {
        const message = signal.aborted ? 'did not answer in time' : 'cannot be reached'
        throw new ProviderError(`The container engine ${message}.`, { cause })
      }
      const value = jsonOf(text)
      // 304: it was so already.
      if (status < 400) return value
      const said = Failure.safeParse(value)
      throw new EngineError(status, said.success ? said.data.message : `status ${status}`)
    },
    close: () => agent.close(),
  }
}

function targetOf(url: string, isTls: boolean): { origin: string; socketPath?: string } {
  if (url.startsWith('unix://')) return { origin: 'http://engine', socketPath: url.slice('unix://'.length) }
  const { host } = new URL(url.replace(/^tcp:/, 'http:'))
  return { origin: `${isTls || url.startsWith('https:') ? 'https' : 'http'}://${host}` }
}

/** Undefined for what is no JSON, such as the lines of a pull. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
