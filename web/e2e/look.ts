import type { Browser, BrowserContext, Page } from 'playwright-core'
import { usualNow } from '../mock/scenario.ts'
import { inPage } from './browser.ts'
import type { Scene } from './scenes.ts'

interface Look {
  readonly url: string
  readonly width: number
  readonly theme: 'dark' | 'light'
}

const HEIGHTS: Readonly<Record<number, number>> = { 360: 740, 768: 1000, 1440: 900 }
/** Longest that a page of the mock may take to come to rest. */
const REST_MS = 5_000
const QUIET_MS = 200

/** A browser whose clock stands still and where nothing moves, so that the same page looks the same. */
export async function stillContext(browser: Browser, { url, width, theme }: Look): Promise<BrowserContext> {
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

/** Until nothing in the page has changed for a while; texts that come late come within it. */
const QUIET = `new Promise((resolve) => {
  const finish = () => { observer.disconnect(); clearTimeout(limit); resolve() }
  let timer = setTimeout(finish, ${QUIET_MS})
  const limit = setTimeout(finish, ${REST_MS})
  const observer = new MutationObserver(() => {
    clearTimeout(timer)
    timer = setTimeout(finish, ${QUIET_MS})
  })
  observer.observe(document, { attributes: true, characterData: true, childList: true, subtree: true })
})`

/** Opens the scene and waits until it is drawn: a heading is there, and nothing changes any more. */
export async function openScene(page: Page, scene: Scene): Promise<void> {
  const [path = '', query = ''] = scene.path.split('?')
  await page.goto(`${path}?${query === '' ? '' : `${query}&`}mock=${scene.mock}`)
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached', timeout: REST_MS })
  await inPage(page, QUIET)
}
