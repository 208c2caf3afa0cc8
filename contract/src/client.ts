import type { ApiResponse, ResponsesOf, Route, SentOf } from './route.ts'

type Given<T> = { [K in keyof T as T[K] extends undefined ? never : K]: T[K] }
/** What may be left out as a whole, such as a query whose parameters are all optional. */
type Optional<T> = keyof { [K in keyof T as Record<never, never> extends T[K] ? K : never]: T[K] }
type Present<T> = Omit<Given<T>, Optional<T>> & Partial<Pick<Given<T>, Optional<T> & keyof Given<T>>>

/** Exactly the parts that the route accepts, and an optional token. */
export type RequestOf<R extends Route> = Present<SentOf<R>> & {
  readonly token?: string | undefined
  readonly form?: FormData
  readonly headers?: Readonly<Record<string, string>>
}

/** The result of a request: the envelope of one of the route's replies, and the status. */
export type ResultOf<R extends Route> =
  | (ResponsesOf<R> extends infer A
      ? A extends ApiResponse<infer K, infer T>
        ? { readonly kind: K; readonly status: number; readonly message: string; readonly data: T }
        : never
      : never)
  | ImpliedResult

/** Replies that the pipeline may send on any route. */
interface ImpliedResult {
  readonly kind: `bad${string}` | `error${string}`
  readonly status: number
  readonly message: string
  readonly data:
    | { readonly reason?: string; readonly timeLeft?: number; readonly maxSize?: number }
    | undefined
}

export interface ClientOptions {
  /** Without a trailing slash; `''` for the page's own origin. */
  readonly baseUrl: string
  readonly fetch?: typeof fetch
  /**
   * Called with each response before the caller gets it: test harnesses check shapes and count kinds here.
   */
  readonly onResponse?: (route: Route, response: Response, body: unknown) => void
}

export type Client = <R extends Route>(route: R, request: RequestOf<R>) => Promise<ResultOf<R>>

interface LooseRequest {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
  readonly token?: string
  readonly form?: FormData
  readonly headers?: Readonly<Record<string, string>>
}

/** The URL of a route with its parameters, relative to the base URL. */
export function addressOf(route: Route, request: Pick<LooseRequest, 'params' | 'query'>): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(request.params?.[name] ?? ''),
  )
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) query.set(name, String(value))
  }
  return query.size === 0 ? path : `${path}?${query}`
}

/** The typed client of the API: `await call(listSolvesV2, { params, query, token })`. */
export function createClient({ baseUrl, fetch = globalThis.fetch, onResponse }: ClientOptions): Client {
  return async (route, request) => {
    const loose = request as LooseRequest
    const headers: Record<string, string> = { ...loose.headers }
    if (loose.token !== undefined) headers['authorization'] = `Bearer ${loose.token}`
    if (route.body) headers['content-type'] = 'application/json'
    const body = route.form ? loose.form : route.body ? JSON.stringify(loose.body ?? {}) : undefined
    const init: RequestInit = { method: route.method, headers }
    if (body !== undefined) init.body = body
    const response = await fetch(baseUrl + addressOf(route, loose), init)
    if (route.text) {
      const text = await response.text()
      onResponse?.(route, response, text)
      return textResult(route, response, text) as never
    }
    if (route.file !== undefined && response.ok) {
      onResponse?.(route, response, undefined)
      // The file is the data, although the reply declares none: only clients make an object of it.
      return { kind: route.replies[0]?.kind, status: 200, message: '', data: await response.blob() } as never
    }
    const json: unknown = await response.json()
    onResponse?.(route, response, json)
    if (route.unwrapped && (response.ok || isForeignError(route, json)))
      return { kind: 'unwrapped', status: response.status, message: '', data: json } as never
    return { data: undefined, ...(json as object), status: response.status } as never
  }
}

/** The error is then at the top, without an envelope. */
export function isForeignError({ unwrapped }: Route, body: unknown): boolean {
  return unwrapped === 'errors' && typeof body === 'object' && body !== null && 'error' in body
}

function textResult({ replies }: Route, { ok, status }: Response, text: string) {
  const kind = replies.find((reply) => reply.status === status)?.kind ?? 'errorInternal'
  return { kind, status, message: ok ? '' : text, data: ok ? text : undefined }
}
