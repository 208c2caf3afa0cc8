import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { expect, test } from 'vitest'
import { putSolve } from '../../server/test/contest-data.ts'
import { solveRow } from '../../server/test/contest-rows.ts'
import { openSite } from './harness.ts'
import { violationsOf } from './violations.ts'

// docs/reference/site.md#scoreboard

test('the scoreboard is replayed from the keyboard, automatically, and at the time of an address', async () => {
  await using site = await openSite()
  const points = { min: 100, max: 500 }
  await site.addChallenge('anchor', { name: 'Anchor', points })
  await site.addChallenge('winch', { name: 'Winch', points })
  const [sailors, pilots] = [await site.contest.team('Sailors'), await site.contest.team('Pilots')]
  const now = site.contest.clock.now()
  const solves = [
    [sailors, 'anchor', 50],
    [pilots, 'anchor', 30],
    [pilots, 'winch', 20],
  ] as const
  for (const [at, [team, challengeId, minutesAgo]] of solves.entries()) {
    const createdAt = now - minutesAgo * MINUTE_MS
    await putSolve(site.contest.db, solveRow(at + 1, { teamId: team.id, challengeId, createdAt }))
  }
  const page = await site.visitor()
  await page.goto('/scores')
  await page.getByRole('button', { name: 'Replay' }).click()
  const list = page.getByRole('list', { name: 'Standings at this time' })
  const names = async () => (await list.getByRole('link').allTextContents()).join()
  const expectNames = (wanted: string) => expect.poll(names).toBe(wanted)
  await expectNames('Pilots,Sailors')
  // Each step is 12 minutes: 48 hours in 240 steps.
  const slider = page.getByRole('slider', { name: 'Time' })
  await slider.press('Home')
  await page.getByText('Nobody had scored yet.').waitFor()
  await slider.press('ArrowRight')
  await expectNames('Sailors')
  await slider.press('ArrowRight')
  await slider.press('ArrowRight')
  await expectNames('Sailors,Pilots')
  await page.waitForURL(/time=\d+/)
  expect(await violationsOf(page)).toEqual([])
  // The address shows the same to others.
  const other = await site.visitor({ reducedMotion: 'reduce' })
  await other.goto(page.url())
  await other.getByRole('listitem').filter({ hasText: 'Sailors' }).waitFor()
  // It plays to the end and stops there.
  await slider.press('Home')
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('fast')
  await page.getByRole('button', { name: 'Play' }).click()
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  await page.getByRole('button', { name: 'Play' }).waitFor()
  await expectNames('Pilots,Sailors')
  await page.getByRole('button', { name: 'Back to the current scoreboard' }).click()
  await page.getByRole('table', { name: 'Standings' }).getByText('Pilots').first().waitFor()
  expect(site.complaints).toEqual([])
})
