import { FIRST_INSTANT } from '@pennant/contract/instants.ts'
import { allRoutes } from '@pennant/contract/all.ts'
import { addressOf } from '@pennant/contract/client.ts'
import { AdminStatisticsTable } from '@pennant/contract/statistics.ts'
import type { Route } from '@pennant/contract/route.ts'
import type { Contest } from '../harness.ts'
import { feedKey } from '../fuzz/deployments.ts'
import { bodyIn, checkResponse } from '../strict.ts'

/** Every route that reads; new routes are included automatically. */
export const readRoutes = allRoutes.filter(({ method }) => method === 'GET')

/** What the crawler knows about a contest, to fill in paths and queries. */
export interface Seeds {
  readonly challengeIds: readonly string[]
  readonly teamIds: readonly string[]
  readonly otherIds?: readonly string[]
  /** For query parameters that expect a token. */
  readonly token: string
  /** Further values of query parameters, each requested with the basic query. */
  readonly values?: Readonly<Record<string, readonly string[]>>
}

/** The URLs of a route: every seed in the path, and the basic query alone and with each filter added. */
export function addressesOf(route: Route, seeds: Seeds): string[] {
  return paramsOf(route, seeds).flatMap((params) =>
    queriesOf(route, seeds).map((query) => addressOf(route, { params, query })),
  )
}

function paramsOf(
  { path }: Route,
  { challengeIds, teamIds, otherIds = [] }: Seeds,
): Record<string, string>[] {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
  if (names.length === 0) return [{}]
  if (names.includes('table')) return AdminStatisticsTable.options.map((table) => ({ table }))
  return [...challengeIds, ...teamIds, ...otherIds].map((id) =>
    Object.fromEntries(names.map((name) => [name, name === 'version' ? '1' : id])),
  )
}

function queriesOf({ query }: Route, { challengeIds, token, values = {} }: Seeds): Record<string, string>[] {
  const names = Object.keys((query as { shape?: object } | undefined)?.shape ?? {})
  const whole: Record<string, string> = {}
  if (names.includes('limit')) whole['limit'] = '10'
  if (names.includes('offset')) whole['offset'] = '0'
  if (names.includes('token')) whole['token'] = token
  if (names.includes('key')) whole['key'] = feedKey
  // Differs from the event's times, so the response does not wait for a change.
  if (names.includes('startTime'))
    Object.assign(whole, { startTime: String(FIRST_INSTANT), endTime: String(FIRST_INSTANT) })
  if (names.includes('min')) Object.assign(whole, { min: '100', max: '500' })
  const now = String(Number.MAX_SAFE_INTEGER)
  if (names.includes('time')) whole['time'] = now
  if (names.includes('from')) Object.assign(whole, { from: String(FIRST_INSTANT), until: now })
  const filters: Record<string, readonly string[]> = {
    challenge: challengeIds,
    division: ['open'],
    search: ['team'],
    challengeSearch: ['k3pt'],
    revision: ['r1'],
    with: ['trend'],
    sample: ['fine'],
    form: ['minimal', 'maximal'],
    ...values,
  }
  const filtered = names.flatMap((name) =>
    (filters[name] ?? []).map((value) => ({ ...whole, [name]: value })),
  )
  return [whole, ...filtered]
}

export interface Page {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Reads one response and checks it against the contract. */
export async function read(
  { url }: Contest,
  route: Route,
  request: { address: string; token?: string | undefined },
): Promise<Page> {
  const headers: Record<string, string> =
    request.token === undefined ? {} : { authorization: `Bearer ${request.token}` }
  const response = await fetch(url + request.address, { headers, redirect: 'manual' })
  const text = await response.text()
  checkResponse(route, response, bodyIn(route, response, text))
  return { status: response.status, headers: response.headers, text }
}
