import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { securityHeaders } from '../../server/src/features/site/security-headers.ts'
import { launch, listen } from './browser.ts'
import { serveFiles } from './file-server.ts'
import { openSite } from './harness.ts'

// Site specification 6: parts of stories 6 and 12 with the files behind a plain file server, as docs/operate/site.md has
// it: a path that is no file gets `index.html`, and `/api` and `/uploads` are passed on to Pennant.

const folder = fileURLToPath(new URL('../dist', import.meta.url))

async function blankPage(context: BrowserContext, complaints: string[]): Promise<Page> {
  const page = await context.newPage()
  listen(page, complaints)
  return page
}

test('the files alone are the site: a search, its address, a solve, and the board', async () => {
  await using site = await openSite()
  await site.addChallenge('lighthouse', { name: 'Lighthouse', description: 'Blinks *slowly*.' })
  await site.addChallenge('anchor', { name: 'Anchor' })
  const team = await site.contest.team('Sailors')
  await using host = await serveFiles({ folder, apiUrl: site.contest.url, headers: securityHeaders([]) })
  await using browser = await launch()
  const complaints: string[] = []
  const context = await browser.newContext({ baseURL: host.url })
  const page = await blankPage(context, complaints)

  await page.goto('/challenges')
  await page.getByRole('searchbox', { name: 'Search' }).fill('slowly')
  const list = page.getByRole('navigation', { name: 'List of challenges' })
  await list.getByRole('link', { name: /Anchor/ }).waitFor({ state: 'detached' })
  await list.getByRole('link', { name: /Lighthouse/ }).click()
  await page.getByRole('heading', { name: 'Lighthouse' }).waitFor()

  const other = await browser.newContext({ baseURL: host.url })
  await other.addInitScript((token) => localStorage.setItem('pennant.token', token), team.token)
  const second = await blankPage(other, complaints)
  // A path that only the site knows.
  await second.goto(page.url())
  const box = second.getByRole('textbox', { name: 'Flag' })
  await box.fill('flag{lighthouse}')
  await box.press('Enter')
  await second.getByText(/Correct\. .* First blood/).waitFor()

  await page.goto('/scores')
  const standings = page.getByRole('table', { name: 'Standings' })
  await standings.getByRole('link', { name: 'Sailors' }).waitFor()
  expect(await standings.getAttribute('aria-rowcount')).toBe('1')
  await page.goto('/scores?q=nobody')
  await expect.poll(() => standings.count()).toBe(0)
  expect(complaints).toEqual([])
})
