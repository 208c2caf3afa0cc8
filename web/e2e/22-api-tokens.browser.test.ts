import { testToken } from '@pennant/contract/accounts.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openSite } from './harness.ts'

const sectionOf = (page: Page) => page.getByRole('region', { name: 'API tokens' })

test('a team makes a token for a program, sees it once, and an organiser revokes it', async () => {
  await using site = await openSite()
  const { contest } = site
  const team = await contest.team('Sailors')
  await site.addChallenge('anchor', { name: 'Anchor' })
  const page = await site.visitor({ team })
  await page.goto('/settings#api-tokens')
  const section = sectionOf(page)
  await section.getByText('No API tokens.').waitFor()
  await section.getByRole('button', { name: 'Create token' }).click()
  await section.getByText('Choose at least one scope.').first().waitFor()
  await section.getByLabel('Name').fill('solver <b>')
  for (const scope of [/^read/, /^submit/]) await section.getByRole('checkbox', { name: scope }).check()
  expect(await section.getByRole('checkbox', { name: /^settings:write/ }).count()).toBe(0)
  await section.getByRole('button', { name: 'Create token' }).click()
  await section.getByText('It is not shown again.').waitFor()
  await section.getByRole('button', { name: 'Reveal' }).click()
  const token = await section.getByText(/^pnt_/).innerText()
  expect((await contest.call(testToken, { token })).kind).toBe('goodToken')
  const flag = { params: { id: 'anchor' }, body: { flag: 'flag{anchor}' } }
  expect((await contest.call(submitFlag, { token, ...flag })).kind).toBe('goodFlag')
  await section.getByRole('checkbox', { name: 'I have stored the token.' }).check()
  await section.getByRole('button', { name: 'Done' }).click()
  await section.getByRole('listitem').filter({ hasText: 'solver <b>' }).waitFor()
  expect(await section.getByText(token).count()).toBe(0)

  const organiser = await site.visitor({ team: await contest.admin() })
  await organiser.goto(`/admin/teams/${team.id}`)
  // What the program did.
  const activity = organiser.getByRole('region', { name: 'Activity' })
  await activity.getByRole('listitem').filter({ hasText: 'API token solver <b> solved Anchor' }).waitFor()
  const listed = sectionOf(organiser)
  await listed.getByText('Created by the team').waitFor()
  await listed.getByRole('button', { name: 'Revoke solver <b>' }).click()
  const question = organiser.getByRole('dialog', { name: 'Revoke “solver <b>”?' })
  await question.getByRole('button', { name: 'Revoke' }).click()
  await listed.getByText('No API tokens.').waitFor()
  expect((await contest.call(testToken, { token })).kind).toBe('badToken')
  expect(site.complaints).toEqual([])
})
