/** Every address inside the site. Nothing else writes one by hand. */
export const paths = {
  home: () => '/',
  register: (next?: string) => withNext('/register', next),
  signIn: (next?: string) => withNext('/login', next),
  recover: () => '/recover',
  verify: () => '/verify',
  challenges: () => '/challenges',
  challenge: (id: string) => `/challenges/${encodeURIComponent(id)}`,
  scores: () => '/scores',
  team: (id: string) => `/profile/${encodeURIComponent(id)}`,
  ownTeam: () => '/profile',
  settings: () => '/settings',
  dashboard: () => '/admin',
  adminTeams: () => '/admin/teams',
  adminTeam: (id: string) => `/admin/teams/${encodeURIComponent(id)}`,
  verifications: () => '/admin/verifications',
  submissions: () => '/admin/submissions',
  instances: () => '/admin/instances',
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
