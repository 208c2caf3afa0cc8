import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { permissions } from '@pennant/contract/permissions.ts'
import { expect, test } from 'vitest'
import { putSolve } from '../../server/test/contest-data.ts'
import { solveRow } from '../../server/test/contest-rows.ts'
import { openSite } from './harness.ts'
import { violationsOf } from './violations.ts'

// docs/operate/ceremony.md

test('an organiser reveals the last hour by keys, from the last place to the podium', async () => {
  await using site = await openSite()
  const points = { min: 100, max: 500 }
  for (const id of ['anchor', 'winch']) await site.addChallenge(id, { name: id, points })
  const [sailors, pilots] = [await site.contest.team('Sailors'), await site.contest.team('Pilots')]
  const now = site.contest.clock.now()
  const solves = [
    [sailors, 'anchor', 50],
    [pilots, 'anchor', 20],
    [pilots, 'winch', 10],
  ] as const
  for (const [at, [team, challengeId, minutesAgo]] of solves.entries()) {
    const createdAt = now - minutesAgo * MINUTE_MS
    await putSolve(site.contest.db, solveRow(at + 1, { teamId: team.id, challengeId, createdAt }))
  }
  const judge = await site.contest.admin(permissions.leaderboardRead)
  const page = await site.visitor({ team: judge, viewport: { width: 1280, height: 720 } })
  await page.goto(`/ceremony?from=${now - 30 * MINUTE_MS}`)
  const rows = page.getByRole('listitem')
  const names = async () => (await rows.locator('bdi').allTextContents()).join()
  await page.getByText(/^The standings at/).waitFor()
  expect(await names()).toBe('Sailors,Pilots')
  expect(await violationsOf(page)).toEqual([])
  // It fills the screen, without the room for a scrollbar.
  expect((await page.getByRole('main').boundingBox())?.width).toBe(1280)
  const isFullScreen = () => page.evaluate(() => document.fullscreenElement !== null)
  await page.keyboard.press('f')
  await expect.poll(isFullScreen).toBe(true)
  await page.getByRole('button', { name: 'Full screen' }).click()
  await expect.poll(isFullScreen).toBe(false)
  await page.keyboard.press('PageDown')
  await page.getByText('Challenges are now worth what they were worth at the end').waitFor()
  await page.keyboard.press('Space')
  await page.getByText(/^Pilots solved anchor: /).waitFor()
  await page.keyboard.press('ArrowLeft')
  await page.getByText('Challenges are now worth what they were worth at the end').waitFor()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  // The second solve, or the rank of the team that is the lowest by then.
  await page.getByText('Step 4 of', { exact: false }).waitFor()
  await page.keyboard.press('End')
  await page.getByText('Pilots won').waitFor()
  expect(await names()).toBe('Pilots,Sailors')
  expect(await violationsOf(page)).toEqual([])
  // By itself, from the beginning to the podium.
  await page.keyboard.press('Home')
  for (let times = 0; times < 12; times += 1) await page.keyboard.press('+')
  await page.keyboard.press('p')
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  await page.getByText('Pilots won').waitFor()

  await page.goto('/ceremony?limit=1000')
  await page.getByRole('alert').getByText('limit must be a whole number from 1 to 100.').waitFor()
  const player = await site.visitor({ team: sailors })
  await player.goto('/ceremony')
  await player.getByText('view the scoreboard before the start', { exact: false }).waitFor()
  expect(site.complaints).toEqual([])
})
