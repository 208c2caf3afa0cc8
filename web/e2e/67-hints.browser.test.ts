import { listAdminHints } from '@pennant/contract/hints.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Member } from '../../server/test/harness.ts'
import { gotoLive, openSite, type Site } from './harness.ts'
import { violationsOf } from './violations.ts'

/** Opens a page and waits for its stream. */
async function openLive(site: Site, path: string, team: Member): Promise<Page> {
  const page = await site.visitor({ team })
  await gotoLive(page, path)
  return page
}

test('an organiser releases a hint, a player buys it, and a team mate reads it at once', async () => {
  await using site = await openSite()
  const { contest } = site
  await site.addChallenge('buoy', { name: 'Buoy', hidden: false })
  await site.addChallenge('anchor', {
    name: 'Anchor',
    hidden: false,
    flag: 'flag{a}',
    points: { min: 100, max: 100 },
  })
  const [admin, sailors] = [await contest.admin(), await contest.team('Sailors')]
  await contest.call(submitFlag, {
    token: sailors.token,
    params: { id: 'anchor' },
    body: { flag: 'flag{a}' },
  })
  const player = await openLive(site, '/challenges/buoy', sailors)
  const mate = await openLive(site, '/challenges/buoy', sailors)
  await player.getByRole('heading', { name: 'Buoy', level: 1 }).waitFor()
  expect(await player.getByRole('region', { name: 'Hints' }).count()).toBe(0)

  const organiser = await site.visitor({ team: admin })
  await organiser.goto('/admin/challenges/buoy?tab=hints')
  await organiser.getByRole('button', { name: 'Add hint' }).click()
  const form = organiser.getByRole('form', { name: 'Hint' })
  await form.getByRole('textbox', { name: 'Text' }).fill('Look at the **lantern**.')
  await form.getByRole('spinbutton', { name: 'Price in points' }).fill('50')
  await form.getByText('Preview').click()
  await form.locator('strong', { hasText: 'lantern' }).waitFor()
  expect(await violationsOf(organiser)).toEqual([])
  // A link does not lose what was typed.
  await organiser
    .getByRole('navigation', { name: 'Organiser pages' })
    .getByRole('link', { name: 'Waves' })
    .click()
  await organiser.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
  await form.getByRole('button', { name: 'Save hint' }).click()
  const row = organiser.getByRole('listitem', { name: 'Hint 1' })
  await row.locator('strong', { hasText: 'lantern' }).waitFor()
  await row.getByText('Waits for you to release it').waitFor()
  await row.getByText('Bought by 0 teams').waitFor()
  await row.getByRole('button', { name: 'Release now' }).click()

  // The player refreshes nothing.
  const section = player.getByRole('region', { name: 'Hints' })
  const offer = section.getByRole('button', { name: 'Show hint for 50 points' })
  await offer.waitFor()
  expect(await player.content()).not.toContain('lantern')
  expect(await violationsOf(player)).toEqual([])
  await offer.focus()
  await player.keyboard.press('Enter')
  const dialog = player.getByRole('dialog', { name: 'Buy hint 1?' })
  await dialog.getByText('It costs your team 50 points').waitFor()
  await dialog.getByText(/points remain/).waitFor()
  expect(await violationsOf(player)).toEqual([])
  await dialog.getByRole('button', { name: 'Show hint for 50 points' }).click()
  await dialog.waitFor({ state: 'detached' })
  for (const page of [player, mate]) {
    const region = page.getByRole('region', { name: 'Hints' })
    await region.locator('strong', { hasText: 'lantern' }).waitFor()
    await region.getByText('bought for 50 points').waitFor()
  }
  await expect.poll(() => player.evaluate(() => document.activeElement?.textContent)).toContain('Hint 1')

  await organiser.reload()
  await row.getByText('Bought by 1 team').waitFor()
  // Withdrawn: who bought it keeps it, also on a page that is opened later; others see no hints.
  await row.getByRole('button', { name: 'Withdraw' }).click()
  const withdrawal = organiser.getByRole('dialog', { name: 'Withdraw this hint?' })
  await withdrawal.getByText('1 team bought it and can still read it.').waitFor()
  expect(await violationsOf(organiser)).toEqual([])
  await withdrawal.getByRole('button', { name: 'Withdraw' }).click()
  await row.getByText('Waits for you to release it').waitFor()
  const stranger = await site.visitor({ team: await contest.team('Strangers') })
  await stranger.goto('/challenges/buoy')
  await stranger.getByRole('heading', { name: 'Buoy', level: 1 }).waitFor()
  expect(await stranger.getByRole('region', { name: 'Hints' }).count()).toBe(0)
  const later = await site.visitor({ team: sailors })
  await later.goto('/challenges/buoy')
  for (const page of [later, mate])
    await page.getByRole('region', { name: 'Hints' }).locator('strong', { hasText: 'lantern' }).waitFor()
  await row.getByRole('button', { name: 'Delete' }).click()
  const confirm = organiser.getByRole('dialog', { name: 'Delete hint 1?' })
  await confirm.getByText('1 team bought it.').waitFor()
  await confirm.getByRole('button', { name: 'Delete and refund' }).click()
  await confirm.waitFor({ state: 'detached' })
  await section.waitFor({ state: 'detached' })
  const left = await contest.call(listAdminHints, { token: admin.token, params: { id: 'buoy' } })
  expect(left).toMatchObject({ data: { hints: [] } })
})
