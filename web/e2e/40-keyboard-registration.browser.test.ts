import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { registerV2 } from '@pennant/contract/accounts.ts'
import { saveFields } from '../../server/test/fields.ts'
import { personIn } from '../../server/test/people.ts'
import { accepted, openSite } from './harness.ts'
import { withoutMouse } from './keyboard.ts'
import { openNamedSite, plugIn } from './passkeys.ts'
import { mailed } from './register.ts'
import { expectSound, PHONE } from './violations.ts'

// What organisers do about teams and people, with the keyboard alone and on a narrow screen.

const ALL_RIGHTS = 63
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('an organiser makes a code, with which a team registers', async () => {
  await using site = await openSite()
  const admin = await site.contest.admin(ALL_RIGHTS)
  accepted(await saveFields(site.contest, admin, { data: { registrationMode: 'code' } }))
  const page = await site.visitor({ team: admin, viewport: PHONE })
  const keys = await withoutMouse(page)
  await page.goto('/admin/registration?tab=codes')
  await keys.to(button(page, 'Create codes'))
  await keys.press('Enter')
  const dialog = page.getByRole('dialog')
  await keys.to(dialog.getByLabel('Amount'))
  await expectSound(page)
  await keys.press('Control+a')
  await keys.type('1')
  await keys.press('Enter')
  const code = (await page.getByRole('row').locator('code').textContent()) ?? ''
  await expectSound(page)
  const player = await site.visitor({ viewport: PHONE })
  const playerKeys = await withoutMouse(player)
  await player.goto('/register')
  await playerKeys.to(player.getByLabel('Team name'))
  await playerKeys.type('Anchor')
  await playerKeys.to(player.getByLabel('Email'))
  await playerKeys.type('anchor@crews.test')
  await playerKeys.to(player.getByLabel(/code/i).first())
  await expectSound(player)
  await playerKeys.type(code)
  await playerKeys.press('Enter')
  await player.getByRole('heading', { name: /token/i }).waitFor()
  expect(site.complaints).toEqual([])
})

test('an organiser approves a registration that waits and refuses another', async () => {
  await using site = await openSite()
  const { contest } = site
  const admin = await contest.admin(ALL_RIGHTS)
  accepted(await saveFields(contest, admin, { data: { registrationMode: 'approval' } }))
  for (const name of ['Anchor', 'Buoy']) {
    const email = `${name}@crews.test`
    // oxlint-disable-next-line no-await-in-loop -- the queue has an order
    accepted(await contest.call(registerV2, { body: { name, email } }))
  }
  const page = await site.visitor({ team: admin, viewport: PHONE })
  const keys = await withoutMouse(page)
  await page.goto('/admin/registration')
  const row = (name: RegExp) => page.getByRole('row', { name })
  await keys.to(row(/Anchor/).getByRole('checkbox'))
  await expectSound(page)
  await keys.press('Space')
  await keys.to(button(page, 'Approve'))
  await keys.press('Enter')
  await row(/Anchor/).waitFor({ state: 'detached' })
  await keys.to(row(/Buoy/).getByRole('checkbox'))
  await keys.press('Space')
  await keys.to(button(page, 'Refuse'))
  await keys.press('Enter')
  const dialog = page.getByRole('dialog')
  await keys.to(dialog.getByLabel('Reason'))
  await expectSound(page)
  await keys.type('Only schools')
  await keys.to(dialog.getByRole('button', { name: 'Refuse' }))
  await keys.press('Enter')
  await page.getByText('No registration is waiting.').waitFor()
  await expectSound(page)
  expect([...contest.world().teams()].map(({ name }) => name)).toContain('Anchor')
  expect(site.complaints).toEqual([])
})

test('an organiser adds a field', async () => {
  await using site = await openSite()
  const page = await site.visitor({ team: await site.contest.admin(ALL_RIGHTS), viewport: PHONE })
  const keys = await withoutMouse(page)
  await page.goto('/admin/registration?tab=fields')
  await keys.to(button(page, 'Add field'))
  await keys.press('Enter')
  const dialog = page.getByRole('dialog')
  await keys.to(dialog.getByLabel('ID'))
  await keys.type('home')
  await keys.to(dialog.getByLabel('Kind'))
  await keys.type('Country')
  await keys.to(dialog.getByLabel('Label'))
  await keys.type('Home country')
  await expectSound(page)
  await keys.to(dialog.getByRole('button', { name: 'Save' }))
  await keys.press('Enter')
  await page.getByRole('cell', { name: 'Home country', exact: true }).waitFor()
  await expectSound(page)
  expect(site.contest.world().settings.fields).toMatchObject([{ id: 'home', kind: 'country' }])
  expect(site.complaints).toEqual([])
})

test('an organiser writes a page, and a mail to all teams', async () => {
  await using site = await openSite(mailed)
  await site.contest.team('Sailors')
  const page = await site.visitor({ team: await site.contest.admin(ALL_RIGHTS), viewport: PHONE })
  const keys = await withoutMouse(page)
  await page.goto('/admin/pages/new')
  await keys.to(page.getByRole('combobox', { name: 'Start from' }))
  await keys.type('FAQ')
  await keys.to(page.getByRole('checkbox', { name: 'Published' }))
  await keys.press('Space')
  await expectSound(page)
  await keys.to(button(page, 'Save'))
  await keys.press('Enter')
  await page.getByRole('heading', { name: 'FAQ' }).waitFor()
  await expectSound(page)

  await page.goto('/admin/mail')
  await keys.to(page.getByRole('textbox', { name: 'Subject' }))
  await keys.type('News')
  await keys.to(page.getByRole('textbox', { name: 'Text' }))
  await keys.type('Hello')
  await keys.to(button(page, 'Preview'))
  await keys.press('Enter')
  const preview = page.getByRole('dialog', { name: 'The mail as it will be sent' })
  await keys.to(preview.getByRole('button', { name: 'Send 1 mail' }))
  await expectSound(page)
  await keys.press('Enter')
  await page.getByRole('table', { name: 'Mail' }).getByText('News').waitFor()
  await expectSound(page)
  expect(site.complaints).toEqual([])
})

test('an organiser confirms with a passkey, makes recovery codes, and adds a person with a role', async () => {
  const { origin, site } = await openNamedSite({ organisers: { secondFactor: 'all' } })
  await using _ = site
  const owner = await personIn(site.contest, (await site.contest.admin()).id, { name: 'Grace' })
  const page = await site.visitor({ baseURL: origin, viewport: PHONE })
  const keys = await withoutMouse(page)
  await plugIn(page)
  await page.goto('/login')
  await page.evaluate((token) => localStorage.setItem('pennant.token', token), owner.token)
  await page.goto('/settings#ways')
  const ways = page.getByRole('region', { name: 'Ways to sign in' })
  for (const name of ['Add passkey', 'Confirm with a passkey', 'Make new recovery codes']) {
    // oxlint-disable no-await-in-loop -- one after the other
    await keys.to(ways.getByRole('button', { name }))
    await keys.press('Enter')
    // oxlint-enable no-await-in-loop
  }
  await ways.getByText('Recovery codes left: 10.').waitFor()
  await expectSound(page)
  await page.goto('/admin/people')
  const organisers = page.getByRole('region', { name: 'Organisers', exact: true })
  // The lists above and below have their size.
  await page.getByRole('region', { name: 'Sessions of organisers' }).getByText('this browser').waitFor()
  await keys.to(organisers.getByLabel('Name', { exact: true }))
  await keys.type('Linus')
  await keys.press('Enter')
  await organisers.getByText('Give this link to the person').waitFor()
  await keys.to(organisers.getByLabel('Permissions of Linus'))
  await keys.type('Judge')
  await page.getByText('Permissions of Linus saved.').waitFor({ state: 'attached' })
  await expectSound(page)
  expect(site.complaints).toEqual([])
})
