import { readFile } from 'node:fs/promises'
import { registerV2 } from '@pennant/contract/accounts.ts'
import { expect, test } from 'vitest'
import { withMail } from '../../server/test/mail.ts'
import { announced, openSite } from './harness.ts'

const ALL_RIGHTS = 63

test('pending registrations are completed individually and in bulk', async () => {
  await using site = await openSite(withMail)
  for (const name of ['Anchor', 'Buoy', 'Compass']) {
    const response = await site.contest.call(registerV2, { body: { name, email: `${name}@example.org` } })
    expect(response.kind).toMatch(/^good/)
  }
  const page = await site.visitor({ team: await site.contest.admin(ALL_RIGHTS) })
  await page.goto('/admin/verifications')
  const anchor = page.getByRole('row', { name: /Anchor/ })
  await anchor.getByRole('button', { name: /^Copy anchor@example.org/i }).waitFor()
  const search = page.getByRole('searchbox', { name: 'Search teams and emails' })
  await search.fill('BUOY@example')
  await page.getByRole('row', { name: /Buoy/ }).waitFor()
  await anchor.waitFor({ state: 'detached' })
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  const csv = await readFile(await (await download).path(), 'utf8')
  expect(csv.trim().split('\r\n')).toHaveLength(2)
  await search.fill('nobody')
  await page.getByText('No registrations match your search.').waitFor()
  await search.fill('')
  await anchor.getByRole('button', { name: 'Resend email' }).click()
  await announced(page, 'Sent').waitFor()
  await anchor.getByRole('button', { name: 'Complete' }).click()
  await page.getByText('Anchor is registered.').waitFor()
  await anchor.waitFor({ state: 'detached' })
  await page.getByRole('checkbox', { name: 'Select all rows' }).check()
  await page.getByRole('group', { name: '2 selected' }).getByRole('button', { name: 'Complete' }).click()
  await page.getByText('2 of 2 done').waitFor()
  await page.getByRole('button', { name: 'Close' }).last().click()
  await page.getByText('No pending registrations.').waitFor()
  expect(site.complaints).toEqual([])
})
