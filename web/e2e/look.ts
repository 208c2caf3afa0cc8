import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { inPage, sharedBrowser } from './browser.ts'
import { PATIENCE_MS } from './harness.ts'
import { quietFor } from './quiet.ts'
import { sceneNow } from './scene-contest.ts'
import { followScenes, openSceneSite, type SceneSite } from './scene-site.ts'
import type { Scene } from './scenes.ts'

interface StillOptions {
  readonly url: string
  readonly width: number
  readonly theme: 'dark' | 'light'
}

const HEIGHTS: Readonly<Record<number, number>> = { 360: 740, 768: 1000, 1440: 900 }
/** Maximum time for a page to settle after its heading. */
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
  await context.clock.setFixedTime(sceneNow)
  await followScenes(context)
  return context
}

const PLACEHOLDER = '[class*="_skeleton_"]'
const QUIET = quietFor({ quietMs: QUIET_MS, limitMs: REST_MS })

/** Scenes in which something stays a placeholder, or an error. */
const INCOMPLETE = /never|500|offline/

/** The editor, whose parts load when they come into view. */
const LOADS_IN_VIEW = /^\/admin\/challenges\//

/** Opens the scene and waits until it is rendered: there is a heading, no placeholder, and nothing changes any more. */
export async function openScene(site: SceneSite, page: Page, scene: Scene): Promise<void> {
  await page.goto(await site.prepare(page, scene))
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached', timeout: PATIENCE_MS })
  await inPage(page, QUIET)
  if (INCOMPLETE.test(scene.state) || LOADS_IN_VIEW.test(scene.path)) return
  await page.locator(PLACEHOLDER).first().waitFor({ state: 'detached', timeout: PATIENCE_MS })
  await inPage(page, QUIET)
}

/** The scenes for the tests of a file. `still` returns a context without animations, in the dark theme. */
export function shareScenes() {
  let site: SceneSite
  beforeAll(async () => {
    site = await openSceneSite()
  })
  afterAll(() => site?.[Symbol.asyncDispose]())
  return {
    open: (page: Page, scene: Scene) => openScene(site, page, scene),
    still: async (width: number): Promise<BrowserContext> =>
      stillContext(await sharedBrowser(), { url: site.url, width, theme: 'dark' }),
  }
}
