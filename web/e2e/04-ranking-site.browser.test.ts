import { setExtrank, exchangeExtrankCode } from '@pennant/contract/extrank.ts'
import { readOwnProfileV2 } from '@pennant/contract/teams.ts'
import { expect, test } from 'vitest'
import { siteClient, startFakeRankingSite } from '../../server/test/ranking-site.ts'
import { announced, openSite } from './harness.ts'

const CALLBACK = '/integrations/extrank/callback'

test('a ranking site team registers once and then signs in directly', async () => {
  await using ranking = await startFakeRankingSite()
  await using site = await openSite({ extrank: ours(ranking) })
  ranking.teams.set('first', { id: 77, name: 'Old Salts' })
  const page = await site.visitor()
  await page.goto('/login?next=/scores')
  await page.getByRole('button', { name: 'Sign in with the ranking site' }).click()
  await page.getByText('You are signed in to the ranking site as Old Salts.').waitFor()
  expect(new URL(page.url()).pathname).toBe('/register')
  expect(await page.getByLabel('Team name').inputValue()).toBe('Old Salts')
  // The proof of the ranking site team survives a reload.
  await page.reload()
  await page.getByLabel('Team name').fill('Old Salts here')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('checkbox', { name: 'I have saved it' }).check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('**/scores')

  ranking.teams.set('second', { id: 77, name: 'Old Salts' })
  const other = await site.visitor()
  await other.goto('/login?next=/settings')
  await other.getByRole('button', { name: 'Sign in with the ranking site' }).click()
  await other.waitForURL('**/settings')
  await other.getByText('Linked to team 77.').waitFor()
  expect(await other.getByLabel('Team name').inputValue()).toBe('Old Salts here')
  await other.goBack()
  expect(other.url()).not.toContain('code=')
  expect(site.complaints).toEqual([])
})

test('a tampered, replayed or refused callback does not sign in', async () => {
  await using ranking = await startFakeRankingSite()
  await using site = await openSite({ extrank: ours(ranking) })
  const page = await site.visitor()
  ranking.teams.set('code', { id: 1, name: 'Old Salts' })
  await page.goto(`${CALLBACK}?code=code&state=guessed`)
  await page.getByText('This sign-in was started in another tab').waitFor()

  // The state of this tab with one extra character.
  let state = ''
  await page.route(`${ranking.authorizeUrl}?*`, (route) => {
    state = new URL(route.request().url()).searchParams.get('state') ?? ''
    return route.fulfill({ status: 204 })
  })
  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign in with the ranking site' }).click()
  await expect.poll(() => state).not.toBe('')
  await page.goto(`${CALLBACK}?code=code&state=${state}0`)
  await page.getByText('This sign-in was started in another tab').waitFor()
  expect(ranking.requests.filter(({ path }) => path === '/token')).toEqual([])
  await page.unroute(`${ranking.authorizeUrl}?*`)

  ranking.teams.clear()
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await page.getByRole('button', { name: 'Sign in with the ranking site' }).click()
  await page.getByText('The ranking site sign-in has expired. Sign in there again.').waitFor()
  await page.reload()
  await page.getByText('This sign-in was started in another tab').waitFor()
  expect(site.complaints).toEqual([])
})

test('a signed-in team links the ranking site once from its settings', async () => {
  await using ranking = await startFakeRankingSite()
  await using site = await openSite({ extrank: ours(ranking) })
  const { contest } = site
  const team = await contest.team()
  ranking.teams.set('code', { id: 5, name: 'Old Salts' })
  const page = await site.visitor({ team })
  await page.goto('/settings')
  const section = page.getByRole('region', { name: 'Ranking site' })
  await section.getByRole('button', { name: 'Link to the ranking site' }).click()
  await page.waitForURL('**/settings#ranking-site')
  await section.getByText('Linked to team 5.').waitFor()
  await page.getByText('Ranking site linked.').waitFor()
  const own = await contest.call(readOwnProfileV2, { token: team.token })
  expect(own.data).toMatchObject({ extrankId: '5' })

  const rival = await contest.team()
  ranking.teams.set('next', { id: 6, name: 'Rivals' })
  const handoff = await contest.call(exchangeExtrankCode, { body: { extrankCode: 'next' } })
  if (handoff.kind !== 'goodExtrankToken') throw new Error(handoff.kind)
  const { extrankToken } = handoff.data
  await contest.call(setExtrank, { token: rival.token, body: { extrankToken } })
  await section.getByRole('button', { name: 'Link another team' }).click()
  await page.getByText('This ranking site account is linked to another team.').waitFor()
  await page.getByRole('link', { name: 'Back to settings' }).click()
  const unlink = section.getByRole('button').last()
  await unlink.click()
  await unlink.click()
  await announced(page, 'The ranking site is unlinked.').waitFor()
  expect(site.complaints).toEqual([])
})

function ours({ authorizeUrl, tokenUrl, userUrl }: Awaited<ReturnType<typeof startFakeRankingSite>>) {
  return { ...siteClient, authorizeUrl, tokenUrl, userUrl }
}
