import { expect, test } from 'vitest'
import { ourClient, startOpenIdProvider } from '../../server/test/openid-provider.ts'
import { findFreePort } from '../../server/src/lib/free-port.ts'
import { openSite } from './harness.ts'

test('a person signs in with an account of a provider, and cancels at another time', async () => {
  const port = await findFreePort()
  const origin = `http://127.0.0.1:${port}`
  await using provider = await startOpenIdProvider(`${origin}/sign-in/return/school`)
  const { issuer } = provider
  await using site = await openSite({
    origin,
    port,
    people: { providers: [{ id: 'school', label: 'School <b>', issuer, ...ourClient }] },
  })
  const page = await site.visitor()
  provider.subject = null
  await page.goto('/login?next=%2Fscores')
  await page.getByRole('button', { name: 'Sign in with School <b>' }).click()
  await page.getByText('You did not sign in at the provider.').waitFor()
  provider.subject = 'ada'
  provider.accounts.set('ada', { name: 'Ada', email: '<img src=x>@school.example' })
  await page.getByRole('link', { name: 'Other ways to sign in' }).click()
  await page.getByRole('button', { name: 'Sign in with School <b>' }).click()
  await page.getByRole('heading', { name: 'Keep your personal link' }).waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Linked to <img src=x>@school.example.').waitFor()
  await page.getByText('You are signed in as Ada.').waitFor()
  // Without a beginning in this tab, a response is refused before it is sent.
  await page.goto('/sign-in/return/school?code=stolen&state=of-someone')
  await page.getByText('This sign-in did not begin in this tab. Start again.').waitFor()
  expect(site.complaints.filter((each) => !each.includes('40'))).toEqual([])
})
