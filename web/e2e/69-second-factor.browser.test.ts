import { HOUR_MS } from '@pennant/contract/durations.ts'
import { readMe } from '@pennant/contract/people.ts'
import { expect, test } from 'vitest'
import { beginSession } from '../../server/src/features/people/persons/sessions.ts'
import { personIn } from '../../server/test/people.ts'
import { gotoLive } from './harness.ts'
import { openNamedSite, plugIn } from './passkeys.ts'

test('an organiser confirms with a passkey, keeps recovery codes, and gives a person a role', async () => {
  const { origin, site } = await openNamedSite({ organisers: { secondFactor: 'all' } })
  await using _ = site
  const { contest } = site
  const team = await contest.admin()
  const owner = await personIn(contest, team.id, { name: 'Grace' })
  const page = await site.visitor({ baseURL: origin })
  await plugIn(page)
  await page.goto('/login')
  // The token of the team is no way in.
  await page.evaluate((token) => localStorage.setItem('pennant.token', token), team.token)
  await page.goto('/admin')
  await page.getByText('sign in as a person with a passkey').waitFor()
  await page.evaluate((token) => localStorage.setItem('pennant.token', token), owner.token)
  await page.goto('/admin')
  await page.getByRole('link', { name: 'Confirm in the settings' }).click()
  const ways = page.getByRole('region', { name: 'Ways to sign in' })
  await ways.getByText('Add a passkey above, then confirm with it.').waitFor()
  await ways.getByRole('button', { name: 'Add passkey' }).click()
  await ways.getByRole('button', { name: 'Confirm with a passkey' }).click()
  await ways.getByText('This session has a second factor.').waitFor()
  await ways.getByRole('button', { name: 'Make new recovery codes' }).click()
  await ways.getByText('Store these codes now').waitFor()
  const code = (await ways.locator('code').first().textContent()) ?? ''
  await ways.getByText('Recovery codes left: 10.').waitFor()

  await gotoLive(page, '/admin/people')
  const organisers = page.getByRole('region', { name: 'Organisers', exact: true })
  await organisers.getByLabel('Name', { exact: true }).fill('Linus <b>')
  await organisers.getByRole('button', { name: 'Add person' }).click()
  await organisers.getByText('Give this link to the person').waitFor()
  await organisers.getByLabel('Permissions of Linus <b>').selectOption({ label: 'Judge' })
  await page.getByText('Permissions of Linus <b> saved.').waitFor({ state: 'attached' })
  const sessions = page.getByRole('region', { name: 'Sessions of organisers' })
  await sessions.getByText('this browser').waitFor()
  await page.setViewportSize({ width: 360, height: 800 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)

  const later = await personSession(owner.id)
  const other = await site.visitor({ baseURL: origin, team: later })
  await other.goto('/settings#ways')
  await other.getByText('Until then, this session has no permissions.').waitFor()
  await other.getByLabel('Recovery code').fill('nothing')
  await other.getByRole('button', { name: 'Use recovery code' }).click()
  await other.getByText('This recovery code is wrong or used.').waitFor()
  await other.getByLabel('Recovery code').fill(code)
  await other.getByRole('button', { name: 'Use recovery code' }).click()
  await other.getByText('Recovery codes left: 9.').waitFor()

  // Signing out ends the session on the server.
  const token = await page.evaluate(() => localStorage.getItem('pennant.token') ?? '')
  const ended = page.waitForResponse((response) => response.url().endsWith('/people/sign-out'))
  await page.getByRole('button', { name: /menu/i }).first().click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await ended
  expect((await contest.call(readMe, { token })).kind).toBe('badToken')
  expect(site.complaints).toEqual([])

  async function personSession(personId: string) {
    const { db, tokens, now } = contest.app.stores
    const session = { personId, methods: ['mail'], browser: '', ip: '', lifeMs: HOUR_MS }
    return { id: personId, token: await beginSession({ db, tokens, now }, session) }
  }
})
