import { allRoutes } from '@pennant/contract/all.ts'
import { addressOf } from '@pennant/contract/client.ts'
import type { Route } from '@pennant/contract/route.ts'

/** Every route that reads. New routes are crawled automatically. */
export const readRoutes: readonly Route[] = allRoutes.filter(({ method }) => method === 'GET')

/** Names of a route's path parameters. */
export function paramNames({ path }: Route): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
}

/** The route's URL with one id for each parameter, and a valid query. */
export function addressWith(route: Route, id: string, query: Readonly<Record<string, string>> = {}): string {
  const params = Object.fromEntries(paramNames(route).map((name) => [name, id]))
  return addressOf(route, { params, query: { ...usualQuery(route), ...query } })
}

/** All URLs of a route: each id in each parameter, and each filter of the query. */
export function addressesOf(route: Route, ids: readonly string[]): string[] {
  const used = paramNames(route).length === 0 ? [''] : ids
  const names = queryNames(route)
  const filters = [
    ...(names.includes('challenge') ? ids.map((id) => ({ challenge: id })) : []),
    ...(names.includes('search') ? [{ search: 'zq' }] : []),
    ...(names.includes('challengeSearch') ? [{ challengeSearch: 'zq' }] : []),
  ]
  return used.flatMap((id) => [
    addressWith(route, id),
    ...filters.map((filter) => addressWith(route, id, filter)),
  ])
}

/** Keys of the query's schema. */
export function queryNames({ query }: Route): string[] {
  return Object.keys((query as { shape?: object } | undefined)?.shape ?? {})
}

function usualQuery(route: Route): Record<string, string> {
  const usual: Readonly<Record<string, string>> = {
    limit: '10',
    offset: '0',
    token: 'none',
    min: '100',
    max: '500',
  }
  return Object.fromEntries(queryNames(route).flatMap((name) => (usual[name] ? [[name, usual[name]]] : [])))
}
