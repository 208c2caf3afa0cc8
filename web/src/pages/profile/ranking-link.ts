/**
 * URL of the team's page on the ranking site. Only the consent URL of that site is configured, which may be
 * on a different host than its pages.
 */
export function rankingTeamUrl(authorizeUrl: string, extrankId: string): string | null {
  if (!/^https?:\/\/./i.test(authorizeUrl)) return null
  const site = new URL(authorizeUrl)
  site.host = site.host.replace(/^oauth\./, '')
  return new URL(`/team/${encodeURIComponent(extrankId)}`, site).href
}
