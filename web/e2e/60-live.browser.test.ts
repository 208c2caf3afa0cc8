import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { openStream, STREAM_TYPE } from '@pennant/contract/stream.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { setBanned } from '../../server/test/contest-data.ts'
import type { Member } from '../../server/test/harness.ts'
import { accepted, gotoLive, openSite, type Site } from './harness.ts'

// Two browsers at once. The reads that the stream replaces are blocked once it is open, so that only an event can lead to what
// the pages show.

/** Opens a page and waits for its stream. */
async function openLive(site: Site, path: string, team?: Member): Promise<Page> {
  const page = await site.visitor(team ? { team } : {})
  await gotoLive(page, path)
  return page
}

async function solve(site: Site, { token }: Member, id: string): Promise<void> {
  const body = { flag: `flag{${id}}` }
  accepted(await site.contest.call(submitFlag, { token, params: { id }, body }))
}

/** The latest solves are polled without a stream. */
async function blockLatestSolves(page: Page): Promise<void> {
  await page.route('**/leaderboard/solves', () => {})
}

/** Whether the page has asked for the lock of the connection, which another page holds. */
function waitsForConnection(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    const { pending = [] } = await navigator.locks.query()
    return pending.some(({ name }) => name === 'pennant.stream')
  })
}

test("a solve appears on another team's scoreboard, and on the open challenge of a team mate", async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor' })
  const [sailors, pilots] = [await site.contest.team('Sailors'), await site.contest.team('Pilots')]
  const board = await openLive(site, '/scores', pilots)
  const challenge = await openLive(site, '/challenges/anchor', sailors)
  await challenge.getByRole('textbox', { name: 'Flag' }).waitFor()
  await Promise.all([blockLatestSolves(board), blockLatestSolves(challenge)])
  await solve(site, sailors, 'anchor')
  await Promise.all([
    board.getByText('Sailors').first().waitFor(),
    challenge.getByRole('status').filter({ hasText: 'Your team has already solved this' }).waitFor(),
  ])
  expect(site.complaints).toEqual([])
})

test('tabs of one browser share a connection, and the next tab takes over when one is closed', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor' })
  const [sailors, pilots] = [await site.contest.team('Sailors'), await site.contest.team('Pilots')]
  const first = await openLive(site, '/scores', pilots)
  const second = await first.context().newPage()
  let connections = 0
  second.on('request', (request) => {
    if (request.url().endsWith(openStream.path)) connections += 1
  })
  await second.goto('/scores')
  await second.getByText('Nobody has scored yet.').waitFor()
  // A page that still loads something does not follow the stream, and a blocked read never ends.
  await expect.poll(() => waitsForConnection(second), { timeout: MINUTE_MS }).toBe(true)
  await blockLatestSolves(second)
  await solve(site, sailors, 'anchor')
  await second.getByText('Sailors').first().waitFor()
  expect(connections).toBe(0)
  const takesOver = second.waitForResponse((response) => response.url().endsWith(openStream.path))
  await first.close()
  expect((await takesOver).status()).toBe(200)
  expect(site.complaints).toEqual([])
})

test('challenges that an organiser releases or withdraws appear and disappear', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor' })
  await site.addChallenge('winch', { name: 'Winch', hidden: true })
  const page = await openLive(site, '/challenges', await site.contest.team('Sailors'))
  const link = (name: RegExp) =>
    page.getByRole('navigation', { name: 'Challenge list' }).getByRole('link', { name })
  await link(/Anchor/).waitFor()
  const { token } = await site.contest.admin()
  const hide = async (id: string, hidden: boolean) =>
    accepted(await site.contest.call(putChallengeV2, { token, params: { id }, body: { data: { hidden } } }))
  await hide('winch', false)
  await link(/Winch/).waitFor()
  await hide('anchor', true)
  await link(/Anchor/).waitFor({ state: 'detached' })
  expect(site.complaints).toEqual([])
})

test('the event opens in both browsers when it is started early', async () => {
  const startTime = Date.now() + 60 * MINUTE_MS
  await using site = await openSite({ startTime, endTime: startTime + 60 * MINUTE_MS })
  await site.addChallenge('anchor', { name: 'Anchor' })
  const pages = [
    await openLive(site, '/challenges', await site.contest.team('Sailors')),
    await openLive(site, '/challenges'),
  ]
  const { token } = await site.contest.admin()
  const data = { startTime: site.contest.clock.now() - 1 }
  accepted(await site.contest.call(updateSettings, { token, body: { data } }))
  for (const page of pages)
    await page
      .getByRole('link', { name: /Anchor/ })
      .first()
      .waitFor()
  expect(site.complaints).toEqual([])
})

test('a ban shows on the page of the banned team, and removes it from the scoreboard of others', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor' })
  const sailors = await site.contest.team('Sailors')
  await solve(site, sailors, 'anchor')
  const own = await openLive(site, '/challenges', sailors)
  const board = await openLive(site, '/scores')
  // The legend of the graph is read once a minute.
  const row = board.getByRole('table', { name: 'Standings' }).getByText('Sailors')
  await row.first().waitFor()
  const reads = own.waitForResponse((response) => response.url().endsWith('/users/me/results'))
  await setBanned(site.contest.db, sailors.id, true)
  expect(((await (await reads).json()) as { data: { banned: boolean } }).data.banned).toBe(true)
  await row.first().waitFor({ state: 'detached' })
  expect(site.complaints).toEqual([])
})

test('where no connection can stay open, the stream is polled', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor' })
  const [sailors, pilots] = [await site.contest.team('Sailors'), await site.contest.team('Pilots')]
  const page = await site.visitor({ team: pilots })
  const isStream = (url: string) => url.endsWith(openStream.path)
  // Like a proxy that has something else to say.
  await page.route(`**${openStream.path}`, (route) =>
    route.request().headers()['accept'] === STREAM_TYPE
      ? route.fulfill({ contentType: 'text/html', body: 'not supported' })
      : route.continue(),
  )
  const polled = page.waitForResponse(
    (response) => isStream(response.url()) && response.request().headers()['accept'] !== STREAM_TYPE,
  )
  await page.goto('/scores')
  expect(await (await polled).text()).toContain('event: hello')
  await blockLatestSolves(page)
  const heard = page.waitForResponse(
    async (response) => isStream(response.url()) && (await response.text()).includes('event: solves'),
  )
  await solve(site, sailors, 'anchor')
  expect((await heard).request().headers()['last-event-id']).not.toBe('')
  await page.getByText('Sailors').first().waitFor()
  expect(site.complaints).toEqual([])
})
