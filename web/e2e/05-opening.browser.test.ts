import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { openSite } from './harness.ts'
import { openWithClock } from './moved-clock.ts'

// The requests of one browser around the start; the test moves its clock.

const STEP_MS = 1000
/** From ten seconds before the start to one minute after it: docs/reference/site.md#start-and-end */
const BEFORE_MS = 10_000
const AFTER_MS = 60_000
const MAX_REQUESTS = 6
/** Without the second by which the browser's estimate of the server's clock may be wrong. */
const LATER_FROM_MS = 4000

test.each([
  { who: 'team', path: '/challenges' },
  { who: 'visitor', path: '/challenges' },
  { who: 'team', path: '/scores' },
  { who: 'team', path: '/' },
])('a $who waiting at $path sends few requests when the event starts', async ({ who, path }) => {
  const times = startingIn(11 * MINUTE_MS)
  await using site = await openSite(times)
  await site.addChallenge('anchor', { name: 'Anchor' })
  const page = await site.visitor(who === 'team' ? { team: await site.contest.team('Sailors') } : {})
  await page.addInitScript(recordRequests)
  const closed = page.getByRole('heading', { name: 'Not open yet' })
  const time = await openWithClock(page, site, path === '/' ? { path } : { path, shown: closed })
  await time.passUntil(times.startTime - 8 * MINUTE_MS)
  expect(await page.title()).toMatch(/^Starts in (8:0[012]|7:5[89]) ·/)
  // The `Date` header has a resolution of one second, so the browser's estimate has too.
  await time.passUntil(times.startTime + 2 * STEP_MS)
  if (path === '/scores') await time.see(page.getByRole('heading', { name: 'Starting…' }))
  await time.passUntil(times.startTime + AFTER_MS)
  if (path === '/challenges') await time.see(page.getByRole('link', { name: /Anchor/ }))
  if (path === '/scores') await time.see(page.getByText('Nobody has scored yet.'))

  const asked = await requestsOf(page, times.startTime)
  const within = (from: number, to: number) => asked.filter(({ at }) => at >= from && at < to)
  const ahead = within(-10 * MINUTE_MS, -MINUTE_MS).filter(({ path: each }) =>
    each.endsWith('/client/config'),
  )
  expect(ahead.length, 'the times are looked up ahead').toBeGreaterThanOrEqual(1)
  expect(within(-BEFORE_MS, -STEP_MS)).toEqual([])
  // Only the list of challenges is read immediately.
  expect(within(-STEP_MS, LATER_FROM_MS).filter((each) => each.path !== '/api/v2/challs')).toEqual([])
  const rush = within(-BEFORE_MS, AFTER_MS)
  expect(rush.length, JSON.stringify(rush)).toBeLessThanOrEqual(MAX_REQUESTS)
  const lists = rush.filter((each) => each.path === '/api/v2/challs')
  expect(lists.length).toBeLessThanOrEqual(1)
  if (path === '/challenges') {
    expect(rush[0]?.path).toBe('/api/v2/challs')
    expect(lists[0]?.at).toBeLessThanOrEqual(who === 'team' ? 2500 : 5000)
  }
  expect(site.complaints).toEqual([])
})

test('screen readers announce ten minutes and one minute before the start, and the start', async () => {
  const times = startingIn(11 * MINUTE_MS)
  await using site = await openSite(times)
  const page = await site.visitor()
  const time = await openWithClock(page, site, { path: '/' })
  for (const [before, said] of [
    [10 * MINUTE_MS, 'The event starts in 10 minutes'],
    [MINUTE_MS, 'The event starts in 1 minute'],
    [0, 'The event has started'],
  ] as const) {
    expect(await page.getByText(said).count()).toBe(0)
    await time.passUntil(times.startTime - before + 2 * STEP_MS)
    await time.see(page.getByText(said))
  }
  expect(site.complaints).toEqual([])
})

test('a browser with a fast clock polls until the event has started', async () => {
  const times = startingIn(2 * MINUTE_MS)
  await using site = await openSite(times)
  await site.addChallenge('anchor', { name: 'Anchor' })
  const page = await site.visitor()
  await page.addInitScript(recordRequests)
  const closed = page.getByRole('heading', { name: 'Not open yet' })
  const time = await openWithClock(page, site, { path: '/challenges', shown: closed })
  // Well over the longest start stagger (4 s) and the resolution of the dates, and hidden by the dates of the responses.
  time.fallBehind(8)
  await time.passUntil(times.startTime + 18 * STEP_MS)
  await time.see(page.getByRole('link', { name: /Anchor/ }))
  const asked = (await requestsOf(page, times.startTime)).filter(({ path }) => path === '/api/v2/challs')
  expect(asked.length).toBeGreaterThanOrEqual(2)
  expect(asked.length, JSON.stringify(asked)).toBeLessThanOrEqual(4)
  expect(site.complaints).toEqual([])
})

function startingIn(ms: number) {
  const startTime = Date.now() + ms
  return { startTime, endTime: startTime + 60 * MINUTE_MS }
}

interface Noted {
  readonly path: string
  readonly search: string
  readonly at: number
}

/** Runs in the page: records the page's time of each request. */
function recordRequests(): void {
  const noted: Noted[] = []
  const { fetch } = globalThis
  Object.assign(globalThis, { noted })
  globalThis.fetch = (input, init) => {
    const { pathname: path, search } = new URL(String(input), location.href)
    noted.push({ path, search, at: Date.now() })
    return fetch(input, init)
  }
}

/** Requests, with milliseconds since the start. */
async function requestsOf(page: Page, startTime: number): Promise<Noted[]> {
  const noted = await page.evaluate(() => (globalThis as unknown as { noted: Noted[] }).noted)
  return noted.map((each) => ({ ...each, at: each.at - startTime }))
}
