import type { badBody, badRateLimit } from '@pennant/contract/replies.ts'
import type {
  ApiResponse,
  ApiResponseOf,
  ResponsesOf,
  BodyOf,
  ParamsOf,
  QueryOf,
  Route,
} from '@pennant/contract/route.ts'
import type { Scope } from '@pennant/contract/scopes.ts'
import type { IncomingHttpHeaders } from 'node:http'
import type { Acting } from '../lib/acting-person.ts'
import type { IncomingBody } from './request/body.ts'
import type { Foreign } from './response/foreign.ts'
import type { Joined } from './response/joined.ts'
import type { Live } from './response/live.ts'
import type { Prepared } from './response/prepared.ts'
import type { Streamed } from './response/streamed.ts'

/** The authenticated team, as far as the pipeline and the handlers need it. */
export interface Actor {
  readonly id: string
  readonly perms: number
  /** Permissions that the caller would have with a second factor. */
  readonly withheld?: number
  /** The session has a second factor, or began on the server's machine. */
  readonly isConfirmed?: boolean
  readonly banned: boolean
  /** The token was issued to another site. It has no permissions and cannot obtain other tokens of the team. */
  readonly isExternal: boolean
  /** Unix milliseconds. New tokens for this team are dated at least this. */
  readonly tokenIssuedAt: number
  /** Which person of the team it is; null for tokens of the team itself. */
  readonly person: PersonActor | null
  /** Absent for sessions, and for tokens of the team itself. */
  readonly apiToken?: ApiTokenActor
}

/** A token for a program: docs/reference/api-tokens.md */
export interface ApiTokenActor {
  readonly id: string
  readonly name: string
  readonly scopes: ReadonlySet<Scope>
}

/** What is stored of the caller with what was done. */
export function actingOf({ person, apiToken }: Actor): Acting {
  return {
    personId: person?.id ?? null,
    apiTokenId: apiToken?.id ?? null,
    apiTokenName: apiToken?.name ?? null,
  }
}

/** The authenticated person. */
export interface PersonActor {
  readonly id: string
  readonly name: string
  /** Null for a person in no team. */
  readonly teamId: string | null
  readonly isCaptain: boolean
  readonly sessionId: string
  /** How the person signed in. */
  readonly methods: readonly string[]
}

/** Whom a token stands for. Not both are null. */
export interface Caller {
  readonly team: Actor | null
  readonly person: PersonActor | null
}

/** Whether the caller may read and change what the team signs in with: the team itself, or its captain. */
export function ownsCredentials({ isExternal, person }: Actor): boolean {
  return !isExternal && (person?.isCaptain ?? true)
}

type PersonOf<R extends Route> = R['auth'] extends 'person' ? PersonActor : PersonActor | null

type ActorOf<R extends Route> = R['auth'] extends 'required' ? Actor : Actor | null

/** A request that has passed all checks of the pipeline. */
export interface Call<R extends Route> {
  readonly params: ParamsOf<R>
  readonly query: QueryOf<R>
  readonly body: BodyOf<R>
  readonly team: ActorOf<R>
  readonly person: PersonOf<R>
  /** Who asks, as far as it decides what the response shows: on public routes too. */
  readonly viewer: Actor | null
  /** The client's address as reported by trusted proxies; `unknown` if there is none. */
  readonly ip: string
  /** The verified signature in its canonical form. */
  readonly signature: R['auth'] extends 'signature' ? string : null
  /** The unread request, for handlers that read a form. */
  readonly incoming: IncomingBody
}

/** Refusals that the pipeline implies, and that handlers repeat if they know more than a schema or apply a limit. */
type RefusalOf<R extends Route> =
  | (R extends
      | Record<'params', object>
      | Record<'query', object>
      | Record<'body', object>
      | Record<'form', object>
      ? ApiResponseOf<typeof badBody>
      : never)
  | (R extends Record<'handlerLimits', object> ? ApiResponseOf<typeof badRateLimit> : never)

/** The result of a handler: one of the responses that the route declares, a prepared body, a file, or a live stream. */
export type Handled<R extends Route> =
  | ResponsesOf<R>
  | RefusalOf<R>
  | Prepared
  | Joined
  | Streamed
  | Live
  | Foreign

/** The parts of a signed request that are known before its body is read. */
export interface SignedHead {
  readonly headers: IncomingHttpHeaders
  readonly params: Readonly<Record<string, string>>
}

/** Verifies the signature of a body over its raw bytes while they arrive, before anything is parsed. */
export interface SignedBody {
  /** Adds the next bytes of the body. */
  update(bytes: Buffer): void
  /** Returns the signature in its canonical form, or null if it does not match. Constant time. */
  accept(): string | null
  /** False if no body can match. Such a body is hashed but not kept. */
  readonly canMatch: boolean
  /** The target accepts no pushes. Neither timing nor response may reveal that. */
  readonly isDecoy: boolean
}

/** Returns null if the headers alone are invalid, whatever the target is. */
export type ReadHead = (head: SignedHead) => SignedBody | null

/** What is known of a request before its body is read. The parameters are not checked yet. */
export interface CallHead {
  readonly params: Readonly<Record<string, string>>
  readonly team: Actor | null
  readonly ip: string
  /** The same object as in the call. */
  readonly incoming: IncomingBody
}

/** Takes a token of a limit whose key needs no body. Returns the refusal, or null. */
export type LimitHead = (head: CallHead) => Promise<ApiResponse | null> | null

export interface Endpoint {
  readonly route: Route
  readonly limitHead?: LimitHead
  /** Required for routes with `auth: 'signature'`. */
  readonly readHead?: ReadHead
  readonly handle: (call: Call<Route>) => Promise<Handled<Route>> | Handled<Route>
}

/** Binds a handler to a route. An undeclared reply or a missing field is a compile error. */
export function on<R extends Route>(
  route: R,
  handle: (call: Call<R>) => Promise<Handled<R>> | Handled<R>,
  limitHead?: LimitHead,
): Endpoint {
  return { route, handle: handle as unknown as Endpoint['handle'], ...(limitHead && { limitHead }) }
}

/** Binds a handler to a route with signed requests. */
export function onSigned<R extends Route & { readonly auth: 'signature' }>(
  route: R,
  readHead: ReadHead,
  handle: (call: Call<R>) => Promise<Handled<R>> | Handled<R>,
): Endpoint {
  return { ...on(route, handle), readHead }
}
