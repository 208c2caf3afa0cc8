import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openSite } from './harness.ts'

// Stories 8 and 9 of the site specification.

const flagBox = (page: Page) => page.getByRole('textbox', { name: 'Flag' })
const solved = (page: Page) =>
  page
    .getByRole('navigation', { name: 'List of challenges' })
    .getByRole('link', { name: /Anchor/ })
    .getByRole('img', { name: 'Solved', exact: true })

test('two members send the flag at once: one is told of it, and both see it solved', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor' })
  const team = await site.contest.team('Sailors')
  const pages = await Promise.all([site.visitor({ team }), site.visitor({ team })])
  for (const page of pages) {
    await page.goto('/challenges/anchor')
    await flagBox(page).fill('flag{anchor}')
  }
  const answers = pages.map((page) => page.waitForResponse((answer) => answer.url().endsWith('/submit')))
  await Promise.all(pages.map((page) => flagBox(page).press('Enter')))
  const kinds = await Promise.all(
    answers.map(async (answer) => ((await (await answer).json()) as { kind: string }).kind),
  )
  expect(kinds.toSorted()).toEqual(['badAlreadySolvedChallenge', 'goodFlag'])
  for (const page of pages) {
    await page
      .getByRole('status')
      .filter({ hasText: /Correct\.|Your team has solved this/ })
      .waitFor()
    await solved(page).waitFor()
  }
  expect(site.complaints).toEqual([])
})

test('the answer to a flag is lost: the text stays, and pressing again ends solved', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor' })
  const page = await site.visitor({ team: await site.contest.team('Sailors') })
  await page.goto('/challenges/anchor')
  let sent = 0
  await page.route('**/submit', async (route) => {
    sent += 1
    if (sent > 1) return route.continue()
    await route.fetch()
    await route.abort('connectionreset')
  })
  await flagBox(page).fill('flag{anchor}')
  await flagBox(page).press('Enter')
  await page
    .getByRole('status')
    .filter({ hasText: 'Not sent, or the answer was lost. Press again.' })
    .waitFor()
  expect(await flagBox(page).inputValue()).toBe('flag{anchor}')
  expect(sent).toBe(1)
  await flagBox(page).press('Enter')
  await page.getByRole('status').filter({ hasText: 'Your team has solved this' }).waitFor()
  await solved(page).waitFor()
  expect(site.complaints.filter((text) => !text.includes('net::ERR_CONNECTION_RESET'))).toEqual([])
})
