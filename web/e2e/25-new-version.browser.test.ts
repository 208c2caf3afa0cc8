import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openSite } from './harness.ts'
import { withoutStream } from './quiet.ts'

// A chunk of the site that no longer exists: docs/reference/site.md#states-of-every-page

/** Makes matching files return 404 until the page is reloaded. */
async function lose(page: Page, gone: RegExp) {
  let loads = 0
  let asked = 0
  page.on('domcontentloaded', () => {
    loads += 1
  })
  await withoutStream(page)
  await page.goto('/')
  // The frame loads before the page, whose chunk is not the missing one.
  await page.waitForLoadState('networkidle')
  await page.route(gone, (route) => {
    asked += 1
    return loads === 1 ? route.fulfill({ status: 404, body: '' }) : route.continue()
  })
  return () => ({ loads, asked })
}

test('a page whose chunk is gone after an update is reloaded once', async () => {
  await using site = await openSite()
  const page = await site.visitor()
  const counts = await lose(page, /\/assets\/page-scores.*\.js$/)
  await page.getByRole('link', { name: 'Scoreboard' }).first().click()
  // The same sentence is on the home page, which the first load shows.
  await page.getByRole('heading', { name: 'Scoreboard', level: 1 }).waitFor()
  await page.getByText('Nobody has scored yet.').waitFor()
  expect(counts().asked).toBeGreaterThan(1)
  expect(counts().loads).toBe(2)
  expect(site.complaints).toEqual([])
})

test('a page whose style sheet is gone after an update is reloaded once', async () => {
  await using site = await openSite()
  const page = await site.visitor({ team: await site.contest.team('Sailors') })
  const counts = await lose(page, /\/assets\/page-settings.*\.css$/)
  await page.getByRole('button', { name: 'Team menu for Sailors' }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await page.getByRole('textbox', { name: 'Team name' }).waitFor()
  expect(counts().asked).toBeGreaterThan(1)
  expect(counts().loads).toBe(2)
  expect(site.complaints).toEqual([])
})
