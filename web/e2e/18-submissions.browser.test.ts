import { readFile } from 'node:fs/promises'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { expect, test } from 'vitest'
import { openSite } from './harness.ts'

// Story 18 of the site specification.

const ALL_RIGHTS = 63

test('submissions are filtered, followed live, and saved without formulas', async () => {
  await using site = await openSite()
  const { contest } = site
  await site.addChallenge('anchor', { name: 'Anchor' })
  const sailors = await contest.team('Sailors')
  const submit = (flag: string) =>
    contest.call(submitFlag, { token: sailors.token, params: { id: 'anchor' }, body: { flag } })
  await submit('=1+1')
  const page = await site.visitor({ team: await contest.admin(ALL_RIGHTS) })
  await page.goto('/admin/submissions')
  const table = page.getByRole('table', { name: 'Submissions' })
  await table.getByRole('row', { name: /wrong/ }).waitFor()
  expect(await page.getByText('=1+1').count()).toBe(0)
  await page.getByRole('switch', { name: 'Show texts' }).click()
  await page.getByText('=1+1').waitFor()

  await page.getByRole('switch', { name: 'Live' }).click()
  await submit('flag{anchor}')
  await table.getByRole('row', { name: /correct/ }).waitFor()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  const csv = await readFile(await (await download).path(), 'utf8')
  expect(csv.startsWith('\uFEFF"time"')).toBe(true)
  expect(csv).toContain(`"'=1+1"`)
  expect(csv.trim().split('\r\n')).toHaveLength(3)

  await page.goto('/admin/submissions?filter=result:incorrect&time=hour')
  await table.getByRole('row', { name: /wrong/ }).waitFor()
  expect(await table.getByRole('row', { name: /correct/ }).count()).toBe(0)
  expect(site.complaints).toEqual([])
})
