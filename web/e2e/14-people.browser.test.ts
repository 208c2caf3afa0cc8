import { expect, test } from 'vitest'
import { personIn, teamless } from '../../server/test/people.ts'
import { openSite } from './harness.ts'
import { violationsOf } from './violations.ts'

test('a captain invites by a link, and a person joins, is removed and creates a team', async () => {
  await using site = await openSite()
  const team = await site.contest.team('Sailors')
  const captain = await personIn(site.contest, team.id, { name: 'Ada', isCaptain: true })
  const page = await site.visitor({ team: captain })
  await page.goto('/settings')
  const part = page.getByRole('region', { name: 'People' })
  await part.getByRole('button', { name: 'Make a link' }).click()
  const link = await part.locator('code').innerText()
  expect(link).toMatch(/\/join\/[a-z2-9]{16}$/)
  expect(await violationsOf(page)).toEqual([])

  const stranger = await site.visitor()
  await stranger.goto(link)
  await stranger.getByText('This link invites you to the team Sailors.').waitFor()
  expect(await stranger.getByRole('link', { name: 'Sign in' }).last().getAttribute('href')).toContain('next=')
  expect(await violationsOf(stranger)).toEqual([])

  const person = await teamless(site.contest, { name: 'Grace' })
  const other = await site.visitor({ team: person, viewport: { width: 360, height: 700 } })
  await other.goto('/join')
  await other.getByLabel('Link or code').fill(link)
  await other.getByRole('button', { name: 'Next' }).click()
  await other.getByRole('button', { name: 'Join Sailors' }).click()
  await other.waitForURL('**/profile')

  await page.reload()
  await part.getByRole('button', { name: 'Remove Grace' }).click()
  await part.getByRole('button', { name: 'Remove Grace' }).click()
  await part.getByText('Grace').waitFor({ state: 'detached' })

  await other.goto('/settings')
  await other.getByRole('link', { name: 'Find your team' }).click()
  await other.getByLabel('Team name').fill('Hoppers')
  expect(await violationsOf(other)).toEqual([])
  await other.getByRole('button', { name: 'Create team' }).click()
  await other.waitForURL('**/profile')
  await other.getByRole('heading', { name: 'Hoppers' }).waitFor()
  expect(site.complaints.filter((each) => !each.includes('403'))).toEqual([])
})

test('an organiser finds a person and moves them', async () => {
  await using site = await openSite()
  const [one, two] = [await site.contest.team('One team'), await site.contest.team('Two team')]
  await personIn(site.contest, one.id, { name: 'Mary' })
  const page = await site.visitor({ team: await site.contest.admin() })
  await page.goto('/admin/people')
  await page.getByRole('searchbox').fill('one te')
  await page.getByRole('button', { name: 'Edit Mary' }).click()
  await page.getByLabel('Team ID').fill(two.id)
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.goto(`/admin/teams/${two.id}`)
  await page.getByRole('dialog').getByText('Mary').first().waitFor()
  expect(await violationsOf(page)).toEqual([])
  expect(site.complaints).toEqual([])
})
