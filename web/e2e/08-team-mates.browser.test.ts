import { submitFlag } from '@pennant/contract/submissions.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { gotoLive, openSite } from './harness.ts'

const flagBox = (page: Page) => page.getByRole('textbox', { name: 'Flag' })
const solved = (page: Page) =>
  page
    .getByRole('navigation', { name: 'Challenge list' })
    .getByRole('link', { name: /Anchor/ })
    .getByRole('img', { name: 'Solved', exact: true })

test('two members submit the flag at the same time: one gets the points, and both see the solve', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor' })
  const team = await site.contest.team('Sailors')
  const pages = await Promise.all([site.visitor({ team }), site.visitor({ team })])
  for (const page of pages) {
    await page.goto('/challenges/anchor')
    await flagBox(page).fill('flag{anchor}')
  }
  const responses = pages.map((page) =>
    page.waitForResponse((response) => response.url().endsWith('/submit')),
  )
  await Promise.all(pages.map((page) => flagBox(page).press('Enter')))
  const kinds = await Promise.all(
    responses.map(async (response) => ((await (await response).json()) as { kind: string }).kind),
  )
  expect(kinds.toSorted()).toEqual(['badAlreadySolvedChallenge', 'goodFlag'])
  for (const page of pages) {
    await page
      .getByRole('status')
      .filter({ hasText: /Correct\.|Your team has already solved this/ })
      .waitFor()
    await solved(page).waitFor()
  }
  expect(site.complaints).toEqual([])
})

// The intervals without the latest solves: 30 s for the viewer's team, 15 s for the scoreboard.
const BEFORE_OTHER_READS_MS = 10_000

test('an open challenge and the scoreboard show the solve of a team mate before their own next read', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor' })
  await site.addChallenge('winch', { name: 'Winch' })
  const { token, ...team } = await site.contest.team('Sailors')
  const solve = (id: string) =>
    site.contest.call(submitFlag, { token, params: { id }, body: { flag: `flag{${id}}` } })
  const challenge = await site.visitor({ team: { token, ...team } })
  const board = await site.visitor()
  const firstRead = board.waitForResponse('**/leaderboard/solves')
  const otherRead = challenge.waitForResponse('**/leaderboard/solves')
  await Promise.all([challenge.goto('/challenges/anchor'), board.goto('/scores')])
  await Promise.all([flagBox(challenge).waitFor(), firstRead, otherRead])
  expect((await solve('anchor')).kind).toBe('goodFlag')
  const timeout = BEFORE_OTHER_READS_MS
  await Promise.all([
    challenge
      .getByRole('status')
      .filter({ hasText: 'Your team has already solved this' })
      .waitFor({ timeout }),
    board.getByText('Sailors').first().waitFor({ timeout }),
  ])
  expect(site.complaints).toEqual([])
})

test('after a lost response to a flag the text stays, and submitting again solves the challenge', async () => {
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
  await page.getByRole('status').filter({ hasText: "We couldn't confirm that. Submit again." }).waitFor()
  expect(await flagBox(page).inputValue()).toBe('flag{anchor}')
  expect(sent).toBe(1)
  await flagBox(page).press('Enter')
  await page.getByRole('status').filter({ hasText: 'Your team has already solved this' }).waitFor()
  await solved(page).waitFor()
  expect(site.complaints.filter((text) => !text.includes('net::ERR_CONNECTION_RESET'))).toEqual([])
})

test('a first blood is shown to others unless they switch it off, and the solver sees the new rank', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor', points: { min: 900, max: 900 } })
  await site.addChallenge('winch', { name: 'Winch' })
  await site.addChallenge('rudder', { name: 'Rudder' })
  const others = await site.contest.team('Gulls')
  const sailors = await site.contest.team('Sailors')
  for (const [{ token }, id] of [
    [others, 'winch'],
    [others, 'rudder'],
    [sailors, 'winch'],
  ] as const)
    await site.contest.call(submitFlag, { token, params: { id }, body: { flag: `flag{${id}}` } })
  const solver = await site.visitor({ team: sailors })
  const reader = await site.visitor({ team: others })
  const quiet = await site.visitor({ team: others })
  await quiet.addInitScript(() => {
    localStorage.setItem('pennant.preferences', JSON.stringify({ firstBloods: false }))
  })
  for (const page of [reader, quiet]) {
    await gotoLive(page, '/challenges')
    await page.getByRole('region', { name: 'Latest solves' }).getByText('Winch').first().waitFor()
    // What shows toasts loads after the page, together with the link to the announcements.
    await page.getByRole('banner').getByRole('link', { name: 'Announcements' }).waitFor()
  }
  await solver.goto('/challenges/anchor')
  await flagBox(solver).fill('flag{anchor}')
  await flagBox(solver).press('Enter')
  await solver.getByText('First blood').first().waitFor()
  const toast = (page: Page) => page.getByRole('region', { name: 'Notifications' })
  await toast(reader).getByText('Sailors solved Anchor').waitFor()
  await toast(reader).getByText('you have not solved it').waitFor()
  await quiet.getByRole('region', { name: 'Latest solves' }).getByText('Anchor').waitFor()
  expect(await toast(quiet).getByRole('paragraph').count()).toBe(0)
  expect(await toast(solver).getByRole('paragraph').count()).toBe(0)
  await solver.getByRole('status').getByText('1st', { exact: true }).waitFor()
  await solver.getByRole('status').getByText('2nd').waitFor()
  expect(site.complaints).toEqual([])
})
