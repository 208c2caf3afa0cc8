/** Every path of the site. No other file writes one by hand. */
export const paths = {
  home: () => '/',
  register: (next?: string) => withNext('/register', next),
  registration: (token: string) => `/registration#token=${encodeURIComponent(token)}`,
  signIn: (next?: string) => withNext('/login', next),
  recover: () => '/recover',
  verify: () => '/verify',
  join: (code?: string) => (code === undefined ? '/join' : `/join/${encodeURIComponent(code)}`),
  rankingReturn: () => '/integrations/extrank/callback',
  challenges: () => '/challenges',
  challenge: (id: string) => `/challenges/${encodeURIComponent(id)}`,
  scores: () => '/scores',
  team: (id: string) => `/profile/${encodeURIComponent(id)}`,
  ownTeam: () => '/profile',
  announcements: () => '/announcements',
  messages: () => '/messages',
  message: (id: string) => `/messages/${encodeURIComponent(id)}`,
  askAbout: (challenge: string) => `/messages?${new URLSearchParams({ challenge })}`,
  page: (slug: string) => `/pages/${encodeURIComponent(slug)}`,
  tracks: () => '/tracks',
  settings: () => '/settings',
  yourData: () => '/settings/data',
  status: () => '/status',
  statistics: () => '/statistics',
  adminStatistics: () => '/admin/statistics',
  live: () => '/live',
  ceremony: () => '/ceremony',
  dashboard: () => '/admin',
  adminChallenges: () => '/admin/challenges',
  newChallenge: () => '/admin/challenges/new',
  adminChallenge: (id: string) => `/admin/challenges/${encodeURIComponent(id)}`,
  adminTeams: () => '/admin/teams',
  adminTeam: (id: string) => `/admin/teams/${encodeURIComponent(id)}`,
  registrations: () => '/admin/registration',
  people: () => '/admin/people',
  verifications: () => '/admin/verifications',
  submissions: () => '/admin/submissions',
  submissionsOf: (challenge: string) =>
    `/admin/submissions?filter=${encodeURIComponent(`challenge:${encodeURIComponent(challenge)}`)}`,
  instances: () => '/admin/instances',
  adminAnnouncements: () => '/admin/announcements',
  adminMail: () => '/admin/mail',
  adminPages: () => '/admin/pages',
  adminPage: (id: string) => `/admin/pages/${encodeURIComponent(id)}`,
  adminMessages: () => '/admin/messages',
  adminMessage: (id: string) => `/admin/messages/${encodeURIComponent(id)}`,
  waves: () => '/admin/waves',
  personalData: () => '/admin/personal-data',
  eventSettings: () => '/admin/settings',
  clients: () => '/admin/clients',
  actions: () => '/admin/actions',
  actionsOf: (target: string) => `/admin/actions?target=${encodeURIComponent(target)}`,
  standingsExport: () => '/admin/export',
} as const

function withNext(path: string, next: string | undefined): string {
  return next === undefined ? path : `${path}?${new URLSearchParams({ next })}`
}

/**
 * The target of `?next=`: a path of this site, or home. Anything that a browser would resolve to another
 * origin (`//host`, `/\host`, a scheme) is refused.
 */
export function safeNext(next: string | null): string {
  if (next === null || !/^\/(?![/\\])/.test(next)) return paths.home()
  const base = 'https://site.invalid'
  if (!URL.canParse(next, base)) return paths.home()
  const url = new URL(next, base)
  return url.origin === base ? url.pathname + url.search + url.hash : paths.home()
}

/**
 * Parameters that follow typing and scrolling: their updates have low priority, so that input stays
 * responsive.
 */
const LATER = ['q', 'query', 'at', 'page', 'time']

/**
 * Navigation options for a control whose state is in the address: replaces the history entry, and
 * synchronously. As a router transition, a checkbox would show its old state until the page has rendered.
 */
export function inPlace(changes: object) {
  const flushSync = Object.keys(changes).some((name) => !LATER.includes(name))
  return { replace: true, preventScrollReset: true, flushSync }
}

/** The parameters with changed values; an empty value removes its parameter. */
export function withParams(old: URLSearchParams, changes: Readonly<Record<string, string>>): URLSearchParams {
  const next = new URLSearchParams(old)
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') next.delete(name)
    else next.set(name, value)
  }
  return next
}
