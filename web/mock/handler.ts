import type { ResponsesOf, BodyOf, ParamsOf, QueryOf, Route } from '@pennant/contract/route.ts'
import type { MockTeam, World } from './world.ts'

/** The input of a handler: the parts of the request, parsed by the route's schemas. */
export interface MockCall<R extends Route> {
  readonly world: World
  /** Never null if the route requires a token. */
  readonly team: MockTeam | null
  readonly params: ParamsOf<R>
  readonly query: QueryOf<R>
  readonly body: BodyOf<R>
  /** The form of a route that accepts one, if it was sent. */
  readonly form: FormData | null
}

export interface MockEndpoint {
  readonly route: Route
  readonly handle: (call: MockCall<Route>) => ResponsesOf<Route>
}

/** Binds a route to its handler, which can only return responses that the route declares. */
export function on<R extends Route>(route: R, handle: (call: MockCall<R>) => ResponsesOf<R>): MockEndpoint {
  return { route, handle: handle as unknown as MockEndpoint['handle'] }
}
