import { deleteTeam, listTeams } from '@pennant/contract/admin-teams.ts'
import { expect, test } from 'vitest'
import { openSite } from './harness.ts'

// Story 17 of the site specification.

const ALL_RIGHTS = 63

test('six teams are banned at once, one of them fails, and delete waits for the typed name', async () => {
  await using site = await openSite()
  const { contest } = site
  const admin = await contest.admin(ALL_RIGHTS)
  for (const name of ['Anchor', 'Buoy', 'Compass', 'Dinghy', 'Ensign', 'Fathom']) await contest.team(name)
  const page = await site.visitor({ team: admin })
  await page.goto('/admin/teams?filter=status:active')
  const table = page.getByRole('table', { name: 'Teams' })
  await table.getByRole('row', { name: /Fathom/ }).waitFor()
  await page.getByRole('checkbox', { name: /all/i }).check()
  const listed = await contest.call(listTeams, {
    token: admin.token,
    query: { limit: '10', offset: '0', search: 'Fathom' },
  })
  if (listed.kind !== 'goodAdminUsers') throw new Error(listed.kind)
  const gone = listed.data.users[0]?.id ?? ''
  await contest.call(deleteTeam, { token: admin.token, params: { id: gone } })
  await page.getByRole('button', { name: 'Ban', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Ban 6 teams?' })
  const ban = question.getByRole('button', { name: 'Ban', exact: true })
  expect(await ban.getAttribute('aria-disabled')).toBe('true')
  await question.getByRole('textbox').fill('6')
  await ban.click()
  const progress = page.getByRole('dialog', { name: 'Banning teams' })
  await progress.getByText('6 of 6 done').waitFor()
  await progress.getByText('1 failed:').waitFor()
  await progress.getByRole('listitem').filter({ hasText: 'Fathom' }).waitFor()
  await progress.getByRole('button', { name: 'Close' }).last().click()
  await page.getByText('No team matches.').waitFor()

  await page.goto('/admin/teams?filter=status:banned')
  await table.getByRole('button', { name: /Anchor/ }).click()
  await page.waitForURL(/\/admin\/teams\/./)
  await page.getByRole('button', { name: 'Delete team' }).click()
  const deletion = page.getByRole('dialog', { name: 'Delete Anchor?' })
  const remove = deletion.getByRole('button', { name: 'Delete team' })
  await deletion.getByRole('textbox').fill('anchor')
  expect(await remove.getAttribute('aria-disabled')).toBe('true')
  await deletion.getByRole('textbox').fill('Anchor')
  await remove.click()
  await table.getByRole('row', { name: /Anchor/ }).waitFor({ state: 'detached' })
  await table.getByRole('row', { name: /Buoy/ }).waitFor()
  expect(site.complaints).toEqual([])
})
