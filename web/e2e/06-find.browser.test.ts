import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { putChallenge, putFeed } from '../../server/test/contest-data.ts'
import { challengeRow, feedRow } from '../../server/test/contest-rows.ts'
import { putDynamic } from '../../server/test/pushes.ts'
import { openSite, type Site } from './harness.ts'

// State that the list keeps: docs/reference/site.md#challenges-page

const MANY = 30
const VERY_MANY = 410

test('the URL holds categories, state and order, and another browser shows the same', async () => {
  await using site = await openSite()
  await fill(site)
  const team = await site.contest.team('Sailors')
  const page = await site.visitor({ team })
  await page.goto('/challenges')
  await row(page, 'Anchor').waitFor()
  await page.getByText('All categories').click()
  const categories = page.getByRole('group', { name: 'Category' })
  await categories.getByRole('checkbox', { name: 'crypto' }).check()
  await categories.getByRole('checkbox', { name: 'pwn' }).check()
  await page.keyboard.press('Escape')
  await categories.waitFor({ state: 'hidden' })
  await row(page, 'Anchor').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByRole('combobox', { name: 'Sort' }).selectOption('Name')
  await expect.poll(() => namesIn(page)).toEqual(['Buoy', 'Capstan'])
  await expect.poll(() => new URL(page.url()).search).toBe('?show=open&cat=crypto&cat=pwn&sort=name')

  const other = await site.visitor()
  await other.goto(page.url())
  await expect.poll(() => namesIn(other)).toEqual(['Buoy', 'Capstan'])

  // A URL without options uses the last choice of this browser; a shared URL does not change that choice.
  await page.goto('/challenges')
  await expect.poll(() => new URL(page.url()).search).toBe('?show=open&cat=crypto&cat=pwn&sort=name')
  await other.goto('/challenges')
  await row(other, 'Anchor').waitFor()
  expect(new URL(other.url()).search).toBe('')
  expect(site.complaints).toEqual([])
})

test('folded groups, compact rows and list width are kept', async () => {
  await using site = await openSite()
  await fill(site)
  const page = await site.visitor({ viewport: { width: 1440, height: 800 } })
  await page.goto('/challenges')
  await page.getByRole('button', { name: 'web', exact: true }).click()
  await row(page, 'Anchor').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Compact' }).click()
  const divider = page.getByRole('separator', { name: 'List width' })
  await divider.focus()
  await divider.press('ArrowRight')
  expect(await divider.getAttribute('aria-valuenow')).toBe('352')
  await divider.press('End')
  await page.reload()
  await row(page, 'Buoy').waitFor()
  expect(await row(page, 'Anchor').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Compact' }).getAttribute('aria-pressed')).toBe('true')
  expect(await divider.getAttribute('aria-valuenow')).toBe('560')
  const edge = await divider.boundingBox()
  await divider.hover()
  await page.mouse.down()
  await page.mouse.move((edge?.x ?? 0) - 100, 300)
  await page.mouse.up()
  expect(Number(await divider.getAttribute('aria-valuenow'))).toBeLessThan(470)
  await divider.dblclick()
  expect(await divider.getAttribute('aria-valuenow')).toBe('336')
  // Search also finds challenges in folded groups.
  await page.getByRole('searchbox', { name: 'Search' }).fill('anch')
  await row(page, 'Anchor').waitFor()
  expect(site.complaints).toEqual([])
})

test('a released challenge is marked new and does not shift the page', async () => {
  await using site = await openSite()
  for (let at = 10; at < 10 + MANY; at += 1) await site.addChallenge(`c${at}`, { name: `Knot ${at}` })
  await putDynamic(site.contest, 'pier')
  const team = await site.contest.team('Sailors')
  await putFeed(site.contest.db, feedRow('pier', team.id, { points: 880, delta: 9 }))
  const page = await site.visitor({ team, viewport: { width: 1440, height: 800 } })
  await page.clock.install()
  await page.goto('/challenges?sort=name')
  await row(page, /up by 9/).waitFor()
  const read = row(page, 'Knot 35')
  await read.hover()
  // The frames in which the list follows the scrolling.
  await page.clock.runFor(1000)
  const before = await read.boundingBox()
  await site.addChallenge('abc', { name: 'Abacus' })
  await page.clock.runFor(20_000)
  const strip = page.getByRole('button', { name: '1 new challenge' })
  await strip.waitFor()
  expect(Math.abs(((await read.boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(2)
  await strip.click()
  await row(page, /Abacus.*new/).waitFor()
  await page.getByRole('region', { name: 'Newest' }).getByRole('link', { name: 'Abacus' }).waitFor()
  await page.getByRole('combobox', { name: 'Sort' }).selectOption('Newest')
  await expect.poll(async () => (await namesIn(page))[0]).toBe('Abacus')
  expect(site.complaints).toEqual([])
})

test('a very long list is virtualized, and the keyboard reaches every row', async () => {
  await using site = await openSite()
  const knots = Array.from({ length: VERY_MANY }, (_, at) => challengeRow(`k${at + 100}`))
  for (const knot of knots) await putChallenge(site.contest.db, knot)
  const page = await site.visitor({ viewport: { width: 1440, height: 800 } })
  await page.goto('/challenges?sort=name')
  await row(page, 'Challenge k100').waitFor()
  expect(await row(page, /k\d+/).count()).toBeLessThan(VERY_MANY / 2)
  // Wraps around to the last row.
  await page.keyboard.press('k')
  await page.getByRole('heading', { name: `Challenge k${VERY_MANY + 99}` }).waitFor()
  await expect
    .poll(() => row(page, `k${VERY_MANY + 99}`).evaluate((link) => link === document.activeElement))
    .toBe(true)
  expect(await row(page, 'Challenge k100').count()).toBe(0)
  // After scrolling away, the keys continue from the focused row.
  await page.getByRole('navigation', { name: 'Challenge list' }).hover()
  await page.mouse.wheel(0, -100_000)
  await row(page, 'Challenge k100').waitFor()
  await page.keyboard.press('k')
  await page.getByRole('heading', { name: `Challenge k${VERY_MANY + 98}` }).waitFor()
  expect(site.complaints).toEqual([])
})

async function fill(site: Site): Promise<void> {
  await site.addChallenge('anchor', { name: 'Anchor' })
  await site.addChallenge('buoy', { name: 'Buoy', category: 'crypto' })
  await site.addChallenge('capstan', { name: 'Capstan', category: 'pwn' })
}

function row(page: Page, name: string | RegExp) {
  return page.getByRole('navigation', { name: 'Challenge list' }).getByRole('link', { name })
}

function namesIn(page: Page): Promise<string[]> {
  const names = page.getByRole('navigation', { name: 'Challenge list' }).getByRole('link').locator('bdi')
  return names.allTextContents()
}
