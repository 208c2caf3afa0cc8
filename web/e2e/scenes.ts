/** One page in one state of a real server. */
export interface Scene {
  /** Also the file name of its screenshot. */
  readonly name: string
  /** `:name` stands for a value of the contest, such as the id of a team. */
  readonly path: string
  /** Phase, role and faults: see `parseState` in `scene-site.ts`. */
  readonly state: string
}

const PHASES = ['before', 'live', 'ended', 'ended,archived'] as const
const PLAYERS = ['visitor', 'player', 'banned'] as const

const CONSENT = 'client_id=client-1&redirect_uri=https://wiki.harbour.example/signed-in&state=x'

const ACCOUNT = [
  '/register',
  '/login',
  '/recover',
  '/unsubscribe#token=none',
  '/verify',
  '/verify?token=:verify',
  `/external-auth/authorize?${CONSENT}`,
  '/external-auth/authorize?client_id=none',
  '/device',
  '/device?code=:device',
  '/device?code=BCDF-GHJK',
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
  '/profile/:rival',
  '/settings',
]

/** More views of the same pages, for the running contest only. */
const CONTEST_VIEWS = [
  '/challenges/salad?tab=solves',
  '/challenges/two-time-pad',
  '/challenges/message',
  '/challenges/number-station',
  '/challenges/none',
  '/challenges/guest-book?tab=source',
  '/challenges/king-of-the-pier?tab=scores',
  '/announcements',
  '/pages/rules',
  '/messages',
  '/scores?view=matrix',
  '/scores?q=club',
  '/scores?compare=:player,:rival',
  '/profile/none',
  '/settings/data',
]

const ORGANISERS = ['/admin', '/admin/challenges', '/admin/challenges/guest-book', '/admin/settings']

/** Pages that do not depend on the phase. */
const ORGANISERS_LISTS = [
  '/admin/challenges/new',
  '/admin/challenges/two-time-pad?tab=hints',
  '/admin/challenges/guest-book?tab=scoring',
  '/admin/challenges/guest-book?tab=solves',
  '/admin/challenges/guest-book?tab=raw',
  '/admin/announcements',
  '/admin/pages',
  '/admin/pages/new',
  '/admin/messages',
  '/admin/mail',
  '/admin/waves',
  '/admin/teams',
  '/admin/teams/:rival',
  '/admin/registration?tab=fields',
  '/admin/verifications',
  '/admin/submissions',
  '/admin/instances',
  '/admin/settings?import',
  '/admin/personal-data',
  '/admin/clients',
  '/admin/actions',
  '/admin/export',
  '/admin/statistics',
]

const FAILING = [
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

/** Pages of the contest in which people sign in, by role. */
const PEOPLE: Readonly<Record<string, readonly string[]>> = {
  visitor: [
    '/register',
    '/registration#token=:pending',
    '/login',
    '/join/:join',
    '/sign-in/link#token=none',
    '/sign-in/return/school?code=x&state=x',
    '/pages/rules',
    '/profile/:team',
    '/external-auth/authorize?:openid',
  ],
  captain: [
    '/',
    '/profile',
    '/settings',
    '/settings/data',
    '/external-auth/authorize?:openid',
    '/device?code=BCDF-GHJK',
    '/challenges/anchor',
  ],
  teamless: ['/join', '/join/:join', '/settings', '/settings/data'],
  unconfirmed: ['/admin', '/settings'],
  owner: [
    '/settings',
    '/admin/registration',
    '/admin/registration?tab=codes',
    '/admin/registration?tab=import',
    '/admin/registration?tab=fields',
    '/admin/people',
    '/admin/teams',
    '/admin/teams/:team',
    '/admin/mail',
    '/admin/pages',
    '/admin/clients',
    '/admin/actions',
    '/admin/personal-data',
  ],
}

export const themes = ['dark', 'light'] as const

export const widths = [360, 768, 1440] as const

function scene(path: string, state: string): Scene {
  const [place = '', query = ''] = path.split('?')
  const words = `${place === '/' ? 'home' : place} ${query.slice(0, 20)} ${state.replace(/phase|role/g, '')}`
  return { name: words.replace(/[^\w]+/g, '-').replace(/^-|-$/g, ''), path, state }
}

const inPhases = (path: string, role: string) =>
  PHASES.map((phase) => scene(path, `phase:${phase},role:${role}`))

/** During the contest: each path for each role. */
const running: readonly Scene[] = [
  ...ACCOUNT.map((path) => scene(path, 'phase:live,role:player')),
  ...[...CONTEST, ...CONTEST_VIEWS].flatMap((path) =>
    PLAYERS.map((role) => scene(path, `phase:live,role:${role}`)),
  ),
  ...[...ORGANISERS, ...ORGANISERS_LISTS].flatMap((path) =>
    ['organiser', 'reader', 'player'].map((role) => scene(path, `phase:live,role:${role}`)),
  ),
]

/** Its layout is for large screens. */
const bigScreen = scene('/live', 'phase:live,role:visitor')

/** While the contest of people runs: each path for its roles. */
const ofPeople: readonly Scene[] = Object.entries(PEOPLE).flatMap(([role, paths]) =>
  paths.map((path) => scene(path, `people,role:${role}`)),
)

const elsewhen: readonly Scene[] = [
  ...ACCOUNT.map((path) => scene(path, 'phase:before,role:visitor')),
  ...CONTEST.flatMap((path) => PLAYERS.flatMap((role) => inPhases(path, role))),
  ...['/challenges', '/scores', ...ORGANISERS].flatMap((path) => inPhases(path, 'organiser')),
  ...['/', '/challenges', '/scores'].map((path) => scene(path, 'phase:opening,role:player')),
  scene('/statistics', 'phase:ended,role:visitor'),
].filter(({ state }) => !state.includes('live'))

function ownRole(path: string): string {
  return path.startsWith('/admin') ? 'organiser' : 'player'
}

/** The path of the page's own data, which fails or never arrives; the notice reports the rest. */
function dataOf(path: string): string {
  if (path === '/') return '/config'
  if (path.startsWith('/admin')) return '/admin'
  if (path.startsWith('/scores')) return '/leaderboard'
  return path.startsWith('/challenges') ? '/challs' : '/users/me'
}

const failing: readonly Scene[] = FAILING.flatMap((path) =>
  [`never:${dataOf(path)}`, `500:${dataOf(path)}`, 'offline', 'empty'].map((problem) =>
    scene(path, `role:${ownRole(path)},${problem}`),
  ),
)

/** With longer pseudo-translated texts, and right to left. */
const translated: readonly Scene[] = TRANSLATED.flatMap((path) =>
  ['pseudo', 'pseudo,rtl'].map((how) => scene(path, `role:${ownRole(path)},${how}`)),
)

/** The status page while parts do not work. */
const statuses: readonly Scene[] = ['role:visitor,empty', 'status:unknown', 'status:down', '500:/status'].map(
  (state) => scene('/status', state),
)

/** Every page in every state. */
export const allScenes: readonly Scene[] = [
  ...running,
  ...ofPeople,
  bigScreen,
  ...elsewhen,
  ...failing,
  ...statuses,
  ...translated,
]

/** Each page once, and the translated ones: enough for a second width. */
export const mainScenes: readonly Scene[] = [
  ...running.filter(({ path, state }) => state.endsWith(`role:${ownRole(path)}`)),
  ...ofPeople,
  ...translated,
]
