import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Route } from '@pennant/contract/route.ts'
import type { Target } from './decide/router.ts'
import { bodyPool, isLive } from './response/send.ts'

/** The request of a client, in whose name the process makes further ones. */
export interface Outer {
  readonly raw: IncomingMessage
  readonly headers: IncomingHttpHeaders
}

/**
 * A `fetch` for routes of this process, which a request needs to do several things: with its sender, its token, and all checks
 * of each route. Addresses are paths.
 */
export type InnerFetch = (outer: Outer) => typeof fetch

/** Not of the inner request: it has a body of its own, and is read here. */
const OWN = [
  'content-length',
  'content-encoding',
  'content-type',
  'accept',
  'accept-encoding',
  'if-none-match',
]

export function createInnerFetch(targetOf: (method: string, url: string) => Target | null): InnerFetch {
  return (outer) => async (address, init) => {
    const target = targetOf(init?.method ?? 'GET', address as string)
    if (!target) throw new Error(`no route has the address ${address as string}`)
    const { to, url, params, query, known } = target
    const bytes = typeof init?.body === 'string' ? { bytes: Buffer.from(init.body) } : {}
    const headers = Object.fromEntries(Object.entries(outer.headers).filter(([name]) => !OWN.includes(name)))
    const outcome = await to.respond({
      route: to.route as Route,
      raw: outer.raw,
      headers,
      url,
      params,
      query,
      known,
      ...bytes,
    })
    if (!outcome || isLive(outcome) || (outcome.body !== null && !Buffer.isBuffer(outcome.body)))
      throw new Error(`${to.path} cannot be read within the process`)
    const { status, body, lease } = outcome
    const response = new Response(body === null ? null : new Uint8Array(body), { status })
    if (lease) bodyPool.release(lease)
    return response
  }
}
