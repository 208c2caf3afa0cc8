import { submitFlag } from '@pennant/contract/submissions.ts'
import { openStream } from '@pennant/contract/stream.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Member } from '../../server/test/harness.ts'
import { putSolve } from '../../server/test/contest-data.ts'
import { solveRow } from '../../server/test/contest-rows.ts'
import { accepted, openSite, type Site } from './harness.ts'

/** Opens a page and waits for its stream. */
async function openLive(site: Site, path: string, team?: Member): Promise<Page> {
  const page = await site.visitor(team ? { team } : {})
  const opened = page.waitForResponse((response) => response.url().endsWith(openStream.path))
  await page.goto(path)
  await opened
  return page
}

const rowOf = (page: Page, team: string) => page.getByRole('row').filter({ hasText: team })

test('a frozen scoreboard does not move for others, shows own solves, and all of them once published', async () => {
  const freezeTime = Date.now() - 10 * MINUTE_MS
  await using site = await openSite({ freezeTime })
  const { contest } = site
  const [admin, sailors, pilots] = [
    await contest.admin(),
    await contest.team('Sailors'),
    await contest.team('Pilots'),
  ]
  for (const id of ['anchor', 'rope']) await site.addChallenge(id)
  await putSolve(
    contest.db,
    solveRow(1, { challengeId: 'anchor', teamId: pilots.id, createdAt: freezeTime - MINUTE_MS }),
  )
  const solver = await openLive(site, '/profile', sailors)
  const watcher = await openLive(site, '/scores', pilots)
  await watcher.getByText('Scoreboard frozen since', { exact: false }).waitFor()
  await rowOf(watcher, 'Pilots').first().waitFor()

  // A solve during the freeze: the own page shows it at once, the other's scoreboard does not.
  const flag = { token: sailors.token, params: { id: 'rope' }, body: { flag: 'flag{rope}' } }
  accepted(await contest.call(submitFlag, flag))
  await solver.getByRole('row').filter({ hasText: 'rope' }).first().waitFor()
  await solver.getByText('Your later solves are listed', { exact: false }).waitFor()
  await watcher.reload()
  await rowOf(watcher, 'Pilots').first().waitFor()
  expect(await watcher.getByText('Sailors').count()).toBe(0)

  // Organisers choose what they see.
  const organiser = await site.visitor({ team: admin })
  await organiser.goto('/scores')
  await rowOf(organiser, 'Pilots').first().waitFor()
  expect(await organiser.getByText('Sailors').count()).toBe(0)
  await organiser.getByRole('button', { name: 'Show live standings' }).click()
  await organiser.getByText('You see the live standings.', { exact: false }).waitFor()
  await rowOf(organiser, 'Sailors').first().waitFor()
  await organiser.getByRole('button', { name: 'Show what players see' }).click()
  await rowOf(organiser, 'Sailors').first().waitFor({ state: 'detached' })

  await organiser.goto('/admin/settings')
  await organiser.getByRole('button', { name: 'Publish final results' }).click()
  await organiser.getByRole('dialog').getByRole('button', { name: 'Publish final results' }).click()
  await organiser.getByText('The results are published.', { exact: false }).waitFor()
  await rowOf(watcher, 'Sailors').first().waitFor()
  await watcher.getByText('Scoreboard frozen since', { exact: false }).waitFor({ state: 'detached' })
  expect(site.complaints).toEqual([])
})
