import { writeFileSync } from 'node:fs'
import { startInstance } from '@pennant/contract/instances.ts'
import { permissions } from '@pennant/contract/permissions.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import type { Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { openSite } from './harness.ts'

/** All tries of a request take longer. */
const TOLD_WITHIN_MS = 10_000
/** The right to read challenges alone. */
const MAY_READ = 1

test('before the start the dashboard is a list of checks', async () => {
  const start = Date.now() + 1_800_000
  await using site = await openSite({ startTime: start, endTime: start + 3_600_000 })
  await site.addChallenge('bare', { name: 'Bare', description: '' })
  await site.addChallenge('file', { name: 'File', files: [{ name: 'a.zip', url: '/uploads/none/a.zip' }] })
  const page = await site.visitor({ team: await site.contest.admin() })
  await page.goto('/admin')
  const list = page.getByRole('region', { name: 'Before the start' })
  await list.getByText('Teams can register.').waitFor()
  const bare = list.getByRole('listitem').filter({ hasText: 'there is no description' })
  await bare.getByRole('link', { name: 'Bare' }).waitFor()
  await list.getByRole('listitem').filter({ hasText: 'A file does not answer' }).waitFor()
  await page.getByRole('region', { name: 'What needs attention' }).waitFor()
  expect(await page.getByRole('region', { name: 'Last solves' }).count()).toBe(0)
  expect(site.complaints).toEqual([])
})

test('who is not told the warnings of the server is not told that all is well', async () => {
  await using site = await openSite()
  const page = await site.visitor({ team: await site.contest.admin(permissions.challsRead) })
  await page.goto('/admin')
  await page.getByText('The checks of the challenges found nothing.').waitFor()
  await page.getByText('Warnings of the server are told to those who may change teams.').waitFor()
  expect(await page.getByText('Nothing needs attention.').count()).toBe(0)
  expect(site.complaints).toEqual([])
})

test('a source that fails takes no other down, and can be asked again', async () => {
  await using site = await openSite()
  await site.addChallenge('broken', { name: 'Broken', flag: undefined, flags: [] })
  const page = await site.visitor({ team: await site.contest.admin() })
  // A refusal is asked once; no answer would be asked for again and again.
  const json = { kind: 'badRequest', message: 'Not today.', data: null }
  const fail = (route: Route) => route.fulfill({ status: 400, json })
  await page.route('**/api/v2/admin/overview', fail)
  await page.goto('/admin')
  const attention = page.getByRole('region', { name: 'What needs attention' })
  await attention.getByRole('link', { name: 'Broken' }).waitFor()
  await attention.getByRole('button', { name: 'Try again' }).waitFor()
  await page.getByText('not reported').first().waitFor()
  expect(await page.getByText('in the last hour').count()).toBe(0)
  await page.unroute('**/api/v2/admin/overview', fail)
  await page.route('**/api/v2/admin/challs', fail)
  await page.goto('/admin')
  await attention.getByRole('button', { name: 'Try again' }).waitFor()
  await attention.getByText('Nobody can solve a challenge without a flag: Broken.').waitFor()
  await attention.getByRole('link', { name: 'Challenges' }).waitFor()
})

test('a server that fails is told of at the first try, while more follow', async () => {
  await using site = await openSite()
  const page = await site.visitor({ team: await site.contest.admin() })
  const json = { kind: 'errorInternal', message: 'Broken.', data: null }
  const fail = (route: Route) => route.fulfill({ status: 500, json })
  await page.route('**/api/v2/admin/users**', fail)
  await page.goto('/admin/teams')
  await page.getByRole('button', { name: 'Try again' }).waitFor({ timeout: TOLD_WITHIN_MS })
  await page.unroute('**/api/v2/admin/users**', fail)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('table', { name: 'Teams' }).waitFor({ timeout: TOLD_WITHIN_MS })
})

test('the choice of pages names the one that is shown, also to who may not see it', async () => {
  await using site = await openSite()
  const team = await site.contest.admin(MAY_READ)
  const page = await site.visitor({ team, viewport: { width: 768, height: 900 } })
  await page.goto('/admin/settings')
  await page.getByRole('heading', { name: 'You may not see this' }).waitFor()
  const choice = page.getByRole('combobox', { name: 'Go to' })
  expect(await choice.locator('option:checked').textContent()).toBe('Event settings')
  await choice.selectOption('Dashboard')
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
  expect(await choice.getByRole('option', { name: 'Event settings' }).count()).toBe(0)
})

test('organisers see how the contest does, and stop an instance', async () => {
  await using site = await openSite({ instancers: { here: { name: 'instancers/memory' } } })
  await site.addChallenge('cabin', {
    name: 'Cabin',
    instancerConfig: {
      challengeIntegrationId: 'cabin',
      config: {},
      expose: [],
      timeoutMilliseconds: 1_800_000,
    },
  })
  await site.addChallenge('broken', { name: 'Broken', flag: undefined, flags: [] })
  await site.addChallenge('anchor', { name: 'Anchor' })
  const team = await site.contest.team('Sailors')
  for (const [id, flag] of [
    ['cabin', 'wrong'],
    ['anchor', 'flag{anchor}'],
  ] as const)
    await site.contest.call(submitFlag, { token: team.token, params: { id }, body: { flag } })
  const params = { id: 'cabin' }
  await site.contest.call(startInstance, { token: team.token, params, body: {} })
  site.contest.clock.advance(6_000)

  const page = await site.visitor({ team: await site.contest.admin() })
  await page.goto('/admin')
  await page.getByRole('heading', { name: 'The contest now' }).waitFor()
  await page.getByText('Registrations waiting').waitFor()
  await page.getByText('2 in the last hour, 1 right').waitFor()
  await page.getByText('Server and stores').waitFor()
  const attention = page.getByRole('region', { name: 'What needs attention' })
  await attention.getByRole('link', { name: 'Broken' }).waitFor()
  const unsolved = page.getByRole('region', { name: 'Not solved yet' })
  await unsolved.getByRole('link', { name: '1 wrong answer and no right one' }).waitFor()
  const solves = page.getByRole('region', { name: 'Last solves' })
  await solves.getByRole('listitem').filter({ hasText: 'SailorsAnchor' }).waitFor()
  const picture = process.env['PENNANT_TEST_PICTURES']
  if (picture !== undefined) writeFileSync(`${picture}/dashboard.png`, await page.screenshot())

  await page.getByRole('link', { name: 'Instances' }).click()
  await page.getByText('memory: 1 of').waitFor()
  const row = page.getByRole('row').filter({ hasText: 'Sailors' })
  await row.filter({ hasText: 'running' }).waitFor()
  await page.getByText('1 to 1 of 1').waitFor()
  expect(await row.getByRole('link', { name: 'Cabin' }).getAttribute('href')).toBe('/admin/challenges/cabin')
  await row.getByRole('link', { name: 'Sailors' }).waitFor()
  await row.getByRole('button', { name: 'Stop' }).click()
  const stopped = page.waitForResponse((answer) => answer.request().method() === 'DELETE')
  await row.getByRole('button', { name: 'Press again to confirm' }).click()
  expect((await stopped).status()).toBe(200)
  expect(site.complaints).toEqual([])
})
