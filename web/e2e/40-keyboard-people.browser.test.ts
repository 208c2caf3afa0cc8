import { readFile } from 'node:fs/promises'
import { startDeviceSignIn } from '@pennant/contract/device-sign-in.ts'
import { createExternalAuthClient } from '@pennant/contract/external-auth.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findFreePort } from '../../server/src/lib/free-port.ts'
import { saveFields, textField } from '../../server/test/fields.ts'
import { ourClient, startOpenIdProvider } from '../../server/test/openid-provider.ts'
import { personIn, teamless } from '../../server/test/people.ts'
import { accepted, openSite } from './harness.ts'
import { withoutMouse } from './keyboard.ts'
import { openNamedSite, plugIn } from './passkeys.ts'
import { mailed } from './register.ts'
import { expectSound, PHONE } from './violations.ts'

// People who take part, with the keyboard alone and on a narrow screen.

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })

test('a captain invites, a person joins and is removed', async () => {
  await using site = await openSite()
  const team = await site.contest.team('Sailors')
  const captain = await personIn(site.contest, team.id, { name: 'Ada', isCaptain: true })
  const page = await site.visitor({ team: captain, viewport: PHONE })
  const keys = await withoutMouse(page)
  await page.goto('/settings')
  const part = page.getByRole('region', { name: 'People' })
  await keys.to(part.getByRole('button', { name: 'Make a link' }))
  await keys.press('Enter')
  const link = await part.locator('code').innerText()
  await expectSound(page)

  const person = await teamless(site.contest, { name: 'Grace' })
  const other = await site.visitor({ team: person, viewport: PHONE })
  const otherKeys = await withoutMouse(other)
  await other.goto('/join')
  await otherKeys.to(other.getByLabel('Link or code'))
  await otherKeys.type(link)
  await otherKeys.press('Enter')
  await button(other, 'Join Sailors').waitFor()
  await expectSound(other)
  await otherKeys.to(button(other, 'Join Sailors'))
  await otherKeys.press('Enter')
  await other.waitForURL('**/profile')
  await other.getByRole('heading', { level: 1, name: 'Sailors' }).waitFor()
  await expectSound(other)

  await page.reload()
  await keys.to(part.getByRole('button', { name: 'Remove Grace' }))
  await keys.press('Enter')
  await keys.press('Enter')
  await part.getByText('Grace').waitFor({ state: 'detached' })
  expect(site.complaints).toEqual([])
})

test('a person signs in with an account of a provider', async () => {
  const port = await findFreePort()
  const origin = `http://127.0.0.1:${port}`
  await using provider = await startOpenIdProvider(`${origin}/sign-in/return/school`)
  provider.subject = 'ada'
  provider.accounts.set('ada', { name: 'Ada', email: 'ada@school.example' })
  const providers = [{ id: 'school', label: 'School', issuer: provider.issuer, ...ourClient }]
  await using site = await openSite({ origin, port, people: { providers } })
  const page = await site.visitor({ viewport: PHONE })
  const keys = await withoutMouse(page)
  await page.goto('/login?next=%2Fscores')
  await button(page, 'Sign in with School').waitFor()
  await expectSound(page)
  await keys.to(button(page, 'Sign in with School'))
  await keys.press('Enter')
  await page.getByRole('heading', { name: 'Keep your personal link' }).waitFor()
  await expectSound(page)
  await keys.to(button(page, 'Continue'))
  await keys.press('Enter')
  await page.getByText('Linked to ada@school.example.').waitFor()
  expect(site.complaints.filter((each) => !each.includes('40'))).toEqual([])
})

test('a person adds, renames, uses and removes a passkey', async () => {
  const { origin, site } = await openNamedSite()
  await using _ = site
  const team = await site.contest.team('Sailors')
  const person = await personIn(site.contest, team.id, { name: 'Ada', email: 'ada@ctf.example' })
  const page = await site.visitor({ baseURL: origin, viewport: PHONE })
  const keys = await withoutMouse(page)
  await page.goto('/login')
  await page.evaluate((token) => localStorage.setItem('pennant.token', token), person.token)
  await page.goto('/settings#ways')
  const section = page.getByRole('region', { name: 'Ways to sign in' })
  await section.getByLabel('Name of the passkey').waitFor()
  // Before the authenticator, which does not outlive the session of this check.
  await expectSound(page)
  await plugIn(page)
  await keys.to(section.getByLabel('Name of the passkey'))
  await keys.type('Laptop')
  await keys.press('Enter')
  await keys.to(section.getByRole('button', { name: 'Rename Laptop' }))
  await keys.press('Enter')
  await keys.to(section.getByLabel('Name of the passkey').first())
  await keys.press('Control+a')
  await keys.type('Work')
  await keys.press('Enter')
  await section.getByText('Work', { exact: true }).first().waitFor()
  await keys.to(page.getByRole('button', { name: /menu/i }).first())
  await keys.press('Enter')
  await keys.to(page.getByRole('menuitem', { name: 'Sign out' }), 'ArrowDown')
  await keys.press('Enter')
  await keys.to(page.getByRole('link', { name: 'Sign in' }).first())
  await keys.press('Enter')
  await keys.to(button(page, 'Sign in with a passkey'))
  await keys.press('Enter')
  await page.waitForURL((url) => url.pathname !== '/login')
  await page.goto('/settings#ways')
  await section.getByText('last used').waitFor()
  await keys.to(section.getByRole('button', { name: 'Create link' }))
  await keys.press('Enter')
  await section.getByText('shown only once').waitFor()
  await keys.to(section.getByRole('button', { name: 'Remove Work' }))
  await keys.press('Enter')
  await keys.press('Enter')
  await section.getByText('No passkeys yet.').waitFor()
  await expectSound(page)
  expect(site.complaints).toEqual([])
})

test('a team makes a token for a program and revokes it', async () => {
  await using site = await openSite()
  const page = await site.visitor({ team: await site.contest.team('Sailors'), viewport: PHONE })
  const keys = await withoutMouse(page)
  await page.goto('/settings#api-tokens')
  const section = page.getByRole('region', { name: 'API tokens' })
  await keys.to(section.getByLabel('Name'))
  await keys.type('solver')
  await keys.to(section.getByRole('checkbox', { name: /^read/ }))
  await keys.press('Space')
  await keys.to(section.getByRole('button', { name: 'Create token' }))
  await expectSound(page)
  await keys.press('Enter')
  await section.getByText('It is not shown again.').waitFor()
  await expectSound(page)
  await keys.to(section.getByRole('checkbox', { name: 'I have stored the token.' }))
  await keys.press('Space')
  await keys.to(section.getByRole('button', { name: 'Done' }))
  await keys.press('Enter')
  await keys.to(section.getByRole('button', { name: 'Revoke solver' }))
  await keys.press('Enter')
  const question = page.getByRole('dialog', { name: 'Revoke “solver”?' })
  await keys.to(question.getByRole('button', { name: 'Revoke' }))
  await expectSound(page)
  await keys.press('Enter')
  await section.getByText('No API tokens.').waitFor()
  expect(site.complaints).toEqual([])
})

test('a team answers the fields of organisers', async () => {
  await using site = await openSite()
  const country = textField('home', { kind: 'country', asked: 'later' } as never)
  const consent = { kind: 'consent', version: 1, required: true } as never
  const fields = [textField('school', { required: true }), country, textField('rules', consent)]
  accepted(await saveFields(site.contest, await site.contest.admin(63), { data: { fields } }))
  const page = await site.visitor({ team: await site.contest.team('Sailors'), viewport: PHONE })
  const keys = await withoutMouse(page)
  await page.goto('/settings#team-fields')
  const form = page.getByRole('region', { name: 'Team details' })
  await form.getByRole('status').filter({ hasText: 'Label of school' }).waitFor()
  await expectSound(page)
  await keys.to(form.getByLabel('Label of school'))
  await keys.type('Hill School')
  await keys.to(form.getByLabel('Label of home'))
  await keys.type('Norw')
  await page.getByRole('option', { name: /Norway/ }).waitFor()
  await expectSound(page)
  await keys.press('ArrowDown')
  await keys.press('Enter')
  await keys.to(form.getByRole('checkbox', { name: 'Label of rules' }))
  await keys.press('Space')
  await keys.to(form.getByRole('button', { name: 'Save' }))
  await keys.press('Enter')
  await form.getByText('Saved').first().waitFor()
  expect(site.complaints).toEqual([])
})

test('a team agrees to a sign-in elsewhere, and lets a program in', async () => {
  await using site = await openSite()
  const { contest } = site
  const back = 'https://wiki.example/back'
  const client = await contest.call(createExternalAuthClient, {
    token: (await contest.admin()).token,
    body: { name: 'The Wiki', redirectUri: back, kind: 'openid' },
  })
  if (client.kind !== 'goodAdminExternalAuthClientCreate') throw new Error(client.kind)
  const query = new URLSearchParams({
    client_id: client.data.id,
    redirect_uri: back,
    response_type: 'code',
    scope: 'openid team',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  })
  const page = await site.visitor({ team: await contest.team('Sailors'), viewport: PHONE })
  const keys = await withoutMouse(page)
  await page.route(/^https:\/\/wiki\.example\//, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<link rel="icon" href="data:,">Back' }),
  )
  await page.goto(`/external-auth/authorize?${query}`)
  await button(page, 'Continue').waitFor()
  await expectSound(page)
  await keys.to(button(page, 'Continue'))
  await page.keyboard.press('Enter')
  await page.waitForURL(/wiki\.example\/back\?.*code=/)

  const body = { name: 'pennant on laptop', scopes: ['read' as const] }
  const started = await contest.call(startDeviceSignIn, { body })
  if (started.kind !== 'goodDeviceStart') throw new Error(started.kind)
  await page.goto('/device')
  await keys.to(page.getByLabel('Code'))
  await keys.type(started.data.userCode.toLowerCase())
  await keys.press('Enter')
  await button(page, 'Confirm').waitFor()
  await expectSound(page)
  await keys.to(button(page, 'Confirm'))
  await keys.press('Enter')
  await page.getByText('The program is signed in.').waitFor()
  await expectSound(page)
  expect(site.complaints).toEqual([])
})

test('a person downloads the stored data and deletes the account', async () => {
  await using site = await openSite(mailed)
  const team = await site.contest.team('Sailors')
  await personIn(site.contest, team.id, { name: 'Ada', isCaptain: true })
  const person = await personIn(site.contest, team.id, { name: 'Ben', email: 'ben@club.example' })
  const page = await site.visitor({ team: person, viewport: PHONE })
  const keys = await withoutMouse(page)
  await page.goto('/settings/data')
  await keys.to(button(page, 'Download what is stored about you'))
  await expectSound(page)
  const download = page.waitForEvent('download')
  await keys.press('Enter')
  expect(await readFile(await (await download).path(), 'utf8')).toContain('ben@club.example')
  await keys.to(button(page, 'Delete my account'))
  await keys.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await keys.to(dialog.getByRole('textbox'))
  await keys.type('Ben')
  await keys.to(dialog.getByRole('button', { name: 'Delete my account' }))
  await expectSound(page)
  await keys.press('Enter')
  await page.getByText('Sign in to see this page.').waitFor()
  expect(site.complaints).toEqual([])
})
