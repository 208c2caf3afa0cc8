import { readFile } from 'node:fs/promises'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { expect, test } from 'vitest'
import { openSite } from './harness.ts'

const ALL_RIGHTS = 63

test('submissions are filtered, followed live, and exported without formulas', async () => {
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
  await page.getByRole('switch', { name: 'Show submitted text' }).click()
  await page.getByText('=1+1').waitFor()

  await page.getByRole('switch', { name: 'Live' }).click()
  await page.getByText(/^Newest first/).waitFor()
  await submit('flag{anchor}')
  await table.getByRole('row', { name: /correct/ }).waitFor()
  // Rows do not move while the list is hovered.
  await table.getByRole('row', { name: /correct/ }).hover()
  await submit('flag{anchor}')
  const fresh = page.getByRole('button', { name: '1 new submission' })
  await fresh.waitFor()
  expect(await table.getByRole('row', { name: /already solved/ }).count()).toBe(0)
  await fresh.click()
  await table.getByRole('row', { name: /already solved/ }).waitFor()
  // The list is paused, but not across filters.
  await page.getByRole('searchbox', { name: 'Team' }).fill('nobody')
  await page.getByText('No submissions match your filters.').waitFor()
  await page.getByRole('searchbox', { name: 'Team' }).fill('')
  await table.getByRole('row', { name: /already solved/ }).waitFor()
  await page.getByRole('switch', { name: 'Live' }).click()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  const csv = await readFile(await (await download).path(), 'utf8')
  expect(csv.startsWith('\uFEFF"time"')).toBe(true)
  expect(csv).toContain(`"'=1+1"`)
  expect(csv.trim().split('\r\n')).toHaveLength(4)

  // The page field can be emptied; only Enter navigates.
  await page.route('**/api/v2/admin/submissions?*', async (route) => {
    const response = await route.fetch()
    const json = (await response.json()) as { data: { total: number } }
    json.data.total = 700
    await route.fulfill({ response, json })
  })
  await page.goto('/admin/submissions?page=3')
  const goTo = page.getByLabel('Go to page')
  await goTo.fill('')
  expect(await goTo.inputValue()).toBe('')
  await goTo.pressSequentially('12')
  expect(new URL(page.url()).searchParams.get('page')).toBe('3')
  await goTo.press('Enter')
  await page.getByText('551–600 of 700').waitFor()
  await page.unrouteAll({ behavior: 'wait' })

  await page.goto('/admin/submissions?filter=result:incorrect&time=hour')
  await table.getByRole('row', { name: /wrong/ }).waitFor()
  expect(await table.getByRole('row', { name: /correct/ }).count()).toBe(0)
  await table.getByRole('button', { name: '127.0.0.1' }).first().click()
  await page.getByRole('button', { name: 'IP is 127.0.0.1', exact: true }).waitFor()
  await table.getByRole('row', { name: /wrong/ }).waitFor()
  await page.goto('/admin/submissions?time=-1000')
  await page.getByText('No submissions match your filters.').waitFor()
  await page.getByLabel('Until').fill('')
  await table.getByRole('row', { name: /correct/ }).waitFor()
  expect(site.complaints).toEqual([])
})

test("another team's flag stands out, with the way to both teams", async () => {
  await using site = await openSite()
  const { contest } = site
  const flags = [{ provider: 'flags/dynamic', config: { base: 'flag{anchor}' } }]
  await site.addChallenge('anchor', { name: 'Anchor', flag: undefined, flags })
  const [owner, thief] = [await contest.team('Sailors'), await contest.team('Pirates')]
  const [minted] = await contest.app.providers.flags.flagsForTeam({ id: 'anchor', flags }, owner.id)
  const body = { flag: minted?.flag ?? '' }
  await contest.call(submitFlag, { token: thief.token, params: { id: 'anchor' }, body })
  const page = await site.visitor({ team: await contest.admin(ALL_RIGHTS) })
  await page.goto('/admin/submissions')
  await page.getByRole('row', { name: /Pirates.*another team's flag/ }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText('This flag belongs to another team:').waitFor()
  await sheet.getByRole('link', { name: 'Team that submitted it' }).waitFor()
  await sheet.getByText('127.0.0.1').waitFor()
  expect(await sheet.getByText(body.flag).count()).toBe(0)
  await sheet.getByRole('button', { name: 'Reveal' }).click()
  await sheet.getByText(body.flag).first().waitFor()
  await sheet.getByRole('link', { name: 'Team the flag belongs to' }).click()
  await page.getByRole('dialog', { name: 'Sailors' }).waitFor()
  expect(site.complaints).toEqual([])
})
