import type { z } from 'zod'
import type { LimitName } from './limits.ts'
import type { Permission } from './permissions.ts'
import type { VisiblePart } from './visibility.ts'
import type { Scope } from './scopes.ts'

/** Describes a reply: a kind has one status, one message and at most one data shape per version. */
export interface ReplySpec<
  K extends string = string,
  D extends z.ZodType | undefined = z.ZodType | undefined,
> {
  readonly kind: K
  readonly status: number
  readonly message: string
  readonly data: D
}

/** A complete response: a reply with its data. Only a reply creates one. */
export interface ApiResponse<K extends string = string, T = unknown> {
  readonly reply: ReplySpec<K>
  readonly data: T
}

/** A reply is its declaration and the function that builds it: `badFlag()`, `goodSolvesV1({ solves })`. */
export type Reply<
  K extends string = string,
  D extends z.ZodType | undefined = z.ZodType | undefined,
> = ReplySpec<K, D> &
  (D extends z.ZodType ? (data: z.input<D>) => ApiResponse<K, z.input<D>> : () => ApiResponse<K, undefined>)

/** Any reply, where its kind and data do not matter. */
export type AnyReply = ReplySpec

export type ApiResponseOf<R extends AnyReply> =
  R extends ReplySpec<infer K, infer D> ? ApiResponse<K, D extends z.ZodType ? z.input<D> : undefined> : never

/** Declares a reply. `data` is the shape of the envelope's `data`; omitted when the kind has none. */
export function reply<K extends string>(status: number, kind: K, message: string): Reply<K, undefined>
// oxlint-disable-next-line max-params -- the four columns of the contract's kind table
export function reply<K extends string, D extends z.ZodType>(
  status: number,
  kind: K,
  message: string,
  data: D,
): Reply<K, D>
export function reply(...[status, kind, message, data]: [number, string, string, z.ZodType?]) {
  const make = (value?: unknown): ApiResponse => ({ reply: make as unknown as ReplySpec, data: value })
  return Object.assign(make, { status, kind, message, data })
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * With `public` a token only bypasses a gate and is otherwise ignored; `person` needs the session of a person, in a team or not;
 * `service` and `signature` are not team tokens.
 */
export type Auth = 'public' | 'optional' | 'required' | 'person' | 'service' | 'signature'

export type CaptchaAction =
  | 'register'
  | 'recover'
  | 'setEmail'
  | 'avatarUpload'
  | 'instancerStart'
  | 'instancerExtend'
  | 'adminBotSubmit'

/** Names of the paging limits, which the deployment configures. */
export type MaximumName = 'maxLimit' | 'maxOffset' | 'graphMaxTeams' | 'graphWithListLimit'

/**
 * Names of the request body limits (docs/reference/requests-and-responses.md#body-size-limits). `account` is
 * for routes that need no token: their bodies are a few short fields.
 */
export type BodyCap = 'json' | 'account' | 'admin' | 'webhook' | 'upload' | 'jsonUpload' | 'avatar'

/** An endpoint as data. The router compiles it; clients and OpenAPI are derived from it. */
export interface Route {
  readonly method: Method
  /** Includes the version prefix; path parameters are written `:name`. */
  readonly path: string
  /** A short plain sentence for the API description. */
  readonly summary: string
  readonly auth: Auth
  /** All are required. Only with `auth: 'required'`. */
  readonly perms?: readonly Permission[]
  /** These are enough instead of `perms`. */
  readonly orPerms?: readonly Permission[]
  /**
   * What an API token needs; null: no API token may use the route, nor one of another site (`badPerms`). `Scoped` demands it of
   * each route that uses the token of a team: docs/reference/api-tokens.md#scopes
   */
  readonly scope?: Scope | null
  /** Refuses tokens that another site obtained through external-auth, with `badPerms`. */
  readonly ownTokenOnly?: boolean
  /** The route changes how the team signs in: refuses as `ownTokenOnly`, and people who are not captain, with `badPerms`. */
  readonly captainOnly?: boolean
  /** Only with `auth: 'public'` and a gate: the token also decides which challenges exist for the caller. */
  readonly personal?: boolean
  /** Refuses banned teams with `badPerms`, before any gate. */
  readonly notBanned?: boolean
  /** `badNotStarted` before the start, `badEnded` after the end, unless the token has the named bit. */
  readonly gate?: { readonly started: Permission; readonly beforeEnd?: Permission }
  /** Refuses teams that have not accepted the pages that they must accept, except those of organisers. */
  readonly needsAcceptance?: boolean
  /**
   * Refuses callers that may not see one of these parts of the event, before the gate. Required for `GET` routes without
   * permissions; empty if it shows none.
   */
  readonly shows?: readonly VisiblePart[]
  /** The handler leaves out what the caller may not see of these. */
  readonly limitedTo?: readonly VisiblePart[]
  readonly captcha?: { readonly action: CaptchaAction; readonly field: 'captchaCode' | 'legacyCaptchaCode' }
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  /** A JSON body. Without it the body is never read. */
  readonly body?: z.ZodType
  /** The fields of a multipart/form-data body, which the handler reads; for the API description. */
  readonly form?: z.ZodType
  /** Of a form that is not multipart/form-data. */
  readonly formType?: 'application/x-www-form-urlencoded'
  readonly bodyCap?: BodyCap
  /** Upper bounds of numeric query values, from the configuration. */
  readonly maxima?: { readonly [queryField: string]: MaximumName }
  /** Responses contain a credential, so they are never cached. */
  readonly secret?: boolean
  /** The body of a 200 is sent without the envelope; with `errors`, also data that has an `error`, as OAuth wants it. */
  readonly unwrapped?: true | 'errors'
  /**
   * Responses are not JSON: a 200 is the raw data with this media type and cache lifetime, any other status
   * its message as plain text. Callers distinguish them by the status alone.
   */
  readonly text?: { readonly type: string; readonly maxAgeS: number }
  /** A 200 is a file of this media type, streamed; any other response has the envelope. */
  readonly file?: string
  /**
   * Rate limits of every request, which the pipeline applies after the token, the permissions and the gate were
   * checked and before the body is read. Only a route that is served from memory may have none.
   */
  readonly limits: readonly LimitName[]
  /** Rate limits that the handler applies, once it knows that the request does what they protect. */
  readonly handlerLimits?: readonly LimitName[]
  /**
   * In the public demo, where routes that write, export or serve workers are refused: true if this one is needed and safe,
   * false if this read is not.
   */
  readonly publicDemo?: boolean
  /** One of the routes that clients of other platforms rely on: docs/decisions/0018-extend-the-api-only-by-addition.md */
  readonly compatible?: true
  /** What the handler returns. `declared.ts` adds what the pipeline returns because of the other fields. */
  readonly replies: readonly AnyReply[]
}

/** A route that uses the token of a team has a scope, if only null. Other routes have none. */
type Scoped<R> = R extends
  | { readonly auth: 'required' | 'optional' | 'person' }
  | { readonly gate: object }
  | { readonly limitedTo: object }
  | { readonly shows: readonly [VisiblePart, ...VisiblePart[]] }
  ? { readonly scope: Scope | null }
  : { readonly scope?: never }

/** Declares a route; keeps the literal types, so that handlers and clients are type-checked against it. */
export function route<const R extends Route>(spec: R & Scoped<R>): R {
  return spec
}

/** A route for organisers: it needs the token of a team, and the limit of their calls applies. */
export function organiserRoute<
  const R extends Omit<Route, 'auth' | 'limits'> & { readonly scope: Scope | null },
>(spec: R) {
  return { auth: 'required', limits: ['organiserCalls'], ...spec } as const
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined
type Sent<S> = S extends z.ZodType ? z.input<S> : undefined

export type ParamsOf<R extends Route> = Parsed<R['params']>
export type QueryOf<R extends Route> = Parsed<R['query']>
export type BodyOf<R extends Route> = Parsed<R['body']>
export type ResponsesOf<R extends Route> = ApiResponseOf<R['replies'][number]>

/** What a caller of a route sends: the input types of the schemas. */
export interface SentOf<R extends Route> {
  readonly params: Sent<R['params']>
  readonly query: Sent<R['query']>
  readonly body: Sent<R['body']>
}
