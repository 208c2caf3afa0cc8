import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openSite } from './harness.ts'

// Section 2.3 of the site specification: a part of the site that no longer exists.

/** On the home page: what matches is gone until the page is loaded anew, however often it is asked for before. */
async function lose(page: Page, gone: RegExp) {
  let loads = 0
  let asked = 0
  page.on('domcontentloaded', () => {
    loads += 1
  })
  await page.goto('/')
  // The frame comes before the page below it, whose code is not what is lost here.
  await page.waitForLoadState('networkidle')
  await page.route(gone, (route) => {
    asked += 1
    return loads === 1 ? route.fulfill({ status: 404, body: '' }) : route.continue()
  })
  return () => ({ loads, asked })
}

test('a page whose code is gone since the last version is loaded anew, once', async () => {
  await using site = await openSite()
  const page = await site.visitor()
  const counts = await lose(page, /\/assets\/page-scores.*\.js$/)
  await page.getByRole('link', { name: 'Scoreboard' }).first().click()
  await page.getByText('Nobody has scored yet.').waitFor()
  expect(counts().asked).toBeGreaterThan(1)
  expect(counts().loads).toBe(2)
  expect(site.complaints).toEqual([])
})

test('a page whose style sheet is gone since the last version is loaded anew, once', async () => {
  await using site = await openSite()
  const page = await site.visitor({ team: await site.contest.team('Sailors') })
  const counts = await lose(page, /\/assets\/page-settings.*\.css$/)
  await page.getByRole('button', { name: 'Menu of Sailors' }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await page.getByRole('textbox', { name: 'Team name' }).waitFor()
  expect(counts().asked).toBeGreaterThan(1)
  expect(counts().loads).toBe(2)
  expect(site.complaints).toEqual([])
})
