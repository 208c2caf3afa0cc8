/** One request; a plan repeats its requests in order. */
export interface RequestSpec {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** What a generator sends in a closed loop: each connection sends its next request after a response. */
export interface Plan {
  /** Where the server is, without a path. */
  readonly url: string
  readonly connections: number
  readonly requests: readonly RequestSpec[]
  /** Each request once. Otherwise they are repeated. */
  readonly isOnce?: boolean
  /** A run also ends after this time. */
  readonly seconds: number
}

export interface Measured {
  readonly generator: 'autocannon' | 'wrk'
  readonly count: number
  readonly seconds: number
  /** Responses per second. */
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly p999Ms: number
  /** Responses by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Requests whose connection ended before the response, and connections that were refused. */
  readonly broken: number
}

export const failuresOf = ({ statuses, broken }: Measured, expected: RegExp): number =>
  Object.entries(statuses)
    .filter(([status]) => !expected.test(status))
    .reduce((sum, [, count]) => sum + count, broken)

/** The headers of a request with the type of its body. Generators add the length, which must not be sent twice. */
export function headersOf({ headers = {}, body }: RequestSpec): Record<string, string> {
  return body === undefined ? { ...headers } : { 'content-type': 'application/json', ...headers }
}

/** The bytes of a request on a keep-alive connection. */
export function requestBytes(spec: RequestSpec, host: string): Buffer {
  const { method = 'GET', path, body } = spec
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  const lines = Object.entries({ host, ...headersOf(spec), ...length }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`)
}
