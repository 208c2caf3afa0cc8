import { readFile } from 'node:fs/promises'
import { submitFlag } from '@pennant/contract/submissions.ts'
import type { Download, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openSite } from './harness.ts'

const ALL_RIGHTS = 63
const NAMES = [
  '=1+1',
  'Buoy',
  'Compass',
  'Dinghy',
  'Ensign',
  'Fathom',
  'Gale',
  'Hull',
  'Isle',
  'Jib',
  'Keel',
  'Lee',
]

test('standings are exported as provisional after confirmation, and as final after the end', async () => {
  await using site = await openSite({ ctfName: 'Harbour CTF' })
  const { contest } = site
  await site.addChallenge('anchor')
  for (const name of NAMES) {
    const { token } = await contest.team(name)
    const params = { id: 'anchor' }
    const response = await contest.call(submitFlag, { token, params, body: { flag: 'flag{anchor}' } })
    expect(response.kind).toBe('goodFlag')
  }
  const admin = await contest.admin(ALL_RIGHTS)
  const page = await site.visitor({ team: admin, acceptDownloads: true })
  await page.goto('/admin/export')
  await page.getByText('Top 10 of 12.').waitFor()
  const table = page.getByRole('table', { name: 'First rows of the standings' })
  await expect.poll(() => table.getByRole('row').count()).toBe(11)
  await page.getByText('this file is provisional').waitFor()
  const save = page.getByRole('region', { name: 'Standings for the ranking site' }).getByRole('button')
  const saved = await downloadOf(page, async () => {
    await save.click()
    await page.getByRole('button', { name: 'Press again to confirm' }).click()
  })
  expect(saved.suggestedFilename()).toMatch(/^harbour-ctf-standings-provisional-[\dT-]+Z\.json$/)
  const { standings } = JSON.parse(await textOf(saved)) as { standings: object[] }
  expect(standings).toHaveLength(NAMES.length)
  expect(standings[0]).toMatchObject({ pos: 1, team: '=1+1' })

  const csv = await downloadOf(page, () =>
    page.getByRole('button', { name: 'Save scoreboard as CSV' }).click(),
  )
  expect(csv.suggestedFilename()).toMatch(/^harbour-ctf-scoreboard-provisional-[\dT-]+Z\.csv$/)
  const lines = (await textOf(csv)).trim().split('\r\n')
  expect(lines).toHaveLength(NAMES.length + 1)
  expect(lines[1]).toMatch(/^"1","'=1\+1",/)
  expect(site.complaints).toEqual([])
})

test('after the end the file is final, and a missing permission is explained', async () => {
  const hour = 3_600_000
  await using site = await openSite({ startTime: Date.now() - 3 * hour, endTime: Date.now() - hour })
  const { contest } = site
  const admin = await contest.admin(ALL_RIGHTS)
  const page = await site.visitor({ team: admin, acceptDownloads: true })
  await page.goto('/admin/export')
  await page.getByText('The event is over. This file is final.').waitFor()
  await page.getByText('Nobody has scored yet.').waitFor()
  const saved = await downloadOf(page, () =>
    page.getByRole('button', { name: 'Save final standings' }).click(),
  )
  expect(saved.suggestedFilename()).toMatch(/-standings-final-[\dT-]+Z\.json$/)
  expect(JSON.parse(await textOf(saved))).toEqual({ standings: [] })

  const usersWrite = 16
  const other = await site.visitor({ team: await contest.admin(usersWrite) })
  await other.goto('/admin/export')
  await other.getByText('Required permission: view the scoreboard before the start.').waitFor()
  expect(site.complaints).toEqual([])
})

async function downloadOf(page: Page, action: () => Promise<void>): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download'), action()])
  return download
}

async function textOf(download: Download): Promise<string> {
  return readFile(await download.path(), 'utf8')
}
