import { paths } from '../paths.ts'
import { readTab, writeTab } from '../state/storage.ts'

const KEY = 'pennant.ranking-site'
const STATE_BYTES = 16
/** Of a team there, and nothing more. */
const SCOPE = 'team:read'

/** Why somebody went to the ranking site, and where they go on afterwards. */
export type Purpose =
  | { readonly kind: 'signIn'; readonly next: string | null }
  /** To the team that is signed in. */
  | { readonly kind: 'link' }

interface RankingSite {
  readonly clientId: string
  readonly authorizeUrl: string
}

/** The address at the ranking site where a player gives consent. Its own parameters stay. */
export function consentAddress({ clientId, authorizeUrl }: RankingSite, state: string, origin: string) {
  const url = new URL(authorizeUrl)
  const sent = {
    response_type: 'code',
    scope: SCOPE,
    client_id: clientId,
    redirect_uri: origin + paths.rankingReturn(),
    state,
  }
  for (const [name, value] of Object.entries(sent)) url.searchParams.set(name, value)
  return url.href
}

/** Notes in this tab that it was this visitor who left, and leaves. */
export function leaveForRankingSite(site: RankingSite, purpose: Purpose): void {
  const state = randomText()
  writeTab(KEY, JSON.stringify({ state, purpose }))
  location.assign(consentAddress(site, state, location.origin))
}

/** Why the visitor had left, when `state` is what was sent along; null for every other return. */
export function purposeOf(state: string | null): Purpose | null {
  const noted = parsed(readTab(KEY))
  return noted !== null && state !== null && noted.state === state ? noted.purpose : null
}

/** A return counts once. */
export function forgetJourney(): void {
  writeTab(KEY, null)
}

function parsed(text: string | null): { readonly state: string; readonly purpose: Purpose } | null {
  // Only `leaveForRankingSite` writes there.
  return text === null ? null : (JSON.parse(text) as { state: string; purpose: Purpose })
}

function randomText(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(STATE_BYTES))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
