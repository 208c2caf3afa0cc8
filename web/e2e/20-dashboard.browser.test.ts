import { writeFileSync } from 'node:fs'
import { startInstance } from '@pennant/contract/instances.ts'
import { permissions } from '@pennant/contract/permissions.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import type { Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { openSite, type Site } from './harness.ts'

/** Longer than all retries of a request. */
const TOLD_WITHIN_MS = 10_000
/** Only the permission to read challenges. */
const MAY_READ = 1

/** Keeps the server's clock at the real time: the dashboard compares it with that of the database. */
function followTime({ contest: { clock } }: Site): Disposable {
  const timer = setInterval(() => clock.advance(Date.now() - clock.now()), 100)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

test('before the start the dashboard shows a checklist', async () => {
  const start = Date.now() + 1_800_000
  await using site = await openSite({ startTime: start, endTime: start + 3_600_000 })
  using _clock = followTime(site)
  await site.addChallenge('bare', { name: 'Bare', description: '' })
  await site.addChallenge('file', { name: 'File', files: [{ name: 'a.zip', url: '/uploads/none/a.zip' }] })
  const page = await site.visitor({ team: await site.contest.admin() })
  await page.goto('/admin')
  const list = page.getByRole('region', { name: 'Before the start' })
  await list.getByText('Teams can register.').waitFor()
  const bare = list.getByRole('listitem').filter({ hasText: 'there is no description' })
  await bare.getByRole('link', { name: 'Bare' }).waitFor()
  await list.getByRole('listitem').filter({ hasText: 'A file cannot be downloaded' }).waitFor()
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await attention.getByText('2 checks failed: see "Before the start".').waitFor()
  expect(await attention.getByText('Nothing needs attention.').count()).toBe(0)
  expect(await page.getByRole('region', { name: 'Latest solves' }).count()).toBe(0)
  expect(site.complaints).toEqual([])
})

test('organisers run the checks of the server before the start', async () => {
  const start = Date.now() + 1_800_000
  await using site = await openSite({ startTime: start, endTime: start + 3_600_000 })
  using _clock = followTime(site)
  await site.addChallenge('bare', { name: 'Bare', description: 'Find it.' })
  const page = await site.visitor({ team: await site.contest.admin() })
  await page.goto('/admin')
  const panel = page.getByRole('region', { name: 'Server checks' })
  await panel.getByText('Nothing has been checked yet.').waitFor()
  expect(await panel.getByRole('listitem').count()).toBe(0)
  await panel.getByRole('button', { name: 'Run checks' }).click()
  const lines = panel.getByRole('listitem')
  const flags = lines.filter({ hasText: 'Flags have been tried: warning' })
  await flags
    .getByText('No flag of these was accepted since their last change: Bare.')
    .waitFor({ timeout: 60_000 })
  await lines.filter({ hasText: 'Redis: not checked' }).waitFor()
  await panel.getByRole('button', { name: 'Run again' }).waitFor()
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await attention.getByText(/server checks need attention/).waitFor()
  expect(await attention.getByText('Nothing needs attention.').count()).toBe(0)
  expect(site.complaints).toEqual([])
})

test('an unscheduled event says so to visitors, and to organisers what is missing', async () => {
  const startTime = Date.UTC(9999, 0, 1)
  await using site = await openSite({ startTime, endTime: startTime + 172_800_000 })
  const visitor = await site.visitor()
  await visitor.goto('/')
  await visitor.getByText('Not scheduled yet.').waitFor()
  expect(await visitor.getByText('9999').count()).toBe(0)
  await visitor.goto('/scores')
  await visitor.getByRole('main').getByText('The organisers have not set a start time yet.').waitFor()
  expect(await visitor.getByText('Add to calendar').count()).toBe(0)

  const page = await site.visitor({ team: await site.contest.admin() })
  await page.goto('/admin')
  const list = page.getByRole('region', { name: 'Before the start' })
  const start = list.getByRole('listitem').filter({ hasText: 'The event has no start time' })
  await list.getByRole('listitem').filter({ hasText: 'No challenge is visible.' }).waitFor()
  expect(await list.getByText('Every visible challenge has a flag.').count()).toBe(0)
  await start.getByRole('link', { name: 'Event settings' }).click()
  await page.getByRole('heading', { name: 'Event settings' }).first().waitFor()
  expect(site.complaints).toEqual([])
})

test('without access to server warnings the dashboard does not claim that all is well', async () => {
  await using site = await openSite()
  await site.addChallenge('one', { description: 'Find it.' })
  const page = await site.visitor({ team: await site.contest.admin(permissions.challsRead) })
  await page.goto('/admin')
  await page.getByText('All challenge checks passed.').waitFor()
  await page.getByText('Server warnings are shown to organisers who can manage teams.').waitFor()
  expect(await page.getByText('Nothing needs attention.').count()).toBe(0)
  expect(site.complaints).toEqual([])
})

test('a failing source does not affect the others and can be retried', async () => {
  await using site = await openSite()
  await site.addChallenge('broken', { name: 'Broken', flag: undefined, flags: [] })
  const page = await site.visitor({ team: await site.contest.admin() })
  // A refusal is not retried; a missing response would be.
  const json = { kind: 'badRequest', message: 'Not today.', data: null }
  const fail = (route: Route) => route.fulfill({ status: 400, json })
  await page.route('**/api/v2/admin/overview', fail)
  await page.goto('/admin')
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await attention.getByRole('link', { name: 'Broken' }).waitFor()
  await attention.getByRole('button', { name: 'Try again' }).waitFor()
  await page.getByText('not reported').first().waitFor()
  expect(await page.getByText('in the last hour').count()).toBe(0)
  await page.unroute('**/api/v2/admin/overview', fail)
  await page.route('**/api/v2/admin/challs', fail)
  await page.goto('/admin')
  await attention.getByRole('button', { name: 'Try again' }).waitFor()
  await attention.getByText('Challenges without a flag cannot be solved: Broken.').waitFor()
  await attention.getByRole('link', { name: 'Challenges' }).waitFor()
})

test('a server failure is shown after the first attempt, while retries continue', async () => {
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

test('the page menu names the current page, even without access to it', async () => {
  await using site = await openSite()
  const team = await site.contest.admin(MAY_READ)
  const page = await site.visitor({ team, viewport: { width: 768, height: 900 } })
  await page.goto('/admin/settings')
  await page.getByRole('heading', { name: "You don't have access" }).waitFor()
  const choice = page.getByRole('combobox', { name: 'Go to' })
  expect(await choice.locator('option:checked').textContent()).toBe('Event settings')
  await choice.selectOption('Dashboard')
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
  expect(await choice.getByRole('option', { name: 'Event settings' }).count()).toBe(0)
})

test('without an instancer the page of instances says so and offers no retry', async () => {
  await using site = await openSite()
  const page = await site.visitor({ team: await site.contest.admin() })
  await page.goto('/admin')
  const rail = page.getByRole('navigation', { name: 'Organiser pages' })
  for (const link of await rail.getByRole('link').all()) expect(await link.locator('svg').count()).toBe(1)
  await rail.getByRole('link', { name: 'Instances' }).click()
  await page.getByText('No instancer is configured.').waitFor()
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
})

test('organisers see live figures and stop an instance', async () => {
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
  await page.getByRole('region', { name: 'Right now' }).getByText('Pending registrations').waitFor()
  const minutes = page.getByRole('region', { name: 'Submissions per minute', exact: true })
  await minutes.getByRole('img', { name: '2 in the last hour, 1 correct' }).waitFor()
  await minutes.getByRole('button', { name: 'Show as table' }).click()
  expect(await minutes.getByRole('row').count()).toBe(61)
  await page.getByRole('img', { name: 'Solves since the start: 1' }).waitFor()
  const difficulty = page.getByRole('region', { name: 'Difficulty', exact: true })
  await difficulty.getByRole('button', { name: 'Show as table' }).click()
  await difficulty.getByRole('row', { name: 'Anchor 1 1 0 0 –' }).waitFor()
  const categories = page.getByRole('region', { name: 'Categories' }).first()
  await categories.getByRole('row', { name: /^web 3 \d.* 1$/ }).waitFor()
  await page.getByText('Server health').waitFor()
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await attention.getByRole('link', { name: 'Broken' }).waitFor()
  const unsolved = page.getByRole('region', { name: 'Unsolved challenges' })
  await unsolved.getByRole('link', { name: '1 wrong flag' }).waitFor()
  const solves = page.getByRole('region', { name: 'Latest solves' })
  await solves.getByRole('listitem').filter({ hasText: 'SailorsAnchor' }).waitFor()
  const picture = process.env['PENNANT_TEST_PICTURES']
  if (picture !== undefined) writeFileSync(`${picture}/dashboard.png`, await page.screenshot())

  await page.getByRole('link', { name: 'Instances' }).click()
  await page.getByText('memory: 1 of').waitFor()
  const row = page.getByRole('row').filter({ hasText: 'Sailors' })
  await row.filter({ hasText: 'running' }).waitFor()
  await page.getByText('1–1 of 1').waitFor()
  expect(await row.getByRole('link', { name: 'Cabin' }).getAttribute('href')).toBe('/admin/challenges/cabin')
  await row.getByRole('link', { name: 'Sailors' }).waitFor()
  await row.getByRole('button', { name: 'Stop' }).click()
  const stopped = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await row.getByRole('button', { name: 'Press again to confirm' }).click()
  expect((await stopped).status()).toBe(200)
  expect(site.complaints).toEqual([])
})
