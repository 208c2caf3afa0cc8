import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { securityHeaders } from '../../server/src/features/site/files/security-headers.ts'
import { listen, sharedBrowser } from './browser.ts'
import { serveFiles } from './file-server.ts'
import { openSite } from './harness.ts'

// Parts of scenarios 6 and 12 with the built site behind a plain file server
// (docs/reference/site.md#static-hosting), set up as in docs/operate/site.md: unknown paths return
// `index.html`, and `/api` and `/uploads` are forwarded to Pennant.

const folder = fileURLToPath(new URL('../dist', import.meta.url))

async function blankPage(context: BrowserContext, complaints: string[]): Promise<Page> {
  const page = await context.newPage()
  listen(page, complaints)
  return page
}

test('a static host serves the site: search, URL, solve and scoreboard', async () => {
  await using site = await openSite()
  await site.addChallenge('lighthouse', { name: 'Lighthouse', description: 'Blinks *slowly*.' })
  await site.addChallenge('anchor', { name: 'Anchor' })
  const team = await site.contest.team('Sailors')
  await using host = await serveFiles({ folder, apiUrl: site.contest.url, headers: securityHeaders([]) })
  const browser = await sharedBrowser()
  const complaints: string[] = []
  await using context = await browser.newContext({ baseURL: host.url })
  const page = await blankPage(context, complaints)

  await page.goto('/challenges')
  await page.getByRole('searchbox', { name: 'Search' }).fill('slowly')
  const list = page.getByRole('navigation', { name: 'Challenge list' })
  await list.getByRole('link', { name: /Anchor/ }).waitFor({ state: 'detached' })
  await list.getByRole('link', { name: /Lighthouse/ }).click()
  await page.getByRole('heading', { name: 'Lighthouse' }).waitFor()

  await using other = await browser.newContext({ baseURL: host.url })
  await other.addInitScript((token) => localStorage.setItem('pennant.token', token), team.token)
  const second = await blankPage(other, complaints)
  // A client-side route.
  await second.goto(page.url())
  const box = second.getByRole('textbox', { name: 'Flag' })
  await box.fill('flag{lighthouse}')
  await box.press('Enter')
  await second
    .getByRole('status')
    .filter({ hasText: 'Correct.' })
    .filter({ hasText: 'First blood' })
    .waitFor()

  await page.goto('/scores')
  const standings = page.getByRole('table', { name: 'Standings' })
  await standings.getByRole('link', { name: 'Sailors' }).waitFor()
  expect(await standings.getAttribute('aria-rowcount')).toBe('1')
  await page.goto('/scores?q=nobody')
  await expect.poll(() => standings.count()).toBe(0)
  expect(complaints).toEqual([])
})
