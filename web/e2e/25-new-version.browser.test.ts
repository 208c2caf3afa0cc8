import { expect, test } from 'vitest'
import { openSite } from './harness.ts'

// Section 2.3 of the site specification: a part of the site that no longer exists.

test('a page whose code is gone since the last version is loaded anew, once', async () => {
  await using site = await openSite()
  const page = await site.visitor()
  let loads = 0
  page.on('domcontentloaded', () => {
    loads += 1
  })
  await page.goto('/')
  // The frame comes before the page below it, whose code is not what is lost here.
  await page.waitForLoadState('networkidle')
  let lost = 0
  await page.route(/\/assets\/page-scores.*\.js$/, (route) => {
    lost += 1
    // However often it is asked for, ahead and then in earnest: only the page loaded anew knows names that are there.
    return loads === 1 ? route.fulfill({ status: 404, body: '' }) : route.continue()
  })
  await page.getByRole('link', { name: 'Scoreboard' }).first().click()
  await page.getByText('Nobody has scored yet.').waitFor()
  expect(lost).toBeGreaterThan(1)
  expect(loads).toBe(2)
  expect(site.complaints).toEqual([])
})

test('a page whose style sheet is gone since the last version is loaded anew, once', async () => {
  await using site = await openSite()
  const page = await site.visitor({ team: await site.contest.team('Sailors') })
  let loads = 0
  page.on('domcontentloaded', () => {
    loads += 1
  })
  await page.goto('/')
  await page.waitForLoadState('networkidle')
  let lost = 0
  await page.route(/\/assets\/page-settings.*\.css$/, (route) => {
    lost += 1
    return loads === 1 ? route.fulfill({ status: 404, body: '' }) : route.continue()
  })
  await page.getByRole('button', { name: 'Menu of Sailors' }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await page.getByRole('textbox', { name: 'Team name' }).waitFor()
  expect(lost).toBeGreaterThan(1)
  expect(loads).toBe(2)
  expect(site.complaints).toEqual([])
})
