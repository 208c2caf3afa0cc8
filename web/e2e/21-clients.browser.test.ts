import { exchangeExternalAuthCode } from '@pennant/contract/external-auth.ts'
import { readOwnProfileV2 } from '@pennant/contract/teams.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openSite } from './harness.ts'

const ALL_RIGHTS = 63
const BACK = 'https://shop.example/back?shelf=1'

test('a client is created, a team agrees, and the code is exchanged for an access token', async () => {
  await using site = await openSite()
  const { contest } = site
  const organiser = await site.visitor({ team: await contest.admin(ALL_RIGHTS) })
  await organiser.goto('/admin/clients')
  await organiser.getByText('No sign-in clients yet.').waitFor()
  const { id, secret } = await makeClient(organiser)

  const team = await contest.team('Sailors')
  const page = await site.visitor({ team })
  const returns = await shopOf(page)
  await page.goto(askedBy(id))
  await page.getByRole('heading', { level: 1, name: 'Continue to The Shop' }).waitFor()
  await page.getByText('shop.example', { exact: true }).waitFor()
  await page.getByText('cannot read your team token and cannot change how you sign in').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => returns.at(-1)?.search).toBe('?shelf=1&error=access_denied&state=a+b')

  await page.goto(askedBy(id))
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect.poll(() => returns.at(-1)?.searchParams.get('code')).toMatch(/./)
  const given = returns.at(-1)?.searchParams
  expect([given?.get('shelf'), given?.get('state')]).toEqual(['1', 'a b'])
  const body = { clientId: id, clientSecret: secret, code: given?.get('code') ?? '' }
  const exchanged = await contest.call(exchangeExternalAuthCode, { body })
  if (exchanged.kind !== 'goodExternalAuthToken') throw new Error(exchanged.kind)
  const own = await contest.call(readOwnProfileV2, { token: exchanged.data.accessToken })
  expect(own.data).toMatchObject({ name: 'Sailors' })

  await organiser.getByRole('button', { name: 'Delete The Shop' }).click()
  const question = organiser.getByRole('dialog', { name: 'Delete The Shop?' })
  await question.getByText('Tokens already issued keep working, unless you end them here.').waitFor()
  const remove = question.getByRole('button', { name: 'Delete' })
  expect(await remove.getAttribute('aria-disabled')).toBe('true')
  await question.getByRole('textbox').fill('The Shop')
  await question.getByRole('checkbox', { name: 'End the tokens that it was given' }).check()
  await remove.click()
  await organiser.getByText('No sign-in clients yet.').waitFor()
  await page.goto(askedBy(id))
  await page.getByText('This sign-in request is not valid. Contact the site that sent you here.').waitFor()
  expect((await contest.call(readOwnProfileV2, { token: exchanged.data.accessToken })).kind).toBe('badToken')
  expect(site.complaints).toEqual([])
})

test('a link with another redirect URI is refused, and signed-out visitors sign in first', async () => {
  await using site = await openSite()
  const { contest } = site
  const organiser = await site.visitor({ team: await contest.admin(ALL_RIGHTS) })
  await organiser.goto('/admin/clients')
  const form = organiser.getByRole('region', { name: 'New client' })
  await form.getByLabel('Redirect URI').fill('shop.example/back')
  await form.getByRole('button', { name: 'Create client' }).click()
  await form.getByText('Enter an absolute http or https URL.').waitFor()
  const { id } = await makeClient(organiser)

  const team = await contest.team()
  const own = await contest.call(readOwnProfileV2, { token: team.token })
  if (own.kind !== 'goodUserSelfData') throw new Error(own.kind)
  const page = await site.visitor()
  const returns = await shopOf(page)
  await page.goto(askedBy(id, 'https://shop.example/back'))
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Team token').fill(own.data.teamToken)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'This sign-in request is not valid' }).waitFor()
  for (const wrong of ['https://shop.example/back?shelf=2', 'https://evil.example/', '']) {
    await page.goto(askedBy(id, wrong))
    await page.getByRole('heading', { level: 1, name: 'This sign-in request is not valid' }).waitFor()
  }
  expect(returns).toEqual([])
  expect(site.complaints).toEqual([])
})

async function makeClient(page: Page) {
  const form = page.getByRole('region', { name: 'New client' })
  await form.getByLabel('Name').fill('The Shop')
  await form.getByLabel('Redirect URI').fill(BACK)
  await form.getByLabel('How it signs in').selectOption('external-auth')
  await form.getByLabel('Redirect URI').focus()
  await page.keyboard.press('Enter')
  const made = page.getByRole('region', { name: 'The Shop created' })
  const done = made.getByRole('button', { name: 'Done' })
  expect(await done.getAttribute('aria-disabled')).toBe('true')
  const secret = made.getByRole('group', { name: 'Client secret' })
  await secret.getByRole('button', { name: 'Reveal' }).click()
  const shown = {
    id: await made.locator('code').first().innerText(),
    secret: await secret.locator('code').innerText(),
  }
  await made.getByRole('checkbox', { name: 'I have saved the secret' }).check()
  await done.click()
  await form.waitFor()
  await page
    .getByRole('table', { name: 'Clients' })
    .getByRole('row', { name: /The Shop/ })
    .waitFor()
  return shown
}

function askedBy(clientId: string, redirectUri = BACK): string {
  const asked = new URLSearchParams({ client_id: clientId, redirect_uri: redirectUri, state: 'a b' })
  return `/external-auth/authorize?${asked}`
}

/** A fake client site that records its callbacks. */
async function shopOf(page: Page): Promise<URL[]> {
  const returns: URL[] = []
  await page.route(/^https:\/\/(?:shop|evil)\.example\//, (route) => {
    returns.push(new URL(route.request().url()))
    return route.fulfill({ contentType: 'text/html', body: '<link rel="icon" href="data:,">Back' })
  })
  return returns
}
