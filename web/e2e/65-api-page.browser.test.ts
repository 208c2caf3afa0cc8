import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openSite } from './harness.ts'
import { violationsOf } from './violations.ts'

// docs/reference/site.md#the-page-of-the-api

/**
 * The viewer's own: its main landmark, tables that are regions, copy buttons inside the button that opens a route, long responses that
 * scroll.
 */
const OF_THE_VIEWER =
  /^(?:landmark-main-is-top-level|landmark-unique|nested-interactive|scrollable-region-focusable): /

async function ownViolations(page: Page): Promise<string[]> {
  const found = (await violationsOf(page)) as string[]
  return found.filter((violation) => !OF_THE_VIEWER.test(violation))
}

test('shows the routes within the policy of the site, in German, on a phone', async () => {
  await using site = await openSite()
  const page = await site.visitor({
    locale: 'de-DE',
    colorScheme: 'light',
    viewport: { width: 360, height: 740 },
  })
  await page.goto('/api-docs')
  await page.getByText('Standings and graphs.').waitFor()
  await page.getByRole('link', { name: 'Zurück zur Website' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('de')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  expect(await ownViolations(page)).toEqual([])
  // A violation of the policy is a complaint.
  expect(site.complaints).toEqual([])
})

test('opens a route with the keyboard and reads, but writes nothing', async () => {
  await using site = await openSite()
  await site.addChallenge('sample')
  const page = await site.visitor({
    locale: 'en-GB',
    colorScheme: 'dark',
    viewport: { width: 1440, height: 900 },
  })
  await page.goto('/api-docs/')
  await page.getByText('Standings and graphs.').waitFor()
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the routes')
  await page.locator('#operations-tag-challs button').focus()
  await page.keyboard.press('Enter')
  const list = page.locator('#operations-challs-getV2Challs')
  await list.locator('.opblock-summary-control').focus()
  await page.keyboard.press('Enter')
  await list.getByRole('button', { name: 'Try it out' }).focus()
  await page.keyboard.press('Enter')
  await list.getByRole('button', { name: 'Execute' }).focus()
  await page.keyboard.press('Enter')
  await list.locator('.live-responses-table').getByText('"goodChallenges"').waitFor()
  const submit = page.locator('#operations-challs-postV1ChallsByIdSubmit')
  await submit.locator('.opblock-summary-control').click()
  await submit.getByRole('heading', { name: 'Request body' }).waitFor()
  expect(await submit.getByRole('button', { name: 'Try it out' }).count()).toBe(0)
  expect(await ownViolations(page)).toEqual([])
  expect(site.complaints).toEqual([])
})
