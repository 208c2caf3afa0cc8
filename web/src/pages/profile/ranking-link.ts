/**
 * The team's page on the ranking site. The configuration knows that site by where it asks for consent, which may be a
 * host of its own beside the one with the pages.
 */
export function rankingTeamUrl(authorizeUrl: string, extrankId: string): string | null {
  if (!/^https?:\/\/./i.test(authorizeUrl)) return null
  const site = new URL(authorizeUrl)
  site.host = site.host.replace(/^oauth\./, '')
  return new URL(`/team/${encodeURIComponent(extrankId)}`, site).href
}
