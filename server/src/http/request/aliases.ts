import type { IncomingHttpHeaders } from 'node:http'
import {
  ALIAS_SIGNATURE_HEADERS,
  aliasFieldsOf,
  SIGNATURE_HEADERS,
  type AliasField,
} from '@pennant/contract/aliases.ts'
import type { Route } from '@pennant/contract/route.ts'
import { refuse } from './validate.ts'

type Renamed =
  | { readonly value: unknown; /** The aliases that the body had. */ readonly used: readonly string[] }
  | { readonly refused: ReturnType<typeof refuse> }

/** Returns what renames the top-level fields of a body, or null if the route has no aliases of fields. */
export function fieldRenamer(route: Route): ((body: unknown) => Renamed) | null {
  const fields = aliasFieldsOf(route)
  return fields.length > 0 ? (body) => renameFields(fields, body) : null
}

/** Choosing silently between two names could link the wrong team. */
function renameFields(fields: readonly AliasField[], body: unknown): Renamed {
  if (typeof body !== 'object' || body === null) return { value: body, used: [] }
  const used = fields.filter(({ alias }) => Object.hasOwn(body, alias))
  const twice = used.find(({ name }) => Object.hasOwn(body, name))
  if (twice) return { refused: refuse('body', twice.alias, 'is given under two names; send one') }
  if (used.length === 0) return { value: body, used: [] }
  const value: Record<string, unknown> = { ...body }
  for (const { alias, name } of used) {
    value[name] = value[alias]
    delete value[alias]
  }
  return { value, used: used.map(({ alias }) => alias) }
}

/**
 * The headers with the signature under our names. Null unless there is exactly one complete pair: with two, a proxy and the
 * server could check different ones.
 */
export function signatureHeaders(
  headers: IncomingHttpHeaders,
): { readonly headers: IncomingHttpHeaders; readonly isAlias: boolean } | null {
  const count = (names: readonly string[]) => names.filter((name) => headers[name] !== undefined).length
  const [own, family] = [count(SIGNATURE_HEADERS), count(ALIAS_SIGNATURE_HEADERS)]
  if (own + family !== 2 || own === 1) return null
  if (own === 2) return { headers, isAlias: false }
  const pairs = SIGNATURE_HEADERS.map((name, at) => [name, headers[ALIAS_SIGNATURE_HEADERS[at] ?? '']])
  return { headers: { ...headers, ...(Object.fromEntries(pairs) as IncomingHttpHeaders) }, isAlias: true }
}
