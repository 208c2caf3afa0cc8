import { listMessageThreads } from '@pennant/contract/messages.ts'
import { roles } from '@pennant/contract/permissions.ts'
import { openStream } from '@pennant/contract/stream.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Member } from '../../server/test/harness.ts'
import { announced, openSite, type Site } from './harness.ts'
import { violationsOf } from './violations.ts'

/** Opens a page and waits for its stream. */
async function openLive(site: Site, path: string, team: Member): Promise<Page> {
  const page = await site.visitor({ team })
  const opened = page.waitForResponse((response) => response.url().endsWith(openStream.path))
  await page.goto(path)
  await opened
  return page
}

test('a team asks about a challenge, the open queue shows it, and the answer reaches the bell', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor' })
  const [sailors, support, other] = [
    await site.contest.team('Sailors'),
    await site.contest.admin(),
    await site.contest.admin(roles.support),
  ]
  const organiser = await openLive(site, '/admin/messages', support)
  await organiser.getByText('No messages here.').waitFor()

  const player = await openLive(site, '/challenges/anchor', sailors)
  await player.getByRole('link', { name: 'Ask about this challenge' }).click()
  const ask = player.getByRole('region', { name: 'Ask the organisers' })
  expect(await ask.getByRole('combobox', { name: 'About' }).inputValue()).toBe('anchor')
  await ask.getByRole('textbox', { name: 'Subject' }).fill('Is it down?')
  await ask
    .getByRole('textbox', { name: 'Message' })
    .fill('**No** answer <script>alert(1)</script> ![spy](https://spy.example/a.png)')
  await ask.getByRole('button', { name: 'Send' }).click()
  await player.getByRole('heading', { name: 'Is it down?' }).waitFor()
  const listed = player.waitForResponse((response) => response.url().endsWith(listMessageThreads.path))
  await player.goto('/scores')
  await listed

  // Without a reload, also in the navigation of all organiser pages.
  await organiser
    .getByRole('navigation', { name: 'Organiser pages' })
    .getByRole('link', { name: 'Messages 1 waiting' })
    .waitFor()
  await organiser.getByRole('link', { name: 'Is it down?' }).click()
  const thread = organiser.getByRole('list', { name: 'Conversation' })
  await thread.locator('strong', { hasText: 'No' }).waitFor()
  // What players write loads nothing from elsewhere.
  expect(await thread.locator('img, script').count()).toBe(0)
  expect(await thread.getByRole('link', { name: 'spy' }).count()).toBe(1)
  await organiser.getByRole('button', { name: 'Assign to me' }).click()
  await organiser.getByRole('button', { name: 'Release' }).waitFor()

  // Another organiser sees who answers, and cannot answer by mistake.
  const second = await openLive(site, organiser.url(), other)
  await second.getByText(/is answering this/).waitFor()
  expect(await second.getByRole('textbox', { name: 'Answer' }).count()).toBe(0)

  // Passed on, and taken back.
  const assign = organiser.getByRole('combobox', { name: 'Assign to another organiser' })
  await assign.selectOption({ index: 1 })
  await organiser.getByText(/is answering this/).waitFor()
  await organiser.getByRole('button', { name: 'Take over' }).click()
  await organiser.getByRole('textbox', { name: 'Answer' }).fill('It is *up* again.')
  await organiser.getByRole('button', { name: 'Send answer' }).click()
  await thread.getByText('It is up again.').waitFor()
  await organiser
    .getByRole('navigation', { name: 'Organiser pages' })
    .getByRole('link', { name: 'Messages', exact: true })
    .waitFor()
  await second.getByText('It is up again.').waitFor()

  await player
    .getByRole('region', { name: 'Notifications' })
    .getByText('Answer from the organisers')
    .waitFor()
  await player.getByRole('banner').getByRole('link', { name: 'Messages, 1 unread' }).click()
  await player.getByRole('link', { name: 'Is it down?' }).click()
  await player.getByText('It is up again.').waitFor()
  // Read now.
  await player.getByRole('banner').getByRole('link', { name: 'Announcements', exact: true }).waitFor()

  // The answer becomes an announcement.
  await organiser.getByRole('link', { name: 'Announce to everyone…' }).click()
  await organiser.getByRole('button', { name: 'Publish' }).click()
  await player.getByRole('banner').getByRole('link', { name: 'Announcements, 1 unread' }).waitFor()
  expect(site.complaints).toEqual([])
})

test('canned answers, the switch that turns messages off, and pages without violations', async () => {
  await using site = await openSite()
  const [sailors, admin] = [await site.contest.team('Sailors'), await site.contest.admin()]
  const organiser = await openLive(site, '/admin/messages', admin)
  await organiser.getByText('When teams may write, and canned answers').click()
  await organiser.getByRole('button', { name: 'Add a canned answer' }).click()
  await organiser.getByRole('textbox', { name: 'Name' }).fill('Flag format')
  await organiser.getByRole('textbox', { name: 'Text' }).fill('See the rules.')
  await organiser.getByRole('button', { name: 'Save' }).click()
  await announced(organiser, 'Saved').waitFor()
  expect(await violationsOf(organiser)).toEqual([])

  const player = await openLive(site, '/messages', sailors)
  await player.getByRole('textbox', { name: 'Subject' }).fill('Format?')
  await player.getByRole('textbox', { name: 'Message' }).fill('Which one?')
  expect(await violationsOf(player)).toEqual([])
  await player.getByRole('button', { name: 'Send' }).click()
  await player.getByRole('heading', { name: 'Format?' }).waitFor()
  await organiser.getByRole('link', { name: 'Format?' }).click()
  await organiser
    .getByRole('combobox', { name: 'Insert a canned answer' })
    .selectOption({ label: 'Flag format' })
  expect(await violationsOf(organiser)).toEqual([])
  await organiser.getByRole('button', { name: 'Send and close' }).click()
  await player.getByText('See the rules.').waitFor()
  await player.getByText(/This conversation is closed/).waitFor()
  expect(await violationsOf(player)).toEqual([])

  await organiser.goto('/admin/messages')
  await organiser.getByText('When teams may write, and canned answers').click()
  await organiser.getByRole('switch', { name: 'Teams may write to the organisers' }).click()
  await organiser.getByRole('button', { name: 'Save' }).click()
  await announced(organiser, 'Saved').waitFor()
  await player.goto('/messages')
  await player.getByText('The organisers do not take messages at the moment.').waitFor()
  expect(await player.getByRole('textbox', { name: 'Subject' }).count()).toBe(0)
  expect(site.complaints).toEqual([])
})

test('an announcement for one team is addressed by searching its name', async () => {
  await using site = await openSite()
  const [sailors, admin] = [await site.contest.team('Sailors'), await site.contest.admin()]
  await site.contest.team('Pilots')
  const organiser = await openLive(site, '/admin/announcements', admin)
  await organiser.getByRole('textbox', { name: 'Title' }).fill('Just for you')
  await organiser.getByRole('combobox', { name: 'Audience' }).selectOption({ label: 'A team' })
  await organiser.getByRole('combobox', { name: 'Team' }).fill('sail')
  await organiser.getByRole('option', { name: 'Sailors' }).click()
  const player = await openLive(site, '/', sailors)
  await organiser.getByRole('button', { name: 'Publish' }).click()
  await player.getByRole('banner').getByRole('link', { name: 'Announcements, 1 unread' }).waitFor()
  expect(site.complaints).toEqual([])
})
