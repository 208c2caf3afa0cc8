import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { expect, test } from 'vitest'
import { openSite, type Site } from './harness.ts'
import { violationsOf } from './violations.ts'

const ALL_RIGHTS = 63

async function organise(site: Site, token: string, data: object): Promise<void> {
  expect((await site.contest.call(updateSettings, { token, body: { data } })).kind).toBe(
    'goodAdminSettingsUpdate',
  )
}

test('a team waits, is approved and signs in once; another is refused with a reason', async () => {
  await using site = await openSite()
  const admin = await site.contest.admin(ALL_RIGHTS)
  await organise(site, admin.token, { registrationMode: 'approval' })
  const player = await site.visitor({})
  for (const name of ['Buoy', 'Anchor']) {
    await player.goto('/register')
    await player.getByText('The organisers check each registration.').waitFor()
    await player.getByLabel('Team name').fill(name)
    await player.getByLabel('Email').fill(`${name}@crews.test`)
    await player.getByRole('main').getByRole('button', { name: 'Register' }).click()
    await player.getByText(`${name} takes part as soon as`).waitFor()
  }
  expect(await violationsOf(player)).toEqual([])
  const page = await site.visitor({ team: admin })
  await page.goto('/admin/registration')
  await page
    .getByRole('row', { name: /Anchor/ })
    .getByRole('checkbox')
    .check()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('row', { name: /Anchor/ }).waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /Buoy/ }).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Refuse' }).click()
  await page.getByLabel('Reason').fill('Only schools')
  await page.getByRole('dialog').getByRole('button', { name: 'Refuse' }).click()
  await page.getByText('No registration is waiting.').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await player.reload()
  await player.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
  await player.getByRole('heading', { name: /token/i }).waitFor()
  expect(site.complaints).toEqual([])
})

test('codes are created, and one in the link registers a team', async () => {
  await using site = await openSite()
  const admin = await site.contest.admin(ALL_RIGHTS)
  await organise(site, admin.token, { registrationMode: 'code' })
  const page = await site.visitor({ team: admin })
  await page.goto('/admin/registration?tab=codes')
  await page.getByRole('button', { name: 'Create codes' }).click()
  await page.getByLabel('Amount').fill('1')
  await page.getByRole('dialog').getByRole('button', { name: 'Create codes' }).click()
  const code = await page.getByRole('row').locator('code').textContent()
  expect(code).toMatch(/^(?:[0-9A-Z]{4}-){3}[0-9A-Z]{4}$/)
  const player = await site.visitor({})
  await player.goto(`/register?code=${code}`)
  await player.getByLabel('Team name').fill('Anchor')
  await player.getByLabel('Email').fill('anchor@crews.test')
  await player.getByRole('main').getByRole('button', { name: 'Register' }).click()
  await player.getByRole('heading', { name: /token/i }).waitFor()
  expect(site.complaints).toEqual([])
})

test('a file of teams is checked, corrected and imported', async () => {
  await using site = await openSite()
  const page = await site.visitor({ team: await site.contest.admin(ALL_RIGHTS) })
  await page.goto('/admin/registration?tab=import')
  const csv = page.getByLabel('Teams as CSV')
  await csv.fill('name,email\nAnchor,anchor@crews.test\nBuoy,nowhere')
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByText('Line 3, email: This is not an email address.').waitFor()
  await csv.fill('name,email\nAnchor,anchor@crews.test\nBuoy,buoy@crews.test')
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByText('No problems. 2 to create.').waitFor()
  await page.getByRole('button', { name: 'Create teams' }).click()
  await page.getByText('Teams created: 2.').waitFor()
  expect(await violationsOf(page)).toEqual([])
  expect(site.complaints).toEqual([])
})
