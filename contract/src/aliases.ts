import { z } from 'zod'
import { login, registerV1, registerV2, recoverV1 } from './accounts.ts'
import { getExtrankLeaderboard } from './extrank-export.ts'
import { exchangeExtrankCode, removeExtrank, setExtrank } from './extrank.ts'
import type { AnyReply, ApiResponse, Route } from './route.ts'
import { setEmailV1 } from './teams.ts'

// Names of the rCTF family beside our own: docs/reference/requests-and-responses.md#names-of-rctf. The server renames at its
// edge, so no feature knows of them.

interface AliasPath {
  readonly path: string
  readonly route: Route
}

/** Paths of the API, each for one route. */
const aliasPaths: readonly AliasPath[] = [
  { path: '/api/v1/integrations/ctftime/leaderboard', route: getExtrankLeaderboard },
  { path: '/api/v1/integrations/ctftime/callback', route: exchangeExtrankCode },
  { path: '/api/v1/users/me/auth/ctftime', route: setExtrank },
  { path: '/api/v1/users/me/auth/ctftime', route: removeExtrank },
]

/** The return address that is registered at CTFtime; the site serves it beside its own. */
export const ALIAS_RETURN_PAGE = '/integrations/ctftime/callback'

/** Pages of the site that redirect. */
export const aliasPages: Readonly<Record<string, string>> = {
  '/challs': '/challenges',
  '/admin/challs': '/admin/challenges',
}

/** Links to files: `/uploads?key=…` redirects to the path of the key. */
export const ALIAS_FILES = '/uploads'

export interface AliasField {
  readonly alias: string
  readonly name: string
  readonly routes: readonly Route[]
}

/** Top-level fields of JSON bodies. */
const aliasFields: readonly AliasField[] = [
  { alias: 'ctftimeToken', name: 'extrankToken', routes: [registerV1, registerV2, login, setExtrank] },
  { alias: 'ctftimeCode', name: 'extrankCode', routes: [exchangeExtrankCode] },
  { alias: 'recaptchaCode', name: 'legacyCaptchaCode', routes: [registerV1, recoverV1, setEmailV1] },
]

/** Headers of a signed body. A request has one complete pair. */
export const SIGNATURE_HEADERS = ['x-svc-timestamp', 'x-svc-signature'] as const
export const ALIAS_SIGNATURE_HEADERS = ['x-rctf-timestamp', 'x-rctf-signature'] as const

/** Both of them, as metrics call them. */
export const ALIAS_HEADERS = 'X-RCTF-*'

export function aliasPathOf({ method, path }: Route): string | undefined {
  return aliasPaths.find(({ route }) => route.method === method && route.path === path)?.path
}

export function aliasFieldsOf({ method, path }: Route): readonly AliasField[] {
  return aliasFields.filter(({ routes }) =>
    routes.some((route) => route.method === method && route.path === path),
  )
}

/** Names of fields of responses, and in reasons. */
const NAMES: readonly (readonly [name: string, alias: string])[] = [
  ...aliasFields.map(({ name, alias }) => [name, alias] as const),
  ['extrankName', 'ctftimeName'],
  ['extrankId', 'ctftimeId'],
]

function aliasName(name: string): string {
  return NAMES.find(([own]) => own === name)?.[1] ?? name
}

/** `badExtrankToken` is `badCtftimeToken`. */
function aliasKind(kind: string): string {
  return kind.replace('Extrank', 'Ctftime').replace('LegacyCaptcha', 'Recaptcha')
}

function renamed<T>(values: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [aliasName(name), value]))
}

/** The response to a request that used an alias: the same with the names of the family. The reason names the caller's field. */
export function inAliases({ reply, data }: ApiResponse): ApiResponse {
  const named = { ...reply, kind: aliasKind(reply.kind) }
  if (typeof data !== 'object' || data === null) return { reply: named, data }
  const { reason, ...rest } = data as Readonly<Record<string, unknown>>
  if (typeof reason !== 'string') return { reply: named, data: renamed(rest) }
  const text = NAMES.reduce((shown, [name, alias]) => shown.replaceAll(name, alias), reason)
  return { reply: named, data: { ...rest, reason: text } }
}

/** The other paths of these routes, for the API description. */
export function aliasRoutesOf(routes: readonly Route[]): readonly Route[] {
  return aliasPaths
    .filter(({ route }) => routes.includes(route))
    .map(({ path, route }) => ({
      ...route,
      path,
      ...(route.body && { body: withAliases(route.body) }),
      replies: route.replies.map(aliasReply),
    }))
}

function aliasReply(reply: AnyReply): AnyReply {
  const kind = aliasKind(reply.kind)
  // The same object, so that both routes share its schema.
  if (kind === reply.kind) return reply
  return { ...reply, kind, data: reply.data && withAliases(reply.data) }
}

function withAliases(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodObject ? z.object(renamed(schema.shape as Record<string, z.ZodType>)) : schema
}
