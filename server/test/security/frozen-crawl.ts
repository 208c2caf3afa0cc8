import { getExtrankLeaderboard } from '@pennant/contract/extrank-export.ts'
import type { Route } from '@pennant/contract/route.ts'
import { openStream } from '@pennant/contract/stream.ts'
import type { Contest, Member } from '../harness.ts'
import { addressesOf, read, readRoutes, type Seeds } from './crawl.ts'

/** Every response that a caller can read, by address: status, headers and body. */
export type Crawl = ReadonlyMap<string, string>

/** Headers that differ between two responses with the same content. */
const OWN_HEADERS = new Set(['date', 'x-request-id', 'keep-alive'])

/** Others need permissions: organisers see the standings as they are, but the ranking site does not. */
export const participantRoutes = readRoutes.filter(
  (route) => (route.perms === undefined && route.auth !== 'service') || route === getExtrankLeaderboard,
)

export interface CrawlOptions {
  readonly seeds: Seeds
  readonly member?: Member | undefined
  /** Resumes the stream from here too. */
  readonly lastEventId?: string
  /** Collects the paths of the routes that returned something. */
  readonly readable?: Set<string>
}

/** Requests all addresses as the caller. */
export async function crawl(
  contest: Contest,
  { seeds, member, lastEventId, readable }: CrawlOptions,
): Promise<Crawl> {
  const pages = new Map<string, string>()
  for (const route of participantRoutes) {
    for (const address of addressesOf(route, seeds)) {
      // Searches are rate limited.
      contest.clock.advance(1000)
      const { status, headers, text } = await read(contest, route, { address, token: member?.token })
      if (status === 200) readable?.add(route.path)
      const shown = [...headers].filter(([name]) => !OWN_HEADERS.has(name))
      pages.set(address, masked(route, JSON.stringify([status, shown, text])))
    }
  }
  if (lastEventId !== undefined)
    pages.set('resumed', masked(openStream, await resumed(contest, member, lastEventId)))
  return pages
}

async function resumed({ url }: Contest, member: Member | undefined, lastEventId: string): Promise<string> {
  const authorization = member && { authorization: `Bearer ${member.token}` }
  const response = await fetch(url + openStream.path, {
    headers: { 'last-event-id': lastEventId, ...authorization },
  })
  // Those who answer messages hear that there are new ones.
  return (await response.text()).replaceAll(
    /event: message\nid: .*\ndata: \{"threadIds":\[\],"queue":true\}\n\n/g,
    '',
  )
}

/** Reads as an organiser what only organisers may read, so that caches have what others must not see. */
export async function crawlAsOrganiser(contest: Contest, seeds: Seeds, { token }: Member): Promise<number> {
  const routes = readRoutes.filter(({ perms }) => perms !== undefined)
  for (const route of routes) {
    for (const address of addressesOf(route, seeds)) {
      contest.clock.advance(1000)
      await read(contest, route, { address, token })
    }
  }
  return routes.length
}

/** Hides the clock, tokens, which are random and change the length, and the state of the machine, which is busy at times. */
function masked({ path }: Route, text: string): string {
  if (!/\/(stream|status|users\/me|personal-data)$/.test(path)) return text
  return (
    text
      .replaceAll(/("(?:now|incidentsAt)\\?":)\d+/g, '$1now')
      // Sealed, with the same length: ids tell no one where they are.
      .replaceAll(/id: [\w+/=]{80,}/g, 'id: sealed')
      .replaceAll(/(\["content-length",)"\d+"/g, '$1""')
      .replaceAll(/(\["etag",)"(?:[^"\\]|\\.)*"/g, '$1""')
      .replaceAll(/(teamToken\\":\\")[^\\]+/g, '$1token')
      .replaceAll(/(exportedAt\\": \\")[^\\]+/g, '$1now')
      .replaceAll(/(state\\":\\")[^\\]+/g, '$1state')
  )
}

/** The addresses whose responses differ. */
export function differences(one: Crawl, other: Crawl): string[] {
  return [...one.keys()].filter((address) => one.get(address) !== other.get(address))
}
