/** One page in one state, as the mock shows it. */
export interface Scene {
  /** Also the name of its picture's file. */
  readonly name: string
  readonly path: string
  /** Switches of the mock. */
  readonly mock: string
}

const PHASES = ['before', 'running', 'ended', 'archived'] as const
const PLAYERS = ['visitor', 'player', 'banned'] as const

const CONSENT = 'client_id=client-1&redirect_uri=https://wiki.harbour.example/signed-in&state=x'

const ACCOUNT = [
  '/register',
  '/login',
  '/recover',
  '/verify',
  '/verify?token=mail-register',
  `/external-auth/authorize?${CONSENT}`,
  '/integrations/extrank/callback?code=bad&state=x',
  '/nowhere',
]

const CONTEST = [
  '/',
  '/challenges',
  '/challenges/guest-book',
  '/challenges/king-of-the-pier',
  '/scores',
  '/profile',
  '/profile/team-rival',
  '/settings',
]

/** More of the same pages: in the running contest alone. */
const CONTEST_VIEWS = [
  '/challenges/tide-table?tab=solves',
  '/challenges/none',
  '/scores?view=matrix',
  '/scores?q=anchors',
  '/profile/none',
]

const ORGANISERS = ['/admin', '/admin/challenges', '/admin/challenges/guest-book', '/admin/settings']

/** What does not look at the phase. */
const ORGANISERS_LISTS = [
  '/admin/challenges/new',
  '/admin/teams',
  '/admin/teams/team-1',
  '/admin/verifications',
  '/admin/submissions',
  '/admin/instances',
  '/admin/clients',
  '/admin/export',
]

const TROUBLED = [
  '/',
  '/challenges',
  '/challenges/guest-book',
  '/scores',
  '/profile',
  '/settings',
  '/admin',
  '/admin/challenges',
  '/admin/teams',
  '/admin/submissions',
]

const TRANSLATED = [
  '/',
  '/register',
  '/challenges',
  '/challenges/guest-book',
  '/scores',
  '/settings',
  '/admin',
  '/admin/challenges/guest-book',
  '/admin/teams',
]

export const themes = ['dark', 'light'] as const

export const widths = [360, 768, 1440] as const

function scene(path: string, mock: string): Scene {
  const [place = '', query = ''] = path.split('?')
  const words = `${place === '/' ? 'home' : place} ${query.slice(0, 20)} ${mock.replace(/phase|role/g, '')}`
  return { name: words.replace(/[^\w]+/g, '-').replace(/^-|-$/g, ''), path, mock }
}

const inPhases = (path: string, role: string) =>
  PHASES.map((phase) => scene(path, `phase:${phase},role:${role}`))

/** In the running contest, each path for each role that it knows. */
const running: readonly Scene[] = [
  ...ACCOUNT.map((path) => scene(path, 'phase:running,role:player')),
  ...[...CONTEST, ...CONTEST_VIEWS].flatMap((path) =>
    PLAYERS.map((role) => scene(path, `phase:running,role:${role}`)),
  ),
  ...[...ORGANISERS, ...ORGANISERS_LISTS].flatMap((path) =>
    ['organiser', 'reader', 'player'].map((role) => scene(path, `phase:running,role:${role}`)),
  ),
]

const elsewhen: readonly Scene[] = [
  ...ACCOUNT.map((path) => scene(path, 'phase:before,role:visitor')),
  ...CONTEST.flatMap((path) => PLAYERS.flatMap((role) => inPhases(path, role))),
  ...['/challenges', '/scores', ...ORGANISERS].flatMap((path) => inPhases(path, 'organiser')),
  ...['/', '/challenges', '/scores'].map((path) => scene(path, 'phase:opening,role:player')),
].filter(({ mock }) => !mock.includes('running'))

function ownRole(path: string): string {
  return path.startsWith('/admin') ? 'organiser' : 'player'
}

/** What fails or never comes is the page's own data; the strip tells the rest. */
function dataOf(path: string): string {
  if (path === '/') return '/config'
  if (path.startsWith('/admin')) return '/admin'
  if (path.startsWith('/scores')) return '/leaderboard'
  return path.startsWith('/challenges') ? '/challs' : '/users/me'
}

const troubled: readonly Scene[] = TROUBLED.flatMap((path) =>
  [`never:${dataOf(path)}`, `500:${dataOf(path)}`, 'offline', 'empty'].map((trouble) =>
    scene(path, `role:${ownRole(path)},${trouble}`),
  ),
)

/** In words that are longer, and from right to left. */
const translated: readonly Scene[] = TRANSLATED.flatMap((path) =>
  ['pseudo', 'pseudo,rtl'].map((how) => scene(path, `role:${ownRole(path)},${how}`)),
)

/** Every page in every state. */
export const allScenes: readonly Scene[] = [...running, ...elsewhen, ...troubled, ...translated]

/** Each page once, and the translated ones: for what a second width is to show. */
export const mainScenes: readonly Scene[] = [
  ...running.filter(({ path, mock }) => mock.endsWith(`role:${ownRole(path)}`)),
  ...translated,
]
