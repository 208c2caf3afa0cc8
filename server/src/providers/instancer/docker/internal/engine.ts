import '../../../../lib/builtin-fetch.ts'
import { Agent, request } from 'undici'
import { z } from 'zod'
import { UncertainError } from '../../../provider.ts'

/** Concurrent calls per engine; engines process only a few in parallel anyway. */
const MAX_CONNECTIONS = 16
const CONNECT_LIMIT_MS = 5_000
/** Enough for a list of several thousand containers. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024

/** The address of an engine: `unix:///run/docker.sock`, or `tcp://host:2376` with or without TLS. */
export interface EngineAddress {
  readonly url: string
  /** PEM texts. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string } | undefined
}

export interface EngineRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Path below the API root, with its query. */
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** An error response of the engine: its status, and its message, which is only for the log. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/**
 * Whether a container of that name already exists. Docker responds with 409, Podman with 500 and such a
 * message.
 */
export function isNameTaken({ status, message }: EngineError): boolean {
  return status === 409 || /name .*already in use/i.test(message)
}

/** Docker's API of one engine. Rejects with EngineError, or with UncertainError when there is no response. */
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
    // The callers' signals limit every wait.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: MAX_ANSWER_BYTES,
  })
  return {
    async call({ method, path, body, headers = {}, signal }) {
      let status: number
      let text: string
      try {
        const response = await request(`${origin}${path}`, {
          dispatcher: agent,
          method,
          signal,
          headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        status = response.statusCode
        text = await response.body.text()
      } catch (cause) {
        const message = signal.aborted ? 'did not respond in time' : 'cannot be reached'
        throw new UncertainError(`The container engine ${message}.`, { cause })
      }
      const value = jsonOf(text)
      // 304: already in that state.
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

/** Undefined for anything but JSON, such as the progress lines of a pull. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
