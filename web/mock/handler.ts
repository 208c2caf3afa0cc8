import type { AnswersOf, BodyOf, ParamsOf, QueryOf, Route } from '@pennant/contract/route.ts'
import type { MockTeam, World } from './world.ts'

/** What a handler is given: the parts of the request, parsed by the route's own schemas. */
export interface MockCall<R extends Route> {
  readonly world: World
  /** Never null when the route requires a token. */
  readonly team: MockTeam | null
  readonly params: ParamsOf<R>
  readonly query: QueryOf<R>
  readonly body: BodyOf<R>
  /** Of a route that takes a form, when one came. */
  readonly form: FormData | null
}

export interface MockEndpoint {
  readonly route: Route
  readonly handle: (call: MockCall<Route>) => AnswersOf<Route>
}

/** Ties a route to its handler, which can only give replies that the route declares. */
export function answer<R extends Route>(route: R, handle: (call: MockCall<R>) => AnswersOf<R>): MockEndpoint {
  return { route, handle: handle as unknown as MockEndpoint['handle'] }
}
