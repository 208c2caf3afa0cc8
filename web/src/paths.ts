/** Every address inside the site. Nothing else writes one by hand. */
export const paths = {
  home: () => '/',
  register: (next?: string) => withNext('/register', next),
  signIn: (next?: string) => withNext('/login', next),
  recover: () => '/recover',
  verify: () => '/verify',
  rankingReturn: () => '/integrations/extrank/callback',
  challenges: () => '/challenges',
  challenge: (id: string) => `/challenges/${encodeURIComponent(id)}`,
  scores: () => '/scores',
  team: (id: string) => `/profile/${encodeURIComponent(id)}`,
  ownTeam: () => '/profile',
  settings: () => '/settings',
  dashboard: () => '/admin',
  adminChallenges: () => '/admin/challenges',
  newChallenge: () => '/admin/challenges/new',
  adminChallenge: (id: string) => `/admin/challenges/${encodeURIComponent(id)}`,
  adminTeams: () => '/admin/teams',
  adminTeam: (id: string) => `/admin/teams/${encodeURIComponent(id)}`,
  verifications: () => '/admin/verifications',
  submissions: () => '/admin/submissions',
  instances: () => '/admin/instances',
  eventSettings: () => '/admin/settings',
  clients: () => '/admin/clients',
  standingsExport: () => '/admin/export',
} as const

function withNext(path: string, next: string | undefined): string {
  return next === undefined ? path : `${path}?${new URLSearchParams({ next })}`
}

/**
 * Where `?next=` leads: a path of this site, or home. Anything that a browser would take to another origin (`//host`,
 * `/\host`, a scheme) is refused.
 */
export function safeNext(next: string | null): string {
  if (next === null || !/^\/(?![/\\])/.test(next)) return paths.home()
  const base = 'https://site.invalid'
  if (!URL.canParse(next, base)) return paths.home()
  const url = new URL(next, base)
  return url.origin === base ? url.pathname + url.search + url.hash : paths.home()
}

/** What follows typing and scrolling: the hand goes first. */
const LATER = ['q', 'query', 'at', 'page']

/**
 * How a control changes the address that holds its state: without a step of the history, and at once. As the router's
 * transition, a box that was ticked would show itself unticked until the page is drawn anew.
 */
export function inPlace(changes: object) {
  const flushSync = Object.keys(changes).some((name) => !LATER.includes(name))
  return { replace: true, preventScrollReset: true, flushSync }
}

/** The address with other values; an empty one takes its name out. */
export function withParams(old: URLSearchParams, changes: Readonly<Record<string, string>>): URLSearchParams {
  const next = new URLSearchParams(old)
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') next.delete(name)
    else next.set(name, value)
  }
  return next
}
