import { expect, test } from 'vitest'
import { openSite } from './harness.ts'

// Each empty page says so in one sentence and offers one next step: docs/reference/site.md#states-of-every-page

type Empty = readonly [path: string, sentence: string | RegExp, step: string]

const PUBLIC: readonly Empty[] = [
  ['/challenges', 'No challenges yet.', 'Announcements'],
  ['/scores', 'Nobody has scored yet.', 'Challenges'],
  ['/announcements', 'No announcements yet.', 'Home'],
  ['/status', 'No incidents in the last seven days.', 'Home'],
  ['/statistics', /^The statistics are not public/, 'Scoreboard'],
]
const PLAYER: readonly Empty[] = [
  ['/messages', 'You have not asked anything yet.', 'Announcements'],
  ['/profile', 'No solves yet.', 'Challenges'],
]
const ORGANISER: readonly Empty[] = [
  ['/admin/challenges', 'No challenges yet.', 'New challenge'],
  ['/admin/waves', 'No waves yet.', 'New wave'],
  ['/admin/announcements', 'No announcements yet.', 'New announcement'],
  ['/admin/pages', 'No pages yet.', 'New page'],
  ['/admin/clients', 'No sign-in clients yet.', 'New client'],
  ['/admin/verifications', 'No pending registrations.', 'Teams'],
  ['/admin/submissions', 'Nothing here yet.', 'Challenges'],
  ['/admin/submissions?team=nobody', 'No submissions match your filters.', 'Clear filters'],
  ['/admin/teams?q=nobody', 'No teams match your filters.', 'Clear filters'],
  ['/admin/actions?target=nobody', 'No actions match your filters.', 'Clear filters'],
  ['/admin/messages', 'No messages here.', 'Challenges'],
  ['/admin/instances', /^No instancer/, 'Challenges'],
  ['/admin/export', 'Nobody has scored yet.', 'Scoreboard'],
]

test.each([
  ['a visitor', PUBLIC],
  ['a player', [...PUBLIC, ...PLAYER]],
  ['an organiser', ORGANISER],
])('every page that is empty for %s has one sentence and one next step', async (role, pages) => {
  await using site = await openSite()
  const { contest } = site
  const team =
    role === 'a visitor' ? {} : { team: role === 'a player' ? await contest.team() : await contest.admin() }
  const page = await site.visitor(team)
  for (const [path, sentence, step] of pages) {
    await page.goto(path)
    const state = page.locator('main').locator('div', {
      has: page.locator(':scope > p').filter({ hasText: sentence }),
      hasText: step,
    })
    const only = state.last().locator('a, button')
    await only.waitFor()
    expect(await only.textContent(), path).toBe(step)
  }
  expect(site.complaints).toEqual([])
})

test('the next step of a list leads to its form, and clears its filters', async () => {
  await using site = await openSite()
  const page = await site.visitor({ team: await site.contest.admin() })
  await page.goto('/admin/waves')
  await page.locator('main').getByRole('button', { name: 'New wave' }).click()
  expect(await page.locator('form :focus').getAttribute('name')).toBe('name')
  await page.goto('/admin/teams?q=nobody')
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await page.getByRole('table', { name: 'Teams' }).waitFor()
  expect(site.complaints).toEqual([])
})

test('the hints of a challenge offer to add the first', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor')
  const page = await site.visitor({ team: await site.contest.admin() })
  await page.goto('/admin/challenges/anchor?tab=hints')
  const hints = page.getByRole('group', { name: 'Hints' })
  await hints.getByText(/^No hints yet/).waitFor()
  await hints.getByRole('button', { name: 'Add hint' }).click()
  await hints.getByText(/^No hints yet/).waitFor({ state: 'detached' })
  await hints.getByRole('button', { name: 'Cancel' }).click()
  await hints.getByRole('button', { name: 'Add hint' }).waitFor()
  expect(site.complaints).toEqual([])
})
