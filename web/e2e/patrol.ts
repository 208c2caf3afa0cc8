import type { BrowserContextOptions, Locator, Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import type { Member } from '../../server/test/harness.ts'
import { inPage } from './browser.ts'
import type { Site } from './harness.ts'
import { hostileTexts } from './hostile-texts.ts'
import { quietFor } from './quiet.ts'

/** Maximum time for a page to settle. A page that follows a stream always has a request in flight. */
const SETTLE_MS = 1500
const QUIET_MS = 150
/** Shorter than the test timeout, so that the failure names what is missing. */
const PATIENCE_MS = 30_000
const EXCESS = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

/** Visits hostile pages and records what a text has triggered. */
export interface Patrol {
  readonly page: Page
  /** What a text has triggered, and where. Empty if the scenario passes. */
  readonly found: readonly string[]
  /** Opens a page and checks it. */
  visit(path: string): Promise<void>
  /** Checks the current page: no script ran, no foreign host was requested, nothing scrolls sideways. */
  check(where: string): Promise<void>
}

interface PatrolOptions extends BrowserContextOptions {
  readonly width: number
  readonly team?: Member
}

export async function startPatrol(site: Site, { width, ...options }: PatrolOptions): Promise<Patrol> {
  const page = await site.visitor({ ...options, viewport: { width, height: 800 } })
  const strays = watch(page, site)
  const inFlight = countRequests(page)
  const found: string[] = []
  let complaints = site.complaints.length
  const patrol: Patrol = {
    page,
    found,
    async visit(path) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
      await settle(page, inFlight)
      await patrol.check(path)
    },
    async check(where) {
      const sideways = Number(await inPage(page, EXCESS))
      if ((await inPage(page, 'globalThis.pennantRan')) !== undefined) found.push(`${where}: it ran`)
      if (sideways > 0) found.push(`${where}: ${sideways} px sideways`)
      const problems = [...strays.splice(0), ...site.complaints.slice(complaints)]
      found.push(...problems.map((each) => `${where}: ${each}`))
      complaints = site.complaints.length
    },
  }
  return patrol
}

/** Records requests to foreign hosts, and dialogs and windows that open. */
function watch(page: Page, { contest }: Site): string[] {
  const strays: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.origin !== contest.url && !['data:', 'blob:'].includes(url.protocol)) strays.push(request.url())
  })
  page.on('dialog', (dialog) => {
    strays.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  return strays
}

/** Returns the number of requests in flight. */
function countRequests(page: Page): () => number {
  const open = new Set<Request>()
  page.on('request', (request) => open.add(request))
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  return () => open.size
}

/** Resolves when no request is in flight and nothing has changed in the page for a moment. */
async function settle(page: Page, inFlight: () => number): Promise<void> {
  const deadline = Date.now() + SETTLE_MS
  do await inPage(page, QUIET)
  while (inFlight() > 0 && Date.now() < deadline)
}

const QUIET = quietFor({ quietMs: QUIET_MS, limitMs: SETTLE_MS })

/** Waits until every text is visible verbatim, so that none was parsed as an element. */
export async function expectShown(place: Locator, texts: readonly string[] = hostileTexts): Promise<void> {
  await expect.poll(() => notShown(place, texts), { timeout: PATIENCE_MS }).toEqual([])
}

export async function notShown(place: Locator, texts: readonly string[]): Promise<string[]> {
  const seen = await place.evaluateAll(textsIn)
  return texts.filter((text) => !seen.some((each) => each.includes(text)))
}

/** Runs in the page: visible text nodes and field values. */
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
