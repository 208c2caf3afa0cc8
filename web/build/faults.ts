import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorInternal, errorUnavailable } from '../../contract/src/replies.ts'
import type { ApiResponse } from '../../contract/src/route.ts'
import type { Plugin } from 'vite'

const SLOW_MS = 3_000
const RETRY_AFTER_S = '5'

/** `lost` handles the request and drops the response; `never` is not answered. */
const KINDS = ['500', '503', 'offline', 'lost', 'never', 'slow'] as const

export interface Fault {
  readonly kind: (typeof KINDS)[number]
  /** Part of the path of the requests that fail. */
  readonly path: string
}

/** The cookie that holds the faults of a browser. */
export const FAULTS_COOKIE = 'faults'

/** Parses `500:/leaderboard,offline`. Throws on an unknown fault, so that a page never shows another state than the requested one. */
export function parseFaults(text: string): Fault[] {
  return text
    .split(',')
    .filter(Boolean)
    .map((word) => {
      const [name = '', ...path] = word.split(':')
      const kind = KINDS.find((each) => each === name)
      if (kind === undefined) throw new Error(`${name} is not one of ${KINDS.join(', ')}`)
      return { kind, path: path.join(':') || '/' }
    })
}

/** Passes a request of the API on, unless the browser's cookie asks for a fault. */
export async function withFaults(
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
): Promise<void> {
  const { url = '/' } = request
  const faults = /^\/(?:api|uploads)\//.test(url) ? parseFaults(cookieOf(request, FAULTS_COOKIE)) : []
  const kind = faults.find(({ path }) => url.includes(path))?.kind
  if (kind === 'never') return
  if (kind === 'offline') return void request.socket.destroy()
  if (kind === '500') return send(response, errorInternal())
  if (kind === '503') return send(response.setHeader('retry-after', RETRY_AFTER_S), errorUnavailable())
  if (kind === 'slow') await sleep(SLOW_MS)
  if (kind === 'lost') response.writeHead = () => response.destroy()
  next()
}

/** The value of a cookie, or an empty text. */
export function cookieOf({ headers }: IncomingMessage, name: string): string {
  return decodeURIComponent(new RegExp(`(?:^|; )${name}=([^;]*)`).exec(headers.cookie ?? '')?.[1] ?? '')
}

function send(response: ServerResponse, { reply }: ApiResponse): void {
  const { kind, status, message } = reply
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify({ kind, message }))
}

/** In the development server, `?faults=500:/leaderboard` on any page sets the faults of the browser session, and `?faults=` ends them. */
export function faultsPlugin(): Plugin {
  return {
    name: 'pennant-faults',
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const [path = '/', query = ''] = (request.url ?? '').split('?')
        const faults = new URLSearchParams(query).get('faults')
        if (faults === null) return void withFaults(request, response, next).catch(next)
        response.setHeader('set-cookie', `${FAULTS_COOKIE}=${encodeURIComponent(faults)}; Path=/`)
        response.writeHead(302, { location: path }).end()
      })
    },
  }
}
