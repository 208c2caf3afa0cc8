import { paths } from '../paths.ts'
import { readTab, writeTab } from '../state/storage.ts'

const KEY = 'pennant.ranking-site'
const STATE_BYTES = 16
/** Read access to the team at the ranking site, nothing else. */
const SCOPE = 'team:read'

/** Why a visitor went to the ranking site, and where they continue afterwards. */
export type Purpose =
  | { readonly kind: 'signIn'; readonly next: string | null }
  /** Link the team that is signed in. */
  | { readonly kind: 'link' }

interface RankingSite {
  readonly clientId: string
  readonly authorizeUrl: string
  /** Path that is registered at the ranking site; absent for the usual one. */
  readonly callbackPath?: string | undefined
}

/** The ranking site's consent page. Its own query parameters are kept. */
export function consentAddress(site: RankingSite, state: string, origin: string) {
  const { clientId, authorizeUrl, callbackPath = paths.rankingReturn() } = site
  const url = new URL(authorizeUrl)
  const sent = {
    response_type: 'code',
    scope: SCOPE,
    client_id: clientId,
    redirect_uri: origin + callbackPath,
    state,
  }
  for (const [name, value] of Object.entries(sent)) url.searchParams.set(name, value)
  return url.href
}

/** Records in this tab that this visitor started the flow, then navigates to the ranking site. */
export function leaveForRankingSite(site: RankingSite, purpose: Purpose): void {
  const state = randomText()
  writeTab(KEY, JSON.stringify({ state, purpose }))
  location.assign(consentAddress(site, state, location.origin))
}

/** Why the visitor left, if `state` matches the value that was sent; null for any other return. */
export function purposeOf(state: string | null): Purpose | null {
  const noted = parsed(readTab(KEY))
  return noted !== null && state !== null && noted.state === state ? noted.purpose : null
}

/** A return is accepted only once. */
export function forgetJourney(): void {
  writeTab(KEY, null)
}

function parsed(text: string | null): { readonly state: string; readonly purpose: Purpose } | null {
  // Only `leaveForRankingSite` writes this key.
  return text === null ? null : (JSON.parse(text) as { state: string; purpose: Purpose })
}

function randomText(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(STATE_BYTES))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
