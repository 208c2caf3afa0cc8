import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { expect, test } from 'vitest'
import { personIn, teamless } from '../../server/test/people.ts'
import { accepted, openSite } from './harness.ts'
import { openNamedSite, plugIn } from './passkeys.ts'

test('a person adds a passkey, signs in with it, and removes it', async () => {
  const { origin, site } = await openNamedSite()
  await using _ = site
  const { contest } = site
  const team = await contest.team('Sailors')
  const person = await personIn(contest, team.id, { name: 'Ada <b>', email: 'ada@ctf.example' })
  const page = await site.visitor({ baseURL: origin })
  const authenticator = await plugIn(page)
  await page.goto('/login')
  await page.evaluate((token) => localStorage.setItem('pennant.token', token), person.token)
  await page.goto('/settings#ways')
  const section = page.getByRole('region', { name: 'Ways to sign in' })
  await section.getByLabel('Name of the passkey').fill('Laptop <i>')
  // Whoever cancels, or is not recognised, reads it without alarm.
  await authenticator.setUserVerified(false)
  await section.getByRole('button', { name: 'Add passkey' }).click()
  await section.getByText('No passkey was used. You can try again, or sign in another way.').waitFor()
  await authenticator.setUserVerified(true)
  await section.getByRole('button', { name: 'Add passkey' }).click()
  await section.getByText('never used').waitFor()
  expect(await authenticator.credentials()).toHaveLength(1)
  await section.getByRole('button', { name: 'Add passkey' }).click()
  await section.getByText('This device already has a passkey for your account.').waitFor()
  await section.getByRole('button', { name: 'Rename Laptop <i>' }).click()
  await section.getByLabel('Name of the passkey').first().fill('Work laptop')
  await section.getByRole('button', { name: 'Save name' }).click()
  await section.getByText('Work laptop', { exact: true }).first().waitFor()

  await page.evaluate(() => localStorage.clear())
  await page.goto('/login?next=%2Fsettings')
  await authenticator.setUserVerified(false)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('No passkey was used. You can try again, or sign in another way.').waitFor()
  await authenticator.setUserVerified(true)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('You are signed in as Ada <b>.').waitFor()
  await section.getByText('last used').waitFor()

  await section.getByRole('button', { name: 'Create link' }).click()
  await section.getByText('shown only once').waitFor()
  await section.getByRole('button', { name: 'Remove Work laptop' }).click()
  await section.getByRole('button', { name: 'Confirm' }).click()
  await section.getByText('No passkeys yet.').waitFor()
  await page.evaluate(() => localStorage.clear())
  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('The passkey was not accepted.').waitFor()
  expect(site.complaints).toEqual([])
})

test('whoever gets no team in an event for individuals reads why', async () => {
  const { origin, site } = await openNamedSite({ people: { individual: true } })
  await using _ = site
  const { contest } = site
  const admin = await contest.admin(63)
  const person = await teamless(contest, { name: 'Ada', email: 'ada@ctf.example' })
  const page = await site.visitor({ baseURL: origin })
  await plugIn(page)
  await page.goto('/login')
  await page.evaluate((token) => localStorage.setItem('pennant.token', token), person.token)
  await page.goto('/settings')
  await page.getByLabel('Name of the passkey').fill('Laptop')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByText('never used').waitFor()
  const data = { registrationMode: 'closed' as const }
  accepted(await contest.call(updateSettings, { token: admin.token, body: { data } }))
  await page.evaluate(() => localStorage.clear())
  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL('**/join')
  await page.getByText('Registration is not open, so you cannot take part yet.').waitFor()
  expect(site.complaints).toEqual([])
})

test('a passkey of this site does not work at another origin', async () => {
  const { origin, site } = await openNamedSite()
  await using _ = site
  // Another port of the host is another origin with the same relying party, so that only the server can refuse it.
  await using elsewhere = await openSite({ origin })
  const page = await site.visitor({ baseURL: elsewhere.contest.url.replace('127.0.0.1', 'localhost') })
  await plugIn(page)
  const person = await personIn(elsewhere.contest, (await elsewhere.contest.team()).id)
  await page.goto('/login')
  await page.evaluate((token) => localStorage.setItem('pennant.token', token), person.token)
  await page.goto('/settings#ways')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByText('The passkey was not accepted.').waitFor()
  expect([...site.complaints, ...elsewhere.complaints]).toEqual([])
})

test('a bare address has no passkeys', async () => {
  await using site = await openSite()
  const person = await personIn(site.contest, (await site.contest.team()).id)
  const page = await site.visitor({ team: person })
  await page.goto('/settings#ways')
  await page.getByText('This browser has no passkeys for this site.').waitFor()
  expect(await page.getByRole('button', { name: 'Add passkey' }).count()).toBe(0)
})
