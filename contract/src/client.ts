import type { Answer, AnswersOf, Route, SentOf } from './route.ts'

type Present<T> = { [K in keyof T as T[K] extends undefined ? never : K]: T[K] }

/** Exactly the parts that the route takes, and a token when the caller has one. */
export type RequestOf<R extends Route> = Present<SentOf<R>> & {
  readonly token?: string | undefined
  readonly form?: FormData
  readonly headers?: Readonly<Record<string, string>>
}

/** What came back: the envelope of one of the route's replies, with the status. */
export type ResultOf<R extends Route> =
  | (AnswersOf<R> extends infer A
      ? A extends Answer<infer K, infer T>
        ? { readonly kind: K; readonly status: number; readonly message: string; readonly data: T }
        : never
      : never)
  | ImpliedResult

/** Replies that the pipeline may give on any route. */
interface ImpliedResult {
  readonly kind: `bad${string}` | `error${string}`
  readonly status: number
  readonly message: string
  readonly data:
    | { readonly reason?: string; readonly timeLeft?: number; readonly maxSize?: number }
    | undefined
}

export interface ClientOptions {
  /** Without a trailing slash; `''` on the page's own origin. */
  readonly baseUrl: string
  readonly fetch?: typeof fetch
  /** Sees each answer before the caller does: test harnesses check shapes and count kinds here. */
  readonly onAnswer?: (route: Route, response: Response, body: unknown) => void
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

/** The address of a route with its parameters filled in, relative to the base URL. */
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
export function createClient({ baseUrl, fetch = globalThis.fetch, onAnswer }: ClientOptions): Client {
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
      onAnswer?.(route, response, text)
      return textResult(route, response, text) as never
    }
    const answer: unknown = await response.json()
    onAnswer?.(route, response, answer)
    if (route.unwrapped && response.ok)
      return { kind: 'unwrapped', status: 200, message: '', data: answer } as never
    return { data: undefined, ...(answer as object), status: response.status } as never
  }
}

function textResult({ replies }: Route, { ok, status }: Response, text: string) {
  const kind = replies.find((reply) => reply.status === status)?.kind ?? 'errorInternal'
  return { kind, status, message: ok ? '' : text, data: ok ? text : undefined }
}
