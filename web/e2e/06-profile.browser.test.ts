import { randomUUID } from 'node:crypto'
import { readProfileV2 } from '@pennant/contract/teams.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { putSolve, setBanned } from '../../server/test/contest-data.ts'
import type { Contest, Member } from '../../server/test/harness.ts'
import { inPage } from './browser.ts'
import { openSite } from './harness.ts'
import { withoutStream } from './quiet.ts'

// Profiles of teams: docs/reference/site.md#team-pages

const CHALLENGES = ['web', 'crypto', 'pwn', 'web', 'misc', 'crypto', 'rev', 'web'].map((category, at) => ({
  id: `task-${at + 1}`,
  name: `Task ${at + 1}`,
  category,
}))

/** The first team has first blood everywhere except in the second challenge. */
async function playedContest() {
  const site = await openSite()
  const { contest } = site
  const first = await contest.team('Sailors')
  const second = await contest.team('Whalers')
  for (const { id, ...fields } of CHALLENGES)
    await site.addChallenge(id, { ...fields, points: { min: 100, max: 500 } })
  const start = contest.clock.now() - 60 * MINUTE_MS
  await solve(contest, second, { id: 'task-2', at: start + 15 * MINUTE_MS })
  for (const [at, { id }] of CHALLENGES.slice(0, 7).entries())
    await solve(contest, first, { id, at: start + (16 + at * 6) * MINUTE_MS + 30_000 })
  await expect
    .poll(async () => {
      const response = await contest.call(readProfileV2, { params: { id: first.id } })
      return response.kind === 'goodUserData' && response.data.globalPlace
    })
    .toBe(1)
  return { site, contest, first }
}

interface Moment {
  readonly id: string
  readonly at: number
}

/** Backdates a solve, because the database stamps the current time. */
function solve({ db }: Contest, { id: teamId }: Member, { id: challengeId, at }: Moment): Promise<void> {
  return putSolve(db, {
    id: randomUUID(),
    challengeId,
    teamId,
    createdAt: at,
    globalRank: null,
    divisionRank: null,
  })
}

async function ready(page: Page): Promise<void> {
  await page.getByRole('img', { name: 'Score over time' }).waitFor()
  await page.getByRole('group', { name: /^Timeline of/ }).waitFor()
  await page.waitForLoadState('networkidle')
}

test("a profile shows a team's solves, and the URL holds the table's order and filters", async () => {
  const { site, first } = await playedContest()
  await using _ = site
  const page = await site.visitor({ viewport: { width: 1440, height: 900 } })
  await withoutStream(page)
  await page.goto(`/profile/${first.id}?sort=blood`)
  await ready(page)
  await page.getByRole('heading', { level: 1, name: 'Sailors' }).waitFor()
  await page.getByText('Rank 1', { exact: true }).waitFor()
  expect(await page.getByText('Only visible to you').count()).toBe(0)

  const parts = page.getByRole('region', { name: 'By category' })
  await parts.getByRole('img', { name: '2 of 3 solved' }).waitFor()
  const rows = page.getByRole('table', { name: 'Solves' }).getByRole('row')
  await expect.poll(() => rows.nth(7).innerText()).toContain('Task 2')
  await page.getByRole('searchbox', { name: 'Search solves' }).fill('task web')
  await expect.poll(() => rows.count()).toBe(3)
  await page.getByRole('button', { name: 'Challenge' }).click()
  await expect.poll(() => new URL(page.url()).search).toBe('?sort=name&q=task+web')
  await page.getByRole('searchbox', { name: 'Search solves' }).fill('nothing')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(() => rows.count()).toBe(8)
  expect(site.complaints).toEqual([])
})

test('the timeline can be read, zoomed and left with the keyboard, and zoomed by dragging', async () => {
  const { site, first } = await playedContest()
  await using _ = site
  const page = await site.visitor({ viewport: { width: 1440, height: 900 } })
  await withoutStream(page)
  await page.goto(`/profile/${first.id}`)
  await ready(page)
  const timeline = page.getByRole('region', { name: 'Timeline' })
  const plot = timeline.getByRole('group', { name: 'Timeline of 7 solves' })
  const firstTick = timeline
    .locator('text')
    .filter({ hasText: /^\d+:[\d:]+$/ })
    .first()
  await plot.focus()
  await page.keyboard.press('Home')
  await timeline.getByText(/web · \d+ points · 16:\d\d after the start · first blood/).waitFor()
  await page.keyboard.press('ArrowRight')
  await timeline.getByText(/crypto · \d+ points · 22:\d\d after the start · second blood/).waitFor()
  expect(await firstTick.textContent()).toBe('0:00')
  await page.keyboard.press('+')
  await expect.poll(() => firstTick.textContent()).not.toBe('0:00')
  await page.keyboard.press('Escape')
  await expect.poll(() => firstTick.textContent()).toBe('0:00')

  const box = await plot.boundingBox()
  if (!box) throw new Error('the timeline is not drawn')
  await page.mouse.move(box.x + box.width / 2, box.y + 8)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 4, box.y + 8, { steps: 4 })
  await page.mouse.up()
  await expect.poll(() => firstTick.textContent()).toMatch(/^[2-4]\d:\d\d$/)
  await timeline.getByRole('button', { name: 'Reset zoom' }).click()
  await expect.poll(() => firstTick.textContent()).toBe('0:00')
  await plot.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Task 1', exact: true }).waitFor()
  expect(site.complaints).toEqual([])
})

test('own profile: shows private details with few requests and no layout shift', async () => {
  const { site, contest, first } = await playedContest()
  await using _ = site
  const page = await site.visitor({ team: first, viewport: { width: 1440, height: 900 } })
  await withoutStream(page)
  const requests: string[] = []
  page.on('request', (request) => {
    if (!request.url().includes('favicon')) requests.push(request.url())
  })
  await page.goto('/profile')
  await ready(page)
  // Three of them for who of the team did what. One is the header's, which has room for the own score over time here.
  expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(21)
  expect(await inPage(page, SHIFT)).toBeLessThanOrEqual(0.02)
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()

  const fresh = await site.visitor({ team: await contest.team('Divers') })
  await withoutStream(fresh)
  await fresh.goto('/profile')
  await fresh.getByText('Only visible to you: not ranked yet').waitFor()
  await fresh.getByText('No solves yet.').waitFor()
  await fresh.getByText('No points yet.').waitFor()

  const lost = await contest.team('Pirates')
  await setBanned(contest.db, lost.id, true)
  const banned = await site.visitor({ team: lost })
  await withoutStream(banned)
  await banned.goto('/profile')
  await banned.getByText('Only visible to you: banned').waitFor()
  await banned.goto(`/profile/${first.id}`)
  await banned.getByRole('heading', { level: 1, name: 'Sailors' }).waitFor()
  expect(await banned.getByText('Only visible to you').count()).toBe(0)
  expect(site.complaints).toEqual([])
})

test('an organiser with the permission opens another team before the start', async () => {
  const now = Date.now()
  await using site = await openSite({ startTime: now + 60 * MINUTE_MS, endTime: now + 120 * MINUTE_MS })
  const other = await site.contest.team('Sailors')
  const page = await site.visitor({ team: await site.contest.admin() })
  await withoutStream(page)
  await page.goto(`/profile/${other.id}`)
  await page.getByRole('heading', { level: 1, name: 'Sailors' }).waitFor()
  expect(site.complaints).toEqual([])
})

/** The cumulative layout shift of the page so far. */
const SHIFT = `new Promise((done) => {
  const sum = (list) => list.getEntries().reduce((all, { value }) => all + value, 0)
  new PerformanceObserver((list) => done(sum(list))).observe({ type: 'layout-shift', buffered: true })
  setTimeout(done, 1000, 0)
})`
