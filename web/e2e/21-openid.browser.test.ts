import { readOwnProfileV2 } from '@pennant/contract/teams.ts'
import * as client from 'openid-client'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openSite } from './harness.ts'

const ORIGIN = 'https://ctf.example'
const BACK = 'https://wiki.example/back'

async function makeSite(page: Page) {
  await page.goto('/admin/clients')
  const form = page.getByRole('region', { name: 'New client' })
  await form.getByLabel('Name').fill('The Wiki')
  await form.getByLabel('Redirect URI').fill(BACK)
  await page.keyboard.press('Enter')
  const made = page.getByRole('region', { name: 'The Wiki created' })
  await made.getByText(`${ORIGIN}/api/v2/openid`, { exact: true }).waitFor()
  const secret = made.getByRole('group', { name: 'Client secret' })
  await secret.getByRole('button', { name: 'Reveal' }).click()
  return {
    id: await made.locator('code').first().innerText(),
    secret: await secret.locator('code').innerText(),
  }
}

test('a site signs a visitor in with OpenID Connect, who signs in here first', async () => {
  await using site = await openSite()
  const { contest } = site
  const { id, secret } = await makeSite(await site.visitor({ team: await contest.admin() }))
  const toServer: client.CustomFetch = (url, options) =>
    fetch(url.replace(ORIGIN, contest.url), options as RequestInit)
  const auth = client.ClientSecretPost(secret)
  const config = await client.discovery(new URL(`${ORIGIN}/api/v2/openid`), id, {}, auth, {
    [client.customFetch]: toServer,
  })
  config[client.customFetch] = toServer
  const [state, nonce, verifier] = [
    client.randomState(),
    client.randomNonce(),
    client.randomPKCECodeVerifier(),
  ]
  const asked = client.buildAuthorizationUrl(config, {
    redirect_uri: BACK,
    scope: 'openid profile team division email',
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })

  const team = await contest.team('Sailors')
  const own = await contest.call(readOwnProfileV2, { token: team.token })
  if (own.kind !== 'goodUserSelfData') throw new Error(own.kind)
  const page = await site.visitor()
  const returns: URL[] = []
  await page.route(/^https:\/\/wiki\.example\//, (route) => {
    returns.push(new URL(route.request().url()))
    return route.fulfill({ contentType: 'text/html', body: '<link rel="icon" href="data:,">Back' })
  })
  const open = (change: (query: URLSearchParams) => void = () => {}) => {
    const url = new URL(asked)
    change(url.searchParams)
    return page.goto(url.pathname + url.search)
  }
  await open((query) => query.set('prompt', 'none'))
  await expect.poll(() => returns.at(-1)?.searchParams.get('error')).toBe('login_required')
  await page.getByText('Back').waitFor()
  await open()
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Team token').fill(own.data.teamToken)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Continue to The Wiki' }).waitFor()
  await page.getByText('your name, your team, your division. It cannot act for you here.').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => returns.at(-1)?.searchParams.get('error')).toBe('access_denied')
  await page.getByText('Back').waitFor()
  expect(returns.at(-1)?.searchParams.get('iss')).toBe(`${ORIGIN}/api/v2/openid`)
  await open()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect.poll(() => returns.at(-1)?.searchParams.get('code')).toMatch(/./)
  await page.getByText('Back').waitFor()
  const tokens = await client.authorizationCodeGrant(config, returns.at(-1) ?? new URL(BACK), {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
  })
  expect(tokens.claims()).toMatchObject({ sub: `team:${team.id}`, name: 'Sailors', division: 'open' })

  const count = returns.length
  for (const change of [
    (query: URLSearchParams) => query.delete('code_challenge'),
    (query: URLSearchParams) => query.set('response_type', 'token'),
  ]) {
    await open(change)
    await page.getByText('need to use the authorization code flow with PKCE').waitFor()
  }
  await open((query) => query.set('redirect_uri', 'https://evil.example/'))
  await page.getByRole('heading', { level: 1, name: 'This sign-in request is not valid' }).waitFor()
  expect(returns).toHaveLength(count)
  expect(site.complaints).toEqual([])
})
