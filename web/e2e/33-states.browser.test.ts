import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { listen } from './browser.ts'
import { shareScenes } from './look.ts'

// What each page for players shows to signed-out visitors and banned teams, after the end, and in the
// archive: docs/reference/site.md#states-of-every-page

const CONSENT =
  '/external-auth/authorize?client_id=client-1&redirect_uri=https%3A%2F%2Fwiki.harbour.example%2Fsigned-in&state=x'
const RETURN = '/integrations/extrank/callback?code=bad&state=x'
const BANNED = 'Your team is banned and cannot submit flags.'
const OVER = 'The event is over. Flags are no longer accepted.'
const SHUT = 'This is an archive. Sign-in is disabled.'

/** One page in a state. Controls are given as `role name`; all except those of the notice are in the page itself. */
interface Sight {
  readonly path: string
  readonly strip?: string
  readonly says?: readonly string[]
  readonly has?: readonly string[]
  readonly lacks?: readonly string[]
  /** Link names and their targets. */
  readonly links?: Readonly<Record<string, string>>
}

const { still, open } = shareScenes()

/** A test starts a server and opens up to twenty pages. */
const LIMIT_MS = 300_000
/** Shorter than the test timeout, so that the failure names what is missing. */
const PATIENCE_MS = 15_000
const none: readonly string[] = []

const ACTIONS = ['textbox Flag', 'button Submit', 'button Start', 'button Send to bot']
const RIVAL = 'the quick brown fuzzers jump over the lazy sanitizer and keep on'
/** Public content during and after the contest. */
const READABLE: readonly Sight[] = [
  { path: '/challenges', has: ['searchbox Search', 'link King of the pier'] },
  { path: '/challenges/salad?tab=solves', has: ['tab Solves'] },
  { path: '/scores', has: ['table Standings', 'link Packet Pirates'] },
  { path: '/scores?view=matrix', has: ['link Packet Pirates'] },
  { path: '/profile/:rival', has: [`heading ${RIVAL}`], lacks: ['link Edit'] },
  { path: '/nowhere', says: ["This page does not exist, or you don't have access to it"] },
]
const all = (strip: string, sights: readonly Sight[]) => sights.map((sight) => ({ strip, ...sight }))

const teamsOnly = (path: string): Sight => ({
  path,
  says: ['Sign in to see this page.'],
  links: { 'Sign in': `/login?next=${encodeURIComponent(path)}` },
})
const shut = (path: string): Sight => ({ path, says: [SHUT], links: { Challenges: '/challenges' } })
const signedIn = (path: string): Sight => ({
  path,
  says: ['You are signed in as '],
  has: ['button Sign out'],
  links: { 'Go to your team': '/profile' },
})

const STATES: Readonly<Record<string, readonly Sight[]>> = {
  'phase:live,role:visitor': all('', [
    ...READABLE,
    { path: '/challenges', says: ['27 challenges · '], lacks: ['button Open', 'img 0 of '] },
    {
      path: '/',
      says: ['life vest. Ends in '],
      links: { Register: '/register', 'Sign in': '/login', 'Go to challenges': '/challenges' },
    },
    {
      path: '/challenges/guest-book',
      lacks: ACTIONS,
      links: {
        'Sign in to submit': '/login?next=%2Fchallenges%2Fguest-book',
        'Sign in to use this': '/login?next=%2Fchallenges%2Fguest-book',
      },
    },
    { path: '/challenges/king-of-the-pier', lacks: ACTIONS },
    { path: '/scores', lacks: ['button Jump to me'] },
    ...['/profile', '/settings', CONSENT].map(teamsOnly),
    { path: '/register', has: ['textbox Team name', 'button Register'] },
    { path: '/login', has: ['textbox Team token', 'button Sign in'] },
    { path: '/recover', has: ['textbox Email address', 'button Send link'] },
    { path: '/verify', says: ['Open this page with the link in your email.'] },
    { path: '/verify?token=:verify', has: ['button Create team'] },
    { path: RETURN, links: { 'Back to sign in': '/login' } },
  ]),
  'phase:live,role:player': all('', [
    { path: '/challenges', says: ['19 of 26 solved'], has: ['button Open', 'img 3 of 5 solved'] },
    { path: '/challenges/king-of-the-pier', says: ['Scored live'], lacks: ['textbox Flag'] },
    ...['/register', '/login', '/recover'].map(signedIn),
    { path: '/login?token=another', has: ['textbox Team token'] },
    { path: RETURN, links: { 'Go to your team': '/profile' } },
    { path: '/admin', says: ['This page is for organisers.'], links: { 'Go to your team': '/profile' } },
  ]),
  'phase:live,role:banned': all(`${BANNED} Contact the organisers.`, [
    ...READABLE,
    { path: '/', has: ['link Go to challenges'], lacks: ['link Register'] },
    { path: '/challenges/guest-book', says: [BANNED, 'Your team is banned.'], lacks: ACTIONS },
    { path: '/challenges/king-of-the-pier', lacks: ACTIONS },
    { path: '/scores', says: ['banned'], lacks: ['button Jump to me'] },
    { path: '/profile', says: ['Only visible to you: banned'], has: ['link Edit'] },
    { path: '/settings', has: ['textbox Team name', 'button Reveal'] },
    {
      path: CONSENT,
      says: ['Your team is banned and cannot sign in to other sites.'],
      has: ['button Cancel'],
    },
  ]),
  'phase:ended,role:player': [
    ...all(OVER, READABLE.slice(0, -1)),
    { path: '/challenges/guest-book', strip: OVER, says: [OVER], lacks: ['textbox Flag', 'button Submit'] },
    { path: '/scores', strip: OVER, has: ['button Jump to me'] },
    ...all('', [
      {
        path: '/',
        says: ['The event is over.', 'life vest. Ended '],
        links: { 'View final standings': '/scores' },
      },
      { path: '/profile', strip: OVER, has: ['link Edit'] },
      {
        path: '/settings',
        says: ['Divisions cannot be changed after the event.'],
        has: ['textbox Team name'],
      },
      { path: '/nowhere' },
    ]),
  ],
  'phase:ended,role:banned': all(`${BANNED} Contact the organisers.`, [
    { path: '/challenges/guest-book', says: [OVER, 'Your team is banned.'], lacks: ACTIONS },
  ]),
}

/** The same for every role: a stored token is ignored. */
const ARCHIVE = all('Archive of Harbour CTF', [
  ...READABLE,
  { path: '/', links: { 'View final standings': '/scores', 'Go to challenges': '/challenges' } },
  {
    path: '/challenges/guest-book',
    says: ['This is an archive. Flags are no longer accepted.'],
    lacks: ACTIONS,
  },
  ...['/register', '/login', '/recover', '/verify', '/verify?token=:verify'].map(shut),
  ...['/profile', '/settings', CONSENT, RETURN].map(shut),
])

test.each(Object.entries(STATES))(
  'each page shows the actions that are possible: %s',
  { timeout: LIMIT_MS },
  async (state, sights) => {
    await expectSights(state, sights)
  },
)

test.each(['visitor', 'player'])('the archive is read-only: %s', { timeout: LIMIT_MS }, async (role) => {
  await expectSights(`phase:ended,archived,role:${role}`, ARCHIVE, linksIn)
})

test.each([360, 768, 1440])("the viewer's row stays on screen below a notice, %i wide", async (width) => {
  const context = await still(width)
  const page = await context.newPage()
  await open(page, { name: '', path: '/scores', state: 'phase:ended,role:banned' })
  const own = page.getByRole('region', { name: 'Your team' })
  await own.getByText('banned', { exact: true }).waitFor()
  const isSeen = () =>
    own.evaluate((row) => {
      const { left, bottom } = row.getBoundingClientRect()
      return row.contains(document.elementFromPoint(left + 20, bottom - 4))
    })
  await expect.poll(isSeen).toBe(true)
  await context.close()
})

test('the list of challenges ends with the window below a notice, at the top and further down', async () => {
  const context = await still(1440)
  const page = await context.newPage()
  await page.setViewportSize({ width: 1440, height: 600 })
  await open(page, {
    name: '',
    path: '/challenges/welcome?tab=solves',
    state: 'phase:ended,role:player',
  })
  await page.getByRole('row').nth(20).waitFor()
  // The parent of the navigation is what scrolls.
  const list = page.getByRole('navigation', { name: 'Challenge list' }).locator('..')
  const bottom = () => list.evaluate((pane) => Math.round(pane.getBoundingClientRect().bottom))
  await expect.poll(bottom).toBe(600)
  await page.mouse.move(1000, 400)
  await page.mouse.wheel(0, 300)
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(300)
  await expect.poll(bottom).toBe(600)
  await context.close()
})

/** Opens each page and waits until it matches. */
async function expectSights(state: string, sights: readonly Sight[], more = async (_page: Page) => none) {
  const context = await still(1440)
  const page = await context.newPage()
  const complaints: string[] = []
  listen(page, complaints)
  for (const sight of sights) {
    await open(page, { name: '', path: sight.path, state })
    const faults = async () => [...(await faultsIn(page, sight)), ...(await more(page)), ...complaints]
    await expect.poll(faults, { message: sight.path, timeout: PATIENCE_MS }).toEqual([])
  }
  await context.close()
}

async function faultsIn(page: Page, sight: Sight): Promise<string[]> {
  const { strip = '', says = [], has = [], lacks = [], links = {} } = sight
  const main = page.getByRole('main')
  const text = await main.innerText()
  const count = (control: string) => {
    const [, role = '', name = ''] = /^(\w+) (.+)$/.exec(control) ?? []
    return main.getByRole(role as 'link', { name }).count()
  }
  const faults = says.filter((each) => !text.includes(each)).map((each) => `does not say ${each}`)
  const shown = await stripOf(page)
  if (shown !== strip) faults.push(`the strip says: ${shown}`)
  for (const control of has) if ((await count(control)) === 0) faults.push(`has no ${control}`)
  for (const control of lacks) if ((await count(control)) > 0) faults.push(`has ${control}`)
  for (const [name, href] of Object.entries(links)) {
    const at = await main.getByRole('link', { name, exact: true }).first().getAttribute('href')
    if (at !== href) faults.push(`${name} leads to ${at}`)
  }
  return faults
}

/** The notice between the header and the page. */
function stripOf(page: Page): Promise<string> {
  return page.evaluate(() => document.querySelector('main')?.previousElementSibling?.textContent ?? '')
}

/** Sign-in is disabled, and account pages show no forms. */
async function linksIn(page: Page): Promise<readonly string[]> {
  const links = await page.locator('a[href^="/login"], a[href^="/register"], a[href^="/settings"]').count()
  const said = await page.getByRole('main').getByText(SHUT).count()
  const controls = await page.getByRole('main').locator('input, textarea, select, button').count()
  return [
    ...(links > 0 ? [`${links} account links`] : []),
    ...(said > 0 && controls > 0 ? [`${controls} controls beside the sentence`] : []),
  ]
}
