import { listActions } from '@pennant/contract/actions.ts'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { putChallenge } from '../../server/test/contest-data.ts'
import { challengeRow } from '../../server/test/contest-rows.ts'
import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { accepted, openSite } from './harness.ts'

test('an organiser finds who hid a challenge, undoes it with the keyboard, and players see it again', async () => {
  await using site = await openSite()
  const { contest } = site
  await putChallenge(contest.db, challengeRow('lighthouse', { name: 'Lighthouse' }))
  const [admin, other, team] = [await contest.admin(), await contest.admin(), await contest.team()]
  const player = await site.visitor({ team })
  await player.goto('/challenges')
  await player.getByText('Lighthouse').first().waitFor()
  accepted(
    await contest.call(putChallengeV2, {
      token: other.token,
      params: { id: 'lighthouse' },
      body: { data: { hidden: true } },
    }),
  )
  await player.getByText('Lighthouse').first().waitFor({ state: 'hidden' })

  const organiser = await site.visitor({ team: admin })
  await organiser.goto('/admin/challenges/lighthouse')
  await organiser.getByRole('link', { name: 'Action log' }).click()
  const table = organiser.getByRole('table', { name: 'Actions' })
  const row = table.getByRole('row').filter({ hasText: 'Challenge changed' })
  await row.filter({ hasText: contest.world().team(other.id)?.name ?? '' }).waitFor()
  await row.focus()
  await organiser.keyboard.press('Enter')
  const sheet = organiser.getByRole('dialog', { name: 'Challenge changed' })
  await sheet.getByText('hidden', { exact: true }).waitFor()
  expect(await sheet.locator('del').innerText()).toBe('no')
  expect(await sheet.locator('ins').innerText()).toBe('yes')
  await sheet.getByText('PUT /api/v2/admin/challs/:id').waitFor()
  await sheet.getByRole('button', { name: 'Undo' }).focus()
  await organiser.keyboard.press('Enter')
  await organiser.getByText('Undone.').waitFor()
  await player.getByText('Lighthouse').first().waitFor()
  await table.getByText('· undone').waitFor()
  await table.getByText('· undo', { exact: false }).first().waitFor()

  // The same entry cannot be undone twice.
  await row.filter({ hasText: '· undone' }).focus()
  await organiser.keyboard.press('Enter')
  await sheet.getByRole('button', { name: 'Undo' }).click()
  await sheet.getByText('Changed again since: hidden. Nothing was undone.').waitFor()
  await organiser.keyboard.press('Escape')

  // Filters are in the address, and the file has what they leave.
  await organiser.getByRole('combobox', { name: 'Who' }).selectOption({ value: admin.id })
  await organiser.waitForURL(/actor=/)
  await organiser.waitForFunction(() => document.querySelectorAll('table[role=table] tbody tr').length === 1)
  const saved = organiser.waitForEvent('download')
  await organiser.getByRole('button', { name: 'CSV' }).click()
  const lines = (await readFile(await (await saved).path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain('POST /api/v2/admin/actions/:id/undo')
  const { data } = await contest.call(listActions, { token: admin.token, query: {} })
  expect(data).toMatchObject({ actions: [{ undoes: 1 }, { undoneBy: 2 }] })
  expect(site.complaints).toEqual([])
})
