import { expect, test } from 'vitest'
import { setJoinLink } from '@pennant/contract/people.ts'
import { openSite } from './harness.ts'
import { mailed } from './register.ts'
import { violationsOf } from './violations.ts'
import { tokenMailedTo } from '../../server/test/mail.ts'

test('a person signs in by mail, keeps a personal link, and ends a session', async () => {
  await using site = await openSite(mailed)
  const page = await site.visitor()
  await page.goto('/login')
  await page.getByLabel('Email address').fill('ada@ctf.example')
  await page.getByRole('button', { name: 'Email me a link' }).click()
  await page.getByText('We sent a link to ada@ctf.example.').waitFor()
  const token = await tokenMailedTo(site.contest, 'ada@ctf.example')
  await page.goto(`/sign-in/link#token=${encodeURIComponent(token)}`)
  await page.getByLabel('Your name').fill('Ada <b>')
  expect(new URL(page.url()).hash).toBe('')
  await page.getByRole('button', { name: 'Continue' }).click()
  const kept = page.getByRole('group', { name: 'Personal link' })
  await kept.getByRole('button', { name: 'Reveal' }).click()
  const link = (await kept.locator('code').textContent()) ?? ''
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { level: 2, name: 'Ways to sign in' }).waitFor()
  await page.getByText('You are signed in as Ada <b>.').waitFor()
  await page.getByText('You have a personal link.').waitFor()
  const other = await site.visitor()
  await other.goto(new URL(link).pathname + new URL(link).hash)
  await other.getByText('This signs you in as Ada <b>.').waitFor()
  await other.getByRole('button', { name: 'Sign in' }).click()
  await other.waitForURL((url) => url.pathname === '/')
  await other.goto('/settings')
  await other.getByRole('heading', { level: 2, name: 'Sessions' }).waitFor()

  await page.reload()
  await page.getByRole('button', { name: /^End the session in Chromium/ }).click()
  await page.getByText('Session ended.').waitFor({ state: 'attached' })
  await other.reload()
  await other.getByText('Sign in to see this page.').waitFor()

  const late = await site.visitor()
  await late.goto(`/sign-in/link#token=${encodeURIComponent(token)}`)
  await late.getByText('This link is invalid, used, replaced or expired.').waitFor()
  expect(site.complaints.filter((each) => !each.includes('40'))).toEqual([])
})

test('someone who was invited comes back to the team after the mail', async () => {
  await using site = await openSite(mailed)
  const team = await site.contest.team('Sailors')
  const made = await site.contest.call(setJoinLink, { token: team.token, body: { isOn: true } })
  if (made.kind !== 'goodTeamPeople') throw new Error(made.kind)
  const page = await site.visitor()
  await page.goto(`/join/${made.data.joinCode}`)
  await page.getByText('This link invites you to the team Sailors.').waitFor()
  await page.goto('/login')
  await page.getByLabel('Email address').fill('ben@ctf.example')
  await page.getByRole('button', { name: 'Email me a link' }).click()
  await page.getByText('We sent a link to ben@ctf.example.').waitFor()
  const token = await tokenMailedTo(site.contest, 'ben@ctf.example')
  // As from a mail: a new tab of the same browser.
  const tab = await page.context().newPage()
  await tab.goto(`/sign-in/link#token=${encodeURIComponent(token)}`)
  await tab.getByLabel('Your name').fill('Ben')
  await tab.getByRole('button', { name: 'Continue' }).click()
  await tab.getByRole('heading', { name: 'Keep your personal link' }).waitFor()
  await tab.getByRole('button', { name: 'Continue' }).click()
  await tab.getByRole('button', { name: 'Join Sailors' }).click()
  await tab.waitForURL('**/profile')
})

test('nothing of people shows in an event of teams', async () => {
  await using site = await openSite({ ...mailed, people: 'off' })
  const page = await site.visitor()
  await page.goto('/login')
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  expect(await page.getByText('Sign in as a person').count()).toBe(0)
})
