import { createAnnouncement } from '@pennant/contract/announcements.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { getLatestSolves } from '@pennant/contract/leaderboard.ts'
import { openStream } from '@pennant/contract/stream.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { createWave, moveWave, updateWave } from '@pennant/contract/waves.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Member } from '../../server/test/harness.ts'
import { inPage } from './browser.ts'
import { accepted, openSite, type Site } from './harness.ts'
import { violationsOf } from './violations.ts'

// docs/operate/big-screen.md

/** Opens the page and waits for its stream. */
async function openScreen(page: Page, path: string): Promise<void> {
  const opened = page.waitForResponse((response) => response.url().endsWith(openStream.path))
  await page.goto(path)
  await opened
}

async function solve(site: Site, { token }: Member, id: string): Promise<void> {
  const body = { flag: `flag{${id}}` }
  accepted(await site.contest.call(submitFlag, { token, params: { id }, body }))
}

const firstBlood = (page: Page) => page.getByRole('status', { name: 'First blood' })

test('a solve in one browser appears on the big screen in another, with a first blood in large type', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor' })
  const [sailors, admin] = [await site.contest.team('Sailors'), await site.contest.admin()]
  const screen = await site.visitor({ viewport: { width: 1920, height: 1080 } })
  await openScreen(screen, '/live')
  await screen.getByText('Nobody has scored yet.').waitFor()
  const player = await site.visitor({ team: sailors })
  await player.goto('/challenges/anchor')
  await player.getByRole('textbox', { name: 'Flag' }).fill('flag{anchor}')
  await player.getByRole('button', { name: 'Submit' }).click()
  await firstBlood(screen).getByText('Sailors').waitFor()
  await screen.getByRole('region', { name: 'Scoreboard' }).getByText('Sailors').waitFor()
  await screen.getByRole('region', { name: 'Latest solves' }).getByText('Anchor').waitFor()
  const bloods = screen.getByRole('region', { name: 'First bloods' })
  await bloods.getByText('Sailors').waitFor()
  await bloods.getByText('First blood, now').waitFor()
  const data = { title: 'Harbour closed' }
  accepted(await site.contest.call(createAnnouncement, { token: admin.token, body: { data } }))
  await screen.getByRole('region', { name: 'Announcements' }).getByText('Harbour closed').waitFor()
  // Without the frame of the site, and without anything to click.
  expect(await screen.getByRole('banner').getByRole('link').count()).toBe(0)
  expect(await screen.getByRole('button').count()).toBe(0)
  expect(await violationsOf(screen)).toEqual([])
  // It disappears after a while, and a second solve is no first blood.
  await firstBlood(screen).waitFor({ state: 'detached' })
  await solve(site, await site.contest.team('Pilots'), 'anchor')
  await screen.getByRole('region', { name: 'Latest solves' }).getByText('Pilots').waitFor()
  expect(await firstBlood(screen).count()).toBe(0)
  expect(site.complaints).toEqual([])
})

test('its address chooses panels, rows, theme and title, and nonsense is refused with all reasons', async () => {
  await using site = await openSite({ divisions: { open: 'Open', student: 'Students' } })
  await site.addChallenge('anchor', { name: 'Anchor' })
  for (const name of ['Sailors', 'Pilots', 'Divers'])
    await solve(site, await site.contest.team(name), 'anchor')
  const page = await site.visitor({ colorScheme: 'light', viewport: { width: 1280, height: 720 } })
  await page.goto(
    '/live?panels=leaderboard&rows=2&theme=dark&title=Finals&background=transparent&division=open',
  )
  await page.getByRole('heading', { level: 1, name: 'Finals' }).waitFor()
  await page.getByText('Pilots').waitFor()
  expect(await page.getByRole('listitem').count()).toBe(2)
  expect(await page.getByRole('timer').count()).toBe(0)
  expect(await violationsOf(page)).toEqual([])
  const root = 'getComputedStyle(document.documentElement).backgroundColor'
  expect(await inPage(page, root)).toBe('rgba(0, 0, 0, 0)')

  await page.goto('/live?rows=400&pannels=leaderboard&division=none')
  const refused = page.getByRole('alert')
  await refused.getByText('rows must be a whole number from 1 to 25.').waitFor()
  await refused.getByText('There is no such parameter.').waitFor()
  await refused.getByText('division must be the id of a division of this event.').waitFor()
  expect(await page.getByRole('listitem').count()).toBe(3)
  expect(await violationsOf(page)).toEqual([])
  expect(site.complaints).toEqual([])
})

test('the next wave is on the screen, follows its organiser, and is left out where no one asked for it', async () => {
  await using site = await openSite()
  const { contest } = site
  for (const id of ['anchor', 'buoy']) await site.addChallenge(id, { name: id, hidden: false })
  const { token } = await contest.admin()
  const openAt = contest.clock.now() + 2 * HOUR_MS
  const [screen, overlay] = [await site.visitor(), await site.visitor()]
  await openScreen(screen, '/live')
  await openScreen(overlay, '/live?panels=activity,countdown&background=transparent')
  const panel = screen.getByRole('region', { name: 'Next challenges' })
  const data = { name: 'Night wave', openAt, countdown: true, challengeIds: ['anchor', 'buoy'], force: true }
  const made = accepted(await contest.call(createWave, { token, body: { data } }))
  if (made.kind !== 'goodWave') throw new Error(made.kind)
  await panel.getByText('Night wave').waitFor()
  await panel.getByText('2 challenges').waitFor()
  expect(await panel.getByRole('timer').textContent()).toMatch(/^1:59:|^2:00:/)
  expect(await violationsOf(screen)).toEqual([])
  const params = { id: made.data.wave.id }
  const later = { data: { version: 1, byMs: HOUR_MS } }
  accepted(await contest.call(moveWave, { token, params, body: later }))
  await panel.getByText(/^2:59:|^3:00:/).waitFor()
  const quiet = { data: { version: 2, countdown: false } }
  accepted(await contest.call(updateWave, { token, params, body: quiet }))
  await panel.waitFor({ state: 'detached' })
  expect(await overlay.getByText('Night wave').count()).toBe(0)
  expect(site.complaints).toEqual([])
})

test('organisers compose the address, and players can have first bloods shown large', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor' })
  const organiser = await site.visitor({ team: await site.contest.admin() })
  await organiser.goto('/admin')
  await organiser.getByRole('button', { name: 'Big screen' }).click()
  const dialog = organiser.getByRole('dialog', { name: 'Big screen' })
  await dialog.getByRole('checkbox', { name: 'Announcements' }).uncheck()
  await dialog.getByRole('combobox', { name: 'Teams' }).selectOption('5')
  await dialog.getByText('/live?panels=leaderboard,bloods,activity,countdown,wave&rows=5').waitFor()
  expect(await violationsOf(organiser)).toEqual([])

  const player = await site.visitor({ team: await site.contest.team('Pilots'), reducedMotion: 'reduce' })
  await player.goto('/settings')
  await player.getByRole('switch', { name: /^Show them large/ }).check()
  // Only what is new since the page has read the latest solves is shown.
  const read = player.waitForResponse((response) => response.url().endsWith(getLatestSolves.path))
  await openScreen(player, '/challenges')
  await read
  await player.getByRole('link', { name: 'Announcements' }).waitFor()
  await solve(site, await site.contest.team('Sailors'), 'anchor')
  await firstBlood(player).getByText('Sailors').waitFor()
  expect(
    await inPage(player, "document.getAnimations().filter((one) => one.playState === 'running').length"),
  ).toBe(0)
  expect(await violationsOf(player)).toEqual([])
  await firstBlood(player).waitFor({ state: 'detached' })
  expect(site.complaints).toEqual([])
})
