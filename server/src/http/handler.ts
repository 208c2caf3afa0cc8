import type { AnswersOf, BodyOf, ParamsOf, QueryOf, Route } from '@pennant/contract/route.ts'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Prepared } from './prepared.ts'

/** Who calls: what the pipeline must know of a team to let it pass. */
export interface Actor {
  readonly id: string
  readonly perms: number
  readonly banned: boolean
}

type ActorOf<R extends Route> = R['auth'] extends 'required' ? Actor : Actor | null

/** One request, checked: everything before the handler's own decisions has passed. */
export interface Call<R extends Route> {
  readonly params: ParamsOf<R>
  readonly query: QueryOf<R>
  readonly body: BodyOf<R>
  readonly team: ActorOf<R>
  /** The client's address behind trusted proxies, `unknown` when there is none. */
  readonly ip: string
  /** What the request was accepted by, one text for all forms of the same signature. */
  readonly signature: R['auth'] extends 'signature' ? string : null
  /** For handlers that read a form or the raw bytes. */
  readonly raw: IncomingMessage
}

/** What a handler may give back: one of the route's answers, or bytes that were rendered before. */
export type Handled<R extends Route> = AnswersOf<R> | Prepared

/** All that a signed request tells before its body. */
export interface SignedHead {
  readonly headers: IncomingHttpHeaders
  readonly params: Readonly<Record<string, string>>
}

/** How the body of one signed request is checked: over its very bytes, before anything is parsed. */
export interface SignedBody {
  /** The signature in its one form, or null when the bytes were not signed with it. In constant time. */
  accept(bytes: Buffer): string | null
  /** Nothing will be accepted, and nobody is to learn that from the time or the answer. */
  readonly isDecoy: boolean
}

/** Null when the head alone refuses the request, whoever it is for. */
export type ReadHead = (head: SignedHead) => SignedBody | null

export interface Endpoint {
  readonly route: Route
  /** Of routes with `auth: 'signature'`. */
  readonly readHead?: ReadHead
  readonly handle: (call: Call<Route>) => Promise<Handled<Route>> | Handled<Route>
}

/** Ties a route to its handler; an undeclared kind or a missing field is a compile error. */
export function on<R extends Route>(
  route: R,
  handle: (call: Call<R>) => Promise<Handled<R>> | Handled<R>,
): Endpoint {
  return { route, handle: handle as unknown as Endpoint['handle'] }
}

/** The same for a route whose requests are signed. */
export function onSigned<R extends Route & { readonly auth: 'signature' }>(
  route: R,
  readHead: ReadHead,
  handle: (call: Call<R>) => Promise<Handled<R>> | Handled<R>,
): Endpoint {
  return { ...on(route, handle), readHead }
}
