import { openStream } from '@pennant/contract/stream.ts'
import { launch, type Browser, type ElementHandle, type Page } from 'puppeteer-core'
import { expect, test } from 'vitest'
import type { Member } from '../../server/test/harness.ts'
import { announce, tour, type Tab } from './engine-tour.ts'
import { openSite, PATIENCE_MS, type Site } from './harness.ts'

const FIREFOX = process.env['FIREFOX'] ?? '/usr/bin/firefox-esr'
/** The preference that refuses cookies and all storage. */
const BLOCK_ALL = { 'network.cookie.cookieBehavior': 2 }

async function startFirefox(prefs: Readonly<Record<string, unknown>> = {}) {
  const browser = await launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    headless: true,
    extraPrefsFirefox: { 'intl.accept_languages': 'en', ...prefs },
  })
  return { browser, [Symbol.asyncDispose]: () => browser.close() }
}

interface Visit {
  readonly browser: Browser
  readonly site: Site
  readonly team?: Member | undefined
}

/** A tab of its own context, like another person's. It must not complain until it is closed. */
async function visitor({ browser, site, team }: Visit): Promise<Tab> {
  const context = await browser.createBrowserContext()
  const page: Page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${page.url()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error}`))
  if (team)
    await page.evaluateOnNewDocument((token) => {
      // The empty page before it has no storage.
      if (location.protocol === 'http:') localStorage.setItem('pennant.token', token)
    }, team.token)
  const open = async (path: string) => void (await page.goto(site.contest.url + path))
  const see = async (selector: string) => void (await page.locator(selector).wait())
  return {
    open,
    async openLive(path) {
      const stream = page.waitForResponse((response) => response.url().endsWith(openStream.path))
      await open(path)
      await stream
    },
    see,
    seeText: (text) => see(`::-p-text(${text})`),
    async enter(selector, text) {
      await page.locator(selector).fill(text)
      await page.keyboard.press('Enter')
    },
    async upload(selector, path) {
      const input = (await page.$(selector)) as ElementHandle<HTMLInputElement> | null
      await input?.uploadFile(path)
    },
    async close() {
      expect(complaints).toEqual([])
      await context.close()
    },
  }
}

// A minute alone on the machine: twenty pages without a cache.
const TOUR_MS = 300_000

test(
  'in Firefox, pages of three roles open, a flag is accepted, a file uploaded, news arrive',
  { timeout: TOUR_MS },
  async () => {
    await using site = await openSite()
    await using firefox = await startFirefox()
    await tour(site, (team) => visitor({ browser: firefox.browser, site, team }))
  },
)

test('in Firefox with blocked cookies, the site shows its pages and follows the stream', async () => {
  await using site = await openSite()
  await using firefox = await startFirefox(BLOCK_ALL)
  const reader = await visitor({ browser: firefox.browser, site })
  await reader.openLive('/scores')
  await reader.see('h1')
  await announce(site, await site.contest.admin(), 'Harbour closed')
  await reader.seeText('Harbour closed')
  await reader.close()
})
