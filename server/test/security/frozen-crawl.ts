import { getExtrankLeaderboard } from '@pennant/contract/extrank-export.ts'
import type { Route } from '@pennant/contract/route.ts'
import { openStream } from '@pennant/contract/stream.ts'
import type { Contest, Member } from '../harness.ts'
import { addressesOf, read, readRoutes, type Seeds } from './crawl.ts'

/** Every response that a caller can read, by address: status, headers that depend on the content, and body. */
export type Crawl = ReadonlyMap<string, string>

const HEADERS = ['etag', 'content-length', 'cache-control', 'last-modified', 'location'] as const

/** Others need permissions: organisers see the standings as they are, but the ranking site does not. */
const participantRoutes = readRoutes.filter(
  (route) => (route.perms === undefined && route.auth !== 'service') || route === getExtrankLeaderboard,
)

/** Requests all addresses as the caller, and the stream from a position too. */
export async function crawl(
  contest: Contest,
  { seeds, member, lastEventId }: { seeds: Seeds; member?: Member | undefined; lastEventId?: string },
): Promise<Crawl> {
  const pages = new Map<string, string>()
  for (const route of participantRoutes) {
    for (const address of addressesOf(route, seeds)) {
      // Searches are rate limited.
      contest.clock.advance(1000)
      const { status, headers, text } = await read(contest, route, { address, token: member?.token })
      const shown = HEADERS.map((name) => headers.get(name))
      pages.set(address, masked(route, JSON.stringify([status, ...shown, text])))
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
  return await response.text()
}

/** Hides the clock, tokens, which are random, and the headers of responses that contain one of them. */
function masked({ path }: Route, text: string): string {
  if (!/\/(stream|status|users\/me)$/.test(path)) return text
  return text
    .replaceAll(/("now\\?":)\d+/g, '$1now')
    .replaceAll(/(teamToken\\":\\")[^\\]+/g, '$1token')
    .replace(/^\[(\d+),.*?"(?=[{e])/, '[$1,"')
}

/** The addresses whose responses differ. */
export function differences(one: Crawl, other: Crawl): string[] {
  return [...one.keys()].filter((address) => one.get(address) !== other.get(address))
}
