import { createBrowserRouter, replace, type RouteObject } from 'react-router'
import { PageWaiting } from './layout/states/page-waiting.tsx'
import type { organiserPages } from './pages/organiser-pages.ts'
import { RouteError } from './layout/states/route-error.tsx'
import { Shell } from './layout/shell.tsx'
import type { rarePages } from './pages/rare-pages.ts'
import { paths } from './paths.ts'

// The site map. Each page is a folder, loaded when it is first opened; its `page.tsx` exports `Component`.

/** While a page loads, and when it fails. */
const states = { HydrateFallback: PageWaiting, ErrorBoundary: RouteError }

/** A page of running text, which has the footer. */
const prose = { prose: true } as const

/** Where pages are that few open is not part of what every player loads first. */
function rarePage(name: keyof typeof rarePages) {
  return async () => (await import('./pages/rare-pages.ts')).rarePages[name]()
}

const account: RouteObject[] = [
  { path: 'register', lazy: () => import('./pages/register/page.tsx'), handle: prose },
  { path: 'registration', lazy: rarePage('registration'), handle: prose },
  { path: 'login', lazy: () => import('./pages/sign-in/page.tsx'), handle: prose },
  { path: 'recover', lazy: rarePage('recover'), handle: prose },
  { path: 'unsubscribe', lazy: rarePage('unsubscribe'), handle: prose },
  { path: 'join/:code?', lazy: rarePage('join'), handle: prose },
  { path: 'sign-in/link', lazy: rarePage('signInLink'), handle: prose },
  { path: 'sign-in/return/:provider', lazy: rarePage('providerReturn'), handle: prose },
  { path: 'verify', lazy: () => import('./pages/verify/page.tsx'), handle: prose },
  { path: 'device', lazy: rarePage('device'), handle: prose },
  { path: 'external-auth/authorize', lazy: rarePage('consent'), handle: prose },
  // The second is the return address of rCTF, which may be the one that is registered.
  ...['integrations/extrank/callback', 'integrations/ctftime/callback'].map((path) => ({
    path,
    lazy: rarePage('rankingReturn'),
    handle: prose,
  })),
]

const loadChallenges = () => import('./pages/challenges/page.tsx')

/** For everyone, and below `admin` for organisers. */
const statistics: RouteObject = { path: 'statistics', lazy: () => import('./pages/statistics/page.tsx') }

/** Prefetches the page that everyone opens at the start, unless the browser saves data. */
export function prefetchAtStart(): void {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean } }
  // A failure happens again, and is shown, when the page is opened.
  if (!connection?.saveData) loadChallenges().catch(() => {})
}

const contest: RouteObject[] = [
  { index: true, lazy: () => import('./pages/home/page.tsx'), handle: { ...prose, part: 'home' } },
  {
    path: 'challenges/:id?',
    loader: ({ request }) => {
      const id = new URL(request.url).searchParams.get('challenge')
      return id === null ? null : replace(paths.challenge(id))
    },
    // Only the alias matters: filters change the address on every keystroke.
    shouldRevalidate: ({ nextUrl }) => nextUrl.searchParams.has('challenge'),
    lazy: loadChallenges,
    handle: { part: 'challenges' },
  },
  { path: 'scores', lazy: () => import('./pages/scores/page.tsx'), handle: { part: 'scoreboard' } },
  { path: 'scoreboard', loader: () => replace(paths.scores()) },
  {
    path: 'profile/:id?',
    lazy: () => import('./pages/profile/page.tsx'),
    handle: { part: 'profiles' },
  },
  { path: 'teams/:id', loader: ({ params }) => replace(paths.team(params['id'] ?? '')) },
  { path: 'announcements', lazy: () => import('./pages/announcements/page.tsx'), handle: prose },
  { path: 'messages/:id?', lazy: () => import('./pages/messages/page.tsx'), handle: prose },
  { path: 'pages/:slug', lazy: rarePage('text'), handle: prose },
  { path: 'tracks', lazy: rarePage('tracks'), handle: prose },
  { path: 'settings', lazy: () => import('./pages/settings/page.tsx') },
  { path: 'settings/data', lazy: rarePage('yourData'), handle: prose },
  { ...statistics, handle: { part: 'statistics' } },
  { path: 'status', lazy: () => import('./pages/status/page.tsx'), handle: prose },
]

/** As `rarePage`. */
function organiserPage(name: keyof typeof organiserPages) {
  return async () => (await import('./pages/organiser-pages.ts')).organiserPages[name]()
}

const organisers: RouteObject = {
  path: 'admin',
  lazy: () => import('./organisers/organiser-frame.tsx'),
  children: [
    {
      // Inside the organiser frame, so that the rail stays while a page loads or fails.
      ...states,
      children: [
        { index: true, lazy: organiserPage('dashboard') },
        { path: 'challenges/new', lazy: organiserPage('newChallenge') },
        { path: 'challenges/:id?', lazy: organiserPage('challenges') },
        { path: 'teams/:id?', lazy: organiserPage('teams') },
        { path: 'registration', lazy: organiserPage('registration') },
        { path: 'people', lazy: organiserPage('people') },
        { path: 'verifications', lazy: organiserPage('verifications') },
        { path: 'submissions', lazy: organiserPage('submissions') },
        { path: 'instances', lazy: organiserPage('instances') },
        { path: 'announcements', lazy: organiserPage('announcements') },
        { path: 'mail', lazy: organiserPage('mail') },
        { path: 'pages/:id?', lazy: organiserPage('pages') },
        { path: 'messages/:id?', lazy: organiserPage('messages') },
        { path: 'waves', lazy: organiserPage('waves') },
        { path: 'settings', lazy: organiserPage('settings') },
        { path: 'personal-data', lazy: organiserPage('personalData') },
        { path: 'clients', lazy: organiserPage('clients') },
        { path: 'actions', lazy: organiserPage('actions') },
        statistics,
        { path: 'export', lazy: organiserPage('export') },
      ],
    },
  ],
}

const notFound: RouteObject = { path: '*', lazy: rarePage('notFound'), handle: prose }

/** Pages without the frame, for projectors and streaming overlays. */
const screens: RouteObject = {
  ...states,
  children: [
    { path: 'live', lazy: () => import('./pages/live/page.tsx'), handle: { part: 'scoreboard' } },
    { path: 'ceremony', lazy: () => import('./pages/ceremony/page.tsx') },
  ],
}

export function createRouter() {
  return createBrowserRouter([
    screens,
    {
      Component: Shell,
      ErrorBoundary: RouteError,
      children: [{ ...states, children: [...contest, ...account, organisers, notFound] }],
    },
  ])
}
