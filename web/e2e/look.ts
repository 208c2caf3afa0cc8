import type { Browser, BrowserContext, Page } from 'playwright-core'
import { usualNow } from '../mock/scenario.ts'
import { inPage } from './browser.ts'
import { quietFor } from './quiet.ts'
import type { Scene } from './scenes.ts'

interface StillOptions {
  readonly url: string
  readonly width: number
  readonly theme: 'dark' | 'light'
}

const HEIGHTS: Readonly<Record<number, number>> = { 360: 740, 768: 1000, 1440: 900 }
/** Maximum time for a page of the mock to settle. */
const REST_MS = 5_000
const QUIET_MS = 200

/** A browser context with a frozen clock and no animations, so that screenshots are reproducible. */
export async function stillContext(
  browser: Browser,
  { url, width, theme }: StillOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height: HEIGHTS[width] ?? 900 },
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    hasTouch: width < 768,
    isMobile: width < 768,
  })
  await context.clock.setFixedTime(usualNow)
  return context
}

const QUIET = quietFor({ quietMs: QUIET_MS, limitMs: REST_MS })

/** Opens the scene and waits until it is rendered: there is a heading, and nothing changes any more. */
export async function openScene(page: Page, scene: Scene): Promise<void> {
  const [path = '', query = ''] = scene.path.split('?')
  await page.goto(`${path}?${query === '' ? '' : `${query}&`}mock=${scene.mock}`)
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached', timeout: REST_MS })
  await inPage(page, QUIET)
}
