import type { Page } from 'playwright-core'

/** One screenshot of the README. */
export interface View {
  /** File name in docs/pictures. */
  readonly name: string
  readonly path: string
  readonly theme?: 'dark' | 'light'
  readonly asOrganiser?: boolean
  /** Waits for the content that the screenshot is about. */
  readonly until: (page: Page) => Promise<unknown>
}

const link = (name: string | RegExp) => (page: Page) => page.getByRole('link', { name }).first().waitFor()
const heading = (name: string | RegExp) => (page: Page) =>
  page.getByRole('heading', { name }).first().waitFor()

export const views: readonly View[] = [
  { name: 'home', path: '/', until: heading(/Harbour CTF/) },
  { name: 'challenges', path: '/challenges', until: link(/Salad bar/) },
  { name: 'challenge', path: '/challenges/salad', until: heading('Salad bar') },
  { name: 'scoreboard', path: '/scores', until: (page) => page.locator('canvas').first().waitFor() },
  {
    name: 'scoreboard-light',
    path: '/scores',
    theme: 'light',
    until: (page) => page.locator('canvas').first().waitFor(),
  },
  { name: 'matrix', path: '/scores?view=matrix', until: (page) => page.locator('canvas').first().waitFor() },
  { name: 'team', path: '/profile', until: heading(/./) },
  { name: 'dashboard', path: '/admin', asOrganiser: true, until: heading('Dashboard') },
]
