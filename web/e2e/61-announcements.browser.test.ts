import { createAnnouncement } from '@pennant/contract/announcements.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
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
  await table.getByText('A team Sailors').waitFor()
  await table.getByText('Teams that solved a challenge Anchor chain').waitFor()
  await page.getByRole('button', { name: 'Edit Later' }).click()
  const form = page.getByRole('region', { name: 'Edit Later' })
  await form.getByLabel('Publish at').fill('')
  await form.getByRole('button', { name: 'Publish', exact: true }).click()
  await player.getByRole('region', { name: 'Notifications' }).getByText('Later').waitFor()
  expect(await table.getByText('scheduled').count()).toBe(0)
  expect(site.complaints).toEqual([])
})
