import { submitFlag } from '@pennant/contract/submissions.ts'
import { createAnnouncement, updateAnnouncement } from '@pennant/contract/announcements.ts'
import { createWave } from '@pennant/contract/waves.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openSite, type Site } from './harness.ts'

interface Layer {
  readonly path: string
  /** What has the focus before the layer opens, and again after it closed. */
  readonly opener: (page: Page) => Locator
  /** Opens it from there: Enter if absent. */
  readonly key?: string
  readonly before?: (page: Page) => Promise<void>
}

const button = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).first()
const inSheet = (name: string) => (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true })
const openSheet = (page: Page) => button(/Anchorites/)(page).click()
const choose = (page: Page) => page.getByRole('checkbox').nth(1).check()

const layers: readonly Layer[] = [
  { path: '/challenges', opener: (page) => page.getByRole('searchbox').first(), key: 'Control+k' },
  { path: '/scores', opener: button('Image') },
  { path: '/scores', opener: button('Print') },
  { path: '/settings', opener: button('Sign out everywhere') },
  { path: '/admin/challenges', opener: button('Import') },
  { path: '/admin/challenges/anchor', opener: button('Delete') },
  { path: '/admin/teams', opener: button(/Anchorites/) },
  { path: '/admin/teams', opener: inSheet('Sign out everywhere'), before: openSheet },
  { path: '/admin/teams', opener: inSheet('Create token'), before: openSheet },
  {
    path: '/admin/teams',
    opener: inSheet('Change role'),
    async before(page) {
      await openSheet(page)
      await page.getByRole('radio', { name: /^Judge/ }).check()
    },
  },
  { path: '/admin/teams', opener: inSheet('Delete team'), before: openSheet },
  { path: '/admin/teams', opener: button('Ban'), before: choose },
  { path: '/admin/teams', opener: button('Columns') },
  { path: '/admin/announcements', opener: button(/^Earlier versions/) },
  { path: '/admin/waves', opener: button('Move Night wave') },
]

async function fill({ contest, addChallenge }: Site): Promise<void> {
  await addChallenge('anchor', { name: 'Anchor', flag: 'flag{a}' })
  const [admin, team] = [await contest.admin(), await contest.team('Anchorites')]
  await contest.call(submitFlag, { token: team.token, params: { id: 'anchor' }, body: { flag: 'flag{a}' } })
  const { token } = admin
  const data = { title: 'Harbour', audience: { kind: 'all' as const } }
  const made = await contest.call(createAnnouncement, { token, body: { data } })
  if (made.kind !== 'goodAnnouncementUpdate') throw new Error(made.kind)
  const { id, version } = made.data.announcement
  await contest.call(updateAnnouncement, {
    token,
    params: { id },
    body: { data: { version, title: 'Port' } },
  })
  const openAt = contest.clock.now() + HOUR_MS
  await contest.call(createWave, { token, body: { data: { name: 'Night wave', openAt, challengeIds: [] } } })
}

/** Returns what has the focus instead of the opener after the layer closed, or null. */
async function openAndClose(
  page: Page,
  { path, opener, key = 'Enter', before }: Layer,
): Promise<string | null> {
  await page.goto(path)
  await before?.(page)
  const element = opener(page)
  await element.focus()
  const dialogs = page.getByRole('dialog')
  const count = await dialogs.count()
  await page.keyboard.press(key)
  await expect.poll(() => dialogs.count()).toBeGreaterThan(count)
  await page.keyboard.press('Escape')
  await expect.poll(() => dialogs.count()).toBe(count)
  // The focus returns one frame later.
  return element.evaluate(async (each) => {
    for (let frames = 0; frames < 10 && document.activeElement !== each; frames += 1)
      await new Promise((resolve) => requestAnimationFrame(resolve))
    return document.activeElement === each ? null : (document.activeElement?.outerHTML.slice(0, 120) ?? '')
  })
}

test('every layer returns the focus to what opened it', async () => {
  await using site = await openSite()
  await fill(site)
  const team = await site.contest.admin()
  const page = await site.visitor({ team, viewport: { width: 1440, height: 900 } })
  const lost: Record<string, string> = {}
  for (const layer of layers) {
    const problem = await openAndClose(page, layer)
    if (problem !== null) lost[`${layer.path} ${String(layer.opener(page))}`] = problem
  }
  expect(lost).toEqual({})
})

test('a tooltip closes no menu that is open', async () => {
  await using site = await openSite()
  const page = await site.visitor({ viewport: { width: 1440, height: 900 } })
  await page.goto('/')
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  const menu = page.getByRole('menu')
  await menu.waitFor()
  await page.getByRole('timer').first().hover()
  await page.getByRole('tooltip').waitFor()
  expect(await menu.isVisible()).toBe(true)
  await page.mouse.move(0, 400)
  await page.getByRole('tooltip').waitFor({ state: 'hidden' })
  expect(site.complaints).toEqual([])
})
