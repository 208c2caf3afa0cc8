import { expect, test } from 'vitest'
import { bigBoardConfig, fillBoard } from './big-board.ts'
import { openSite } from './harness.ts'

test('a matrix cell is reached with the keyboard, announced, and opens its row', async () => {
  await using site = await openSite(bigBoardConfig)
  const { contest, own } = await fillBoard(site)
  await using _ = contest
  const page = await site.visitor({ viewport: { width: 1280, height: 900 } })
  await page.goto(`${contest.url}/scores`)
  await page.getByRole('link', { name: 'Crew 1', exact: true }).waitFor()
  await page.keyboard.press('v')
  await page.getByRole('columnheader', { name: /^Task 1 web \d+ points, / }).waitFor()
  await page.getByText('23 of 24 solved').first().waitFor()
  await page.getByRole('region', { name: 'Standings' }).focus()
  const said = page.getByRole('status').filter({ hasText: /Task/ })
  await page.keyboard.press('ArrowDown')
  await said.filter({ hasText: /^Crew 1, Task \d+: first blood, .*\d/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await said.filter({ hasText: /^Crew 2, Task \d+: second blood, / }).waitFor()
  await page.keyboard.press('PageDown')
  await page.keyboard.press('End')
  await said.filter({ hasText: /^Crew \d+, Task 24: not solved/ }).waitFor()
  await page.keyboard.press('ArrowLeft')
  await said.filter({ hasText: /^Crew \d+, Task \d+: solved, / }).waitFor()
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog')
  await sheet.getByText('23 of 24 solved').waitFor()
  expect(await sheet.getByRole('img', { name: 'Solved', exact: true }).count()).toBe(23)
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  expect(site.complaints).toEqual([])

  // With graph and pinned own row, a laptop screen still shows eleven teams.
  const laptop = await site.visitor({ team: own, viewport: { width: 1440, height: 900 } })
  await laptop.goto(`${contest.url}/scores?view=matrix&graph=1`)
  const pinned = laptop.getByRole('region', { name: 'Your team' })
  await pinned.getByText(/behind the team above/).waitFor()
  await laptop.locator('[data-index="10"] a').waitFor()
  await laptop.locator('[role=table] canvas').nth(1).waitFor()
  const ends = await laptop.locator('[data-index="10"]').evaluate((row) => row.getBoundingClientRect().bottom)
  const covered = await pinned.evaluate((row) => row.getBoundingClientRect().top)
  expect(ends).toBeLessThanOrEqual(covered)
})
