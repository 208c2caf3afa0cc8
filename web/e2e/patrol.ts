import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Member } from '../../server/test/harness.ts'
import { inPage } from './browser.ts'
import type { Site } from './harness.ts'
import { foreignHost, hostileTexts } from './hostile-texts.ts'

/** A page that asks again and again never rests. */
const REST_MS = 1500
/** Less than a test may last, so that what is missing is told. */
const PATIENCE_MS = 30_000
const EXCESS = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

/** Somebody who goes through hostile pages and notes what a text has become. */
export interface Patrol {
  readonly page: Page
  /** What a text has done, and where. Empty in a good story. */
  readonly found: readonly string[]
  /** Opens a page and looks at it. */
  visit(path: string): Promise<void>
  /** Looks at the page as it stands: nothing ran, nobody else was asked, nothing scrolls sideways. */
  look(where: string): Promise<void>
}

interface PatrolOptions extends BrowserContextOptions {
  readonly width: number
  readonly team?: Member
}

export async function startPatrol(site: Site, { width, ...options }: PatrolOptions): Promise<Patrol> {
  const page = await site.visitor({ ...options, viewport: { width, height: 800 } })
  const strays = await watch(page, site)
  const found: string[] = []
  let complaints = site.complaints.length
  const patrol: Patrol = {
    page,
    found,
    async visit(path) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
      await page.waitForLoadState('networkidle', { timeout: REST_MS }).catch(() => {})
      await patrol.look(path)
    },
    async look(where) {
      const sideways = Number(await inPage(page, EXCESS))
      if ((await inPage(page, 'globalThis.pennantRan')) !== undefined) found.push(`${where}: it ran`)
      if (sideways > 0) found.push(`${where}: ${sideways} px sideways`)
      const trouble = [...strays.splice(0), ...site.complaints.slice(complaints)]
      found.push(...trouble.map((each) => `${where}: ${each}`))
      complaints = site.complaints.length
    },
  }
  return patrol
}

/** What the page asks of others, and what opens in front of it. */
async function watch(page: Page, { contest }: Site): Promise<string[]> {
  const strays: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.origin !== contest.url && !['data:', 'blob:'].includes(url.protocol)) strays.push(request.url())
  })
  page.on('dialog', (dialog) => {
    strays.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  // Nothing may leave the machine, also if a text succeeds.
  await page.route(`**://${foreignHost}/**`, (route) => route.abort())
  return strays
}

/** Waits until each text can be seen there, letter for letter: the place was reached, and no text is an element. */
export async function expectShown(place: Locator, texts: readonly string[] = hostileTexts): Promise<void> {
  await expect.poll(() => notShown(place, texts), { timeout: PATIENCE_MS }).toEqual([])
}

export async function notShown(place: Locator, texts: readonly string[]): Promise<string[]> {
  const seen = await place.evaluateAll(textsIn)
  return texts.filter((text) => !seen.some((each) => each.includes(text)))
}

/** In the page: each piece of text in sight, and what stands in fields. */
function textsIn(places: readonly Element[]): string[] {
  const seen: string[] = []
  for (const place of places) {
    const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentElement?.checkVisibility()) seen.push(node.nodeValue ?? '')
    }
    for (const field of place.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')) {
      if (field.checkVisibility()) seen.push(field.value)
    }
  }
  return seen
}
