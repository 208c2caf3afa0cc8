import { createAnnouncement, listAnnouncements } from '@pennant/contract/announcements.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Member } from '../../server/test/harness.ts'
import { accepted, gotoLive, openSite, type Site } from './harness.ts'

/** Opens a page and waits for its stream and its bell. */
async function openLive(site: Site, path: string, team?: Member): Promise<Page> {
  const page = await site.visitor(team ? { team } : {})
  await gotoLive(page, path)
  await bellOf(page).waitFor()
  return page
}

function bellOf(page: Page) {
  return page.getByRole('banner').getByRole('link', { name: /^Announcements/ })
}

test('what an organiser publishes on the site appears on the open pages of players, and only of its audience', async () => {
  await using site = await openSite()
  const [admin, sailors, pilots] = [
    await site.contest.admin(),
    await site.contest.team('Sailors'),
    await site.contest.team('Pilots'),
  ]
  const [player, other] = [await openLive(site, '/', sailors), await openLive(site, '/scores', pilots)]
  const organiser = await site.visitor({ team: admin })
  await organiser.goto('/admin/announcements')
  const form = organiser.getByRole('region', { name: 'New announcement' })
  await form.getByRole('textbox', { name: 'Title' }).fill('Harbour closed')
  await form.getByRole('textbox', { name: 'Text' }).fill('Until **noon**.')
  await form.getByRole('combobox', { name: 'Severity' }).selectOption({ label: 'Important' })
  await form.getByRole('button', { name: 'Publish' }).click()
  await organiser.getByRole('table', { name: 'Announcements' }).getByText('Harbour closed').waitFor()
  for (const page of [player, other]) {
    await page.getByRole('region', { name: 'Notifications' }).getByText('Harbour closed').waitFor()
    await page.getByRole('link', { name: 'Announcements, 1 unread' }).waitFor()
  }
  await player
    .getByRole('region', { name: 'Announcements' })
    .getByRole('link', { name: 'Harbour closed' })
    .waitFor()

  // Only for one team.
  const data = { title: 'Just for you', audience: { kind: 'team' as const, teamId: sailors.id } }
  accepted(await site.contest.call(createAnnouncement, { token: admin.token, body: { data } }))
  await player.getByRole('link', { name: 'Announcements, 2 unread' }).waitFor()
  accepted(
    await site.contest.call(createAnnouncement, { token: admin.token, body: { data: { title: 'For all' } } }),
  )
  await other.getByRole('link', { name: 'Announcements, 2 unread' }).click()
  await other.getByRole('heading', { name: 'For all' }).waitFor()
  expect(await other.getByRole('article').count()).toBe(2)
  await other.locator('strong', { hasText: 'noon' }).waitFor()
  await other.locator('head > link[type="application/atom+xml"]').waitFor({ state: 'attached' })
  expect(await other.getByText('Just for you').count()).toBe(0)
  // They are read now, also after a reload.
  await bellOf(other)
    .and(other.getByRole('link', { name: 'Announcements', exact: true }))
    .waitFor()
  await other.reload()
  await bellOf(other)
    .and(other.getByRole('link', { name: 'Announcements', exact: true }))
    .waitFor()
  expect(site.complaints).toEqual([])
})

test('an organiser edits an announcement, sees its earlier version, and deletes it', async () => {
  await using site = await openSite()
  const admin = await site.contest.admin()
  accepted(
    await site.contest.call(createAnnouncement, { token: admin.token, body: { data: { title: 'Tpyo' } } }),
  )
  const page = await site.visitor({ team: admin })
  await page.goto('/admin/announcements')
  // What was typed of a new one stays, and the form of the edit has the focus.
  await page.getByRole('textbox', { name: 'Title' }).fill('Begun')
  await page.getByRole('button', { name: 'Edit Tpyo' }).click()
  const title = page.getByRole('textbox', { name: 'Title' })
  expect(await title.evaluate((input) => input === document.activeElement)).toBe(true)
  await title.fill('Typo')
  await page.getByRole('combobox', { name: 'Severity' }).selectOption({ label: 'Urgent' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Earlier versions of Typo' }).waitFor()
  expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Begun')
  await page.getByRole('textbox', { name: 'Title' }).fill('')
  await page.getByRole('button', { name: 'Earlier versions of Typo' }).click()
  const history = page.getByRole('dialog')
  await history.getByText('Tpyo').waitFor()
  await history.getByText(/^Normal · Everyone/).waitFor()
  await history.getByText(/replaced by/).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Delete Typo' }).click()
  await page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog'))
    .getByRole('button', { name: /^Delete/ })
    .click()
  await page.getByText('No announcements yet.').waitFor()
  expect(site.complaints).toEqual([])
})

test('a scheduled announcement is published now by clearing its time, and the table has names instead of ids', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor chain' })
  const [admin, sailors] = [await site.contest.admin(), await site.contest.team('Sailors')]
  const later = Date.now() + HOUR_MS
  for (const data of [
    { title: 'Later', publishAt: later },
    { title: 'For the team', audience: { kind: 'team' as const, teamId: sailors.id } },
    { title: 'For solvers', audience: { kind: 'solved' as const, challengeId: 'anchor' } },
  ])
    accepted(await site.contest.call(createAnnouncement, { token: admin.token, body: { data } }))
  const player = await openLive(site, '/', sailors)
  const page = await site.visitor({ team: admin })
  await page.goto('/admin/announcements')
  const table = page.getByRole('table', { name: 'Announcements' })
  await table.getByText('A team: Sailors').waitFor()
  await table.getByText('Teams that solved a challenge: Anchor chain').waitFor()
  await page.getByRole('button', { name: 'Edit Later' }).click()
  const form = page.getByRole('region', { name: 'Edit Later' })
  await form.getByLabel('Publish at').fill('')
  await form.getByRole('button', { name: 'Publish', exact: true }).click()
  await player.getByRole('region', { name: 'Notifications' }).getByText('Later').waitFor()
  await table.getByText('scheduled').waitFor({ state: 'hidden' })
  expect(site.complaints).toEqual([])
})

/** Lets the page note its notifications and sounds, and pretend to be in the background. */
function recordAlerts() {
  const noted: string[] = []
  const Shown = window.Notification
  window.Notification = class extends Shown {
    constructor(title: string, options?: NotificationOptions) {
      super(title, options)
      noted.push(`${title}: ${options?.body}`)
    }
  }
  const start = OscillatorNode.prototype.start
  OscillatorNode.prototype.start = function (when) {
    noted.push('sound')
    start.call(this, when)
  }
  Object.assign(window, { noted })
}

test('sounds and notifications are for those who switched them on', async () => {
  await using site = await openSite()
  const admin = await site.contest.admin()
  const [player, other] = [
    await site.visitor({ team: await site.contest.team('Sailors'), permissions: ['notifications'] }),
    await site.visitor({ team: await site.contest.team('Pilots'), permissions: ['notifications'] }),
  ]
  for (const page of [player, other]) await page.addInitScript(recordAlerts)
  await gotoLive(player, '/settings')
  await player.getByRole('switch', { name: /as notifications/ }).click()
  await player.getByRole('switch', { name: /^Sounds/ }).click()
  for (const page of [player, other]) {
    // What is in the first list is not new.
    const listed = page.waitForResponse((response) => response.url().endsWith(listAnnouncements.path))
    await gotoLive(page, '/scores')
    await listed
  }
  const notedOn = (page: Page) =>
    page.evaluate(() => [...new Set((window as unknown as { noted: string[] }).noted)])
  const announce = async (title: string) => {
    accepted(await site.contest.call(createAnnouncement, { token: admin.token, body: { data: { title } } }))
    for (const page of [player, other])
      await page.getByRole('region', { name: 'Notifications' }).getByText(title).waitFor()
  }
  // Browsers play sounds only on pages that the viewer has used.
  await player.getByPlaceholder('Find a team').click()
  await announce('In front')
  await expect.poll(() => notedOn(player)).toEqual(['sound'])
  for (const page of [player, other])
    await page.evaluate(() => Object.defineProperty(document, 'hidden', { get: () => true }))
  await announce('Behind')
  await expect.poll(() => notedOn(player)).toEqual(['sound', 'Announcement: Behind'])
  expect(await notedOn(other)).toEqual([])
  expect(site.complaints).toEqual([])
})

test('an announcement that is published while the list is on its way is not lost', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { points: { min: 100, max: 100 } })
  const [admin, sailors] = [await site.contest.admin(), await site.contest.team('Sailors')]
  const player = await site.visitor({ team: sailors })
  const list = `**${listAnnouncements.path}`
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  let hasAsked = () => {}
  const asked = new Promise<void>((resolve) => (hasAsked = resolve))
  await player.route(
    list,
    async (route) => {
      const response = await route.fetch()
      hasAsked()
      await held
      // The page may have asked again, and wait no longer.
      await route.fulfill({ response }).catch(() => {})
    },
    { times: 1 },
  )
  await gotoLive(player, '/scores')
  await asked
  const { call } = site.contest
  accepted(await call(createAnnouncement, { token: admin.token, body: { data: { title: 'Meanwhile' } } }))
  // A later event of the stream, so that the page has had the earlier one.
  const solve = { token: sailors.token, params: { id: 'anchor' }, body: { flag: 'flag{anchor}' } }
  accepted(await call(submitFlag, solve))
  await player.getByRole('banner').getByText('100 points').waitFor()
  release()
  await player.getByRole('link', { name: 'Announcements, 1 unread' }).waitFor()
})

test('a team that changes its division sees the announcements of the new one', async () => {
  await using site = await openSite({ divisions: { open: 'Open', school: 'School' } })
  const admin = await site.contest.admin()
  const data = { title: 'School bus', audience: { kind: 'division' as const, division: 'school' } }
  accepted(await site.contest.call(createAnnouncement, { token: admin.token, body: { data } }))
  const player = await openLive(site, '/settings', await site.contest.team('Sailors'))
  await player.getByRole('combobox', { name: 'Division' }).selectOption({ label: 'School' })
  const form = player.getByRole('region', { name: 'Team', exact: true })
  await form.getByRole('button', { name: 'Save' }).click()
  await player.getByRole('link', { name: 'Announcements, 1 unread' }).waitFor()
})
