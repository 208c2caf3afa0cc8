import { expect, test } from 'vitest'
import { bigBoardConfig, fillBoard } from './big-board.ts'
import { openSite } from './harness.ts'

// Scenario 13 of docs/reference/site.md#browser-test-scenarios

test('a matrix cell is reached with the keyboard, announced, and opens its row', async () => {
  await using site = await openSite(bigBoardConfig)
  const { contest } = await fillBoard(site)
  await using _ = contest
  const page = await site.visitor({ viewport: { width: 1280, height: 900 } })
  await page.goto(`${contest.url}/scores`)
  await page.getByRole('link', { name: 'Crew 1', exact: true }).waitFor()
  await page.keyboard.press('v')
  await page.getByRole('columnheader', { name: /^Task 1 web \d+ points, / }).waitFor()
  await page.getByText('24 of 24 solved').first().waitFor()
  await page.getByRole('region', { name: 'Standings' }).focus()
  const said = page.getByRole('status').filter({ hasText: /Task/ })
  await page.keyboard.press('ArrowDown')
  await said.filter({ hasText: /^Crew 1, Task \d+: first blood, .*\d/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await said.filter({ hasText: /^Crew 2, Task \d+: second blood, / }).waitFor()
  await page.keyboard.press('PageDown')
  await page.keyboard.press('End')
  await said.filter({ hasText: /^Crew \d+, Task \d+: solved, / }).waitFor()
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog')
  await sheet.getByText('24 of 24 solved').waitFor()
  expect(await sheet.getByRole('img', { name: 'Solved', exact: true }).count()).toBe(24)
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  expect(site.complaints).toEqual([])
})
