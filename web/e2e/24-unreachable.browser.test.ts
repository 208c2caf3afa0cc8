import { deleteTeam } from '@pennant/contract/admin-teams.ts'
import { openStream } from '@pennant/contract/stream.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { accepted, openSite } from './harness.ts'
import { openWithClock } from './moved-clock.ts'

const list = (page: Page) => page.getByRole('navigation', { name: 'Challenge list' })
const flagBox = (page: Page) => page.getByRole('textbox', { name: 'Flag' })
const strip = (page: Page) => page.getByText(/You are offline\. Not updated since \d/)
/** The console error of each request without a response. */
const besidesLosses = (complaints: readonly string[]) =>
  complaints.filter((text) => !text.includes('net::ERR_CONNECTION_REFUSED'))

test('challenges without a server for a minute: stale data, local work continues, everything recovers', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor' })
  await site.addChallenge('lighthouse', { name: 'Lighthouse' })
  const page = await site.visitor({ team: await site.contest.team('Sailors') })
  const time = await openWithClock(page, site, { path: '/challenges/anchor', shown: flagBox(page) })
  time.setUnreachable(true)
  await time.pass(45)
  await time.see(strip(page))
  await page.getByRole('searchbox', { name: 'Search' }).fill('house')
  await time.miss(list(page).getByRole('link', { name: /Anchor/ }))
  await time.see(list(page).getByRole('link', { name: /Lighthouse/ }))
  await page.getByRole('searchbox', { name: 'Search' }).fill('')
  await flagBox(page).fill('flag{anchor}')
  await flagBox(page).press('Enter')
  await time.see(page.getByText("We couldn't confirm that. Submit again."))
  await time.pass(15)
  expect(await flagBox(page).inputValue()).toBe('flag{anchor}')

  await site.addChallenge('compass', { name: 'Compass' })
  time.setUnreachable(false)
  await time.pass(35)
  await time.miss(strip(page))
  await time.see(list(page).getByRole('link', { name: /Compass/ }))
  await flagBox(page).press('Enter')
  await time.see(page.getByRole('status').filter({ hasText: 'Correct.' }))
  expect(besidesLosses(site.complaints)).toEqual([])
})

test('scoreboard without a server for a minute: standings stay and then update', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor' })
  const team = await site.contest.team('Sailors')
  const other = await site.visitor({ team })
  await other.goto('/challenges/anchor')
  await flagBox(other).fill('flag{anchor}')
  await flagBox(other).press('Enter')
  await other.getByRole('status').filter({ hasText: 'Correct.' }).waitFor()
  const page = await site.visitor()
  const row = page.getByRole('table', { name: 'Standings' }).getByRole('link', { name: 'Sailors' })
  const time = await openWithClock(page, site, { path: '/scores', shown: row })
  time.setUnreachable(true)
  await time.pass(60)
  await time.see(strip(page))
  expect(await row.count()).toBe(1)
  time.setUnreachable(false)
  await time.pass(35)
  await time.miss(strip(page))
  await time.see(row)
  expect(besidesLosses(site.complaints)).toEqual([])
})

test('a page opened while the server is unreachable says so and loads when it is back', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor' })
  const page = await site.visitor()
  // A page that does not load the challenges.
  const time = await openWithClock(page, site, { path: '/login' })
  time.setUnreachable(true)
  await page.getByRole('link', { name: 'Challenges' }).first().click()
  await time.pass(40)
  await time.see(page.getByRole('main').getByRole('alert').getByRole('button', { name: 'Try again' }))
  time.setUnreachable(false)
  await time.pass(35)
  await time.see(list(page).getByRole('link', { name: /Anchor/ }))
  expect(besidesLosses(site.complaints)).toEqual([])
})

test('a refused token signs all tabs out once and keeps typed text', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor' })
  const { contest } = site
  const team = await contest.team('Sailors')
  const admin = await contest.admin()
  const page = await site.visitor({ team })
  const tab = await page.context().newPage()
  // The stream of a deleted team ends, and its next connection could be refused at the same time as the flag.
  await page.context().route(`**${openStream.path}`, (route) => route.fulfill({ body: 'none' }))
  let refused = 0
  for (const each of [page, tab]) {
    await each.goto('/challenges/anchor')
    await flagBox(each).fill('flag{draft}')
    // The page's own reads would be refused too.
    await each.waitForLoadState('networkidle')
    each.on('response', (response) => {
      if (response.status() === 401) refused += 1
    })
  }
  accepted(await contest.call(deleteTeam, { token: admin.token, params: { id: team.id } }))
  await flagBox(page).press('Enter')
  for (const each of [page, tab]) {
    await each.getByText('You were signed out.', { exact: true }).waitFor()
    expect(await flagBox(each).inputValue()).toBe('flag{draft}')
    await each.getByRole('heading', { level: 1, name: 'Anchor' }).waitFor()
  }
  expect(refused).toBe(1)
  const link = tab.getByRole('link', { name: 'Sign in again' })
  expect(await link.getAttribute('href')).toBe('/login?next=%2Fchallenges%2Fanchor')
  await tab.getByRole('button', { name: 'Dismiss' }).click()
  await tab.getByRole('link', { name: 'Sign in to submit' }).waitFor()
  await tab.setViewportSize({ width: 360, height: 740 })
  const bar = tab.getByRole('navigation', { name: 'Main', exact: true }).last()
  const entry = bar.getByRole('link', { name: 'Sign in' })
  expect(await entry.getAttribute('href')).toBe('/login?next=%2Fchallenges%2Fanchor')
  await tab.getByRole('button', { name: 'Menu' }).click()
  await tab.getByRole('menuitem', { name: 'Sign in' }).click()
  await tab.waitForURL('**/login?next=%2Fchallenges%2Fanchor')
  expect(await tab.evaluate(() => localStorage.getItem('pennant.token'))).toBeNull()
  expect(site.complaints).toEqual([])
})
