import { createClient, type RequestOf, type ResultOf } from '@pennant/contract/client.ts'
import type { Route } from '@pennant/contract/route.ts'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { learnServerTime } from '../state/clock.ts'
import { recordResponse, recordLoss, recordRefusal, markAvailable, roomToAsk } from '../state/connection.ts'
import { turnToAsk, type Turn } from '../state/opening.ts'
import { refuseToken, sessionToken } from '../state/session.ts'
import { isClosed } from '../state/visibility.ts'
import { takeEarly } from './early.ts'
import { RequestFailure } from './failure.ts'

/** docs/reference/site.md#request-timeouts */
const TIMEOUT_MS = 15_000

export interface SendOptions {
  readonly signal?: AbortSignal | undefined
  /** Send the session's token. Default: only where the route requires one. */
  readonly asTeam?: boolean
  /** Milliseconds; null for no timeout. */
  readonly timeoutMs?: number | null
  /** For reads that every browser makes at the start of the contest. Default: send immediately. */
  readonly turn?: Turn
}

type GoodData<A> = A extends { readonly kind: `good${string}`; readonly data: infer D } ? D : never

/**
 * Sends one request and returns any response of the API, discriminated by `kind`. Throws `RequestFailure` of
 * kind `network` if there is no response or if the response does not come from the API.
 */
export async function send<R extends Route>(
  route: R,
  request: RequestOf<R>,
  options: SendOptions = {},
): Promise<ResultOf<R>> {
  return (await exchange(route, { request, options })).result
}

interface Sent<R extends Route> {
  readonly request: RequestOf<R>
  readonly options: SendOptions
}

async function exchange<R extends Route>(route: R, { request, options }: Sent<R>) {
  const requestedAt = Date.now()
  const isPersonal = isClosed(route)
  const token = isPersonal || (options.asTeam ?? needsToken(route)) ? sessionToken() : null
  let response: Response | undefined
  const tracked: typeof fetch = async (input, init) => {
    // Early requests have no token, unless the route requires one.
    if (isPersonal) takeEarly(String(input))
    response = await fetchOnce(String(input), { ...init, signal: signalOf(options) })
    return response
  }
  try {
    const call = createClient({ baseUrl: '', fetch: tracked })
    const result = await call(route, { ...request, ...(token === null ? {} : { token }) })
    if (result.kind === 'badToken' && token !== null) refuseToken(token)
    const requestId = requestIdOf(response)
    return { result, retryAfterMs: result.data?.timeLeft ?? retryAfterMs(response), requestId }
  } catch (error) {
    if (options.signal?.aborted) throw error
    if (response === undefined) recordLoss()
    throw new RequestFailure({
      // A proxy that responds for the server sends HTML.
      kind: response === undefined ? 'network' : 'errorUnavailable',
      status: response?.status ?? 0,
      message: error instanceof Error ? error.message : '',
      retryAfterMs: retryAfterMs(response),
      requestedAt,
      requestId: requestIdOf(response),
    })
  }
}

/**
 * Like `send`, but returns the data of a successful response and throws `RequestFailure` for any other. For
 * queries.
 */
export async function requestData<R extends Route>(
  route: R,
  request: RequestOf<R>,
  options: SendOptions = {},
): Promise<GoodData<ResultOf<R>>> {
  await roomToAsk(options.signal)
  await turnToAsk(options.turn, options.signal)
  const requestedAt = Date.now()
  if (needsToken(route) && sessionToken() === null) throw refused(requestedAt)
  const {
    result,
    retryAfterMs: waitMs,
    requestId,
  } = await exchange(route, { request, options }).catch(recordFailure)
  if (isGood(result)) {
    markAvailable()
    return (result as { readonly data: GoodData<ResultOf<R>> }).data
  }
  const { kind, status, message, data } = result as RequestFailure
  const details = { kind, status, message, data, retryAfterMs: waitMs, requestedAt, requestId }
  throw recordFailure(new RequestFailure(details))
}

const needsToken = ({ auth }: Route) => auth === 'required' || auth === 'person'

/** Like `requestData`, for a file: the client makes a blob of it, which the reply does not declare. */
export function requestFile<R extends Route>(route: R, request: RequestOf<R>, options: SendOptions = {}) {
  return requestData(route, request, options) as Promise<unknown> as Promise<Blob>
}

/** Fails without a request: the server has refused it before. */
function refused(requestedAt: number): RequestFailure {
  return new RequestFailure({ kind: 'badToken', status: 401, message: '', requestedAt })
}

/** Rethrows the failure. If the server asked clients to back off, all reads of this tab wait. */
function recordFailure(error: unknown): never {
  if (error instanceof RequestFailure && (error.status === 429 || error.status === 503)) {
    recordRefusal(error.retryAfterMs)
  }
  throw error
}

/** Whether the request succeeded. */
export function isGood<A extends { readonly kind: string }>(
  result: A,
): result is Extract<A, { readonly kind: `good${string}` }> {
  return result.kind.startsWith('good') || result.kind === 'unwrapped'
}

function signalOf({ signal, timeoutMs = TIMEOUT_MS }: SendOptions): AbortSignal | null {
  const both = [signal, timeoutMs === null ? undefined : AbortSignal.timeout(timeoutMs)]
  return AbortSignal.any(both.filter((each) => each !== undefined))
}

async function fetchOnce(address: string, init: RequestInit): Promise<Response> {
  const early = init.method === 'GET' ? takeEarly(address) : undefined
  const sentAt = early?.at ?? Date.now()
  const response = await (early?.response ?? fetch(address, init))
  // The latency of an early request includes the time it waited here, so it is not used.
  if (!early) learnServerTime(response.headers, sentAt, Date.now())
  recordResponse()
  return response
}

const requestIdOf = (response: Response | undefined) => response?.headers.get('x-request-id') ?? null

function retryAfterMs(response: Response | undefined): number | null {
  const seconds = Number(response?.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * SECOND_MS : null
}
