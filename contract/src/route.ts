import type { z } from 'zod'
import type { Permission } from './permissions.ts'

/** What one reply is: a kind has one status, one message and at most one shape of data per version. */
export interface ReplySpec<
  K extends string = string,
  D extends z.ZodType | undefined = z.ZodType | undefined,
> {
  readonly kind: K
  readonly status: number
  readonly message: string
  readonly data: D
}

/** A finished answer: a reply with its data. Only a reply makes one. */
export interface Answer<K extends string = string, T = unknown> {
  readonly reply: ReplySpec<K>
  readonly data: T
}

/** A reply is its specification and the function that fills it: `badFlag()`, `goodSolvesV1({ solves })`. */
export type Reply<
  K extends string = string,
  D extends z.ZodType | undefined = z.ZodType | undefined,
> = ReplySpec<K, D> &
  (D extends z.ZodType ? (data: z.input<D>) => Answer<K, z.input<D>> : () => Answer<K, undefined>)

/** Any reply, when its kind and data do not matter. */
export type AnyReply = ReplySpec

export type AnswerOf<R extends AnyReply> =
  R extends ReplySpec<infer K, infer D> ? Answer<K, D extends z.ZodType ? z.input<D> : undefined> : never

/** Declares a reply. `data` is the shape of the envelope's `data`; left out when the kind has none. */
export function reply<K extends string>(status: number, kind: K, message: string): Reply<K, undefined>
// oxlint-disable-next-line max-params -- the four columns of the contract's kind table
export function reply<K extends string, D extends z.ZodType>(
  status: number,
  kind: K,
  message: string,
  data: D,
): Reply<K, D>
export function reply(...[status, kind, message, data]: [number, string, string, z.ZodType?]) {
  const make = (value?: unknown): Answer => ({ reply: make as unknown as ReplySpec, data: value })
  return Object.assign(make, { status, kind, message, data })
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** `public` ignores a token but for a gate's bypass; `service` and `signature` are not team tokens. */
export type Auth = 'public' | 'optional' | 'required' | 'service' | 'signature'

export type CaptchaAction =
  | 'register'
  | 'recover'
  | 'setEmail'
  | 'avatarUpload'
  | 'instancerStart'
  | 'instancerExtend'
  | 'adminBotSubmit'

/** Names of the paging maxima, which the deployment's configuration sets. */
export type MaximumName = 'maxLimit' | 'maxOffset' | 'graphMaxTeams' | 'graphWithListLimit'

/** Names of the request body caps (contract, participant 1.5). */
export type BodyCap = 'json' | 'admin' | 'webhook' | 'upload' | 'jsonUpload' | 'avatar'

/** One endpoint as data. The router compiles it; clients and OpenAPI are derived from it. */
export interface Route {
  readonly method: Method
  /** With the version prefix; path parameters as `:name`. */
  readonly path: string
  /** One plain sentence for the API description. */
  readonly summary: string
  readonly auth: Auth
  /** All are needed. Only with `auth: 'required'`. */
  readonly perms?: readonly Permission[]
  /** Refuses banned teams with `badPerms` before any gate. */
  readonly notBanned?: boolean
  /** `badNotStarted` before the start, `badEnded` after the end, unless the token has the named bit. */
  readonly gate?: { readonly started: Permission; readonly beforeEnd?: Permission }
  readonly captcha?: { readonly action: CaptchaAction; readonly field: 'captchaCode' | 'legacyCaptchaCode' }
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  /** A JSON body. Without one the body is never read. */
  readonly body?: z.ZodType
  /** A multipart/form-data body, read by the handler. Its fields, for the API description. */
  readonly form?: z.ZodType
  readonly bodyCap?: BodyCap
  /** Upper bounds of query numbers that come from configuration. */
  readonly maxima?: { readonly [queryField: string]: MaximumName }
  /** Answers hold a credential: never cached. */
  readonly secret?: boolean
  /** The body is sent without the envelope. */
  readonly unwrapped?: boolean
  /**
   * Answers are no JSON: a 200 is its data as it stands, of this media type and good for so long; any other answer is
   * its message as plain text. Callers tell them apart by the status alone.
   */
  readonly text?: { readonly type: string; readonly maxAgeS: number }
  readonly replies: readonly AnyReply[]
}

/** Declares a route; keeps the literal types, so that handlers and clients are checked against it. */
export function route<const R extends Route>(spec: R): R {
  return spec
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined
type Sent<S> = S extends z.ZodType ? z.input<S> : undefined

export type ParamsOf<R extends Route> = Parsed<R['params']>
export type QueryOf<R extends Route> = Parsed<R['query']>
export type BodyOf<R extends Route> = Parsed<R['body']>
export type AnswersOf<R extends Route> = AnswerOf<R['replies'][number]>

/** What a caller of a route sends: the schemas' inputs. */
export interface SentOf<R extends Route> {
  readonly params: Sent<R['params']>
  readonly query: Sent<R['query']>
  readonly body: Sent<R['body']>
}
