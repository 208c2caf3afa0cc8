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
  { path: '/scores', opener: button(/Anchorites/) },
  { path: '/settings', opener: button('Sign out everywhere') },
  { path: '/admin/challenges', opener: button('Import') },
  { path: '/admin/challenges/anchor', opener: button('Delete') },
  { path: '/admin/teams', opener: button(/Anchorites/) },
  { path: '/admin/teams', opener: inSheet('Sign out everywhere'), before: openSheet },
  { path: '/admin/teams', opener: inSheet('Create token'), before: openSheet },
  { path: '/admin/teams', opener: inSheet('Change role'), before: openSheet },
  { path: '/admin/teams', opener: inSheet('Delete team'), before: openSheet },
  { path: '/admin/teams', opener: button('Ban'), before: choose },
  { path: '/admin/teams', opener: button('Columns') },
  { path: '/admin/announcements', opener: button(/^Earlier versions/) },
  { path: '/admin/waves', opener: button('Move Night wave') },
  { path: '/admin/actions', opener: button(/Details|wave/i) },
]

async function fill({ contest, addChallenge }: Site): Promise<void> {
  await addChallenge('anchor', { name: 'Anchor', flag: 'flag{a}' })
  const [admin, team] = [await contest.admin(), await contest.team('Anchorites')]
  await contest.call(submitFlag, { token: team.token, params: { id: 'anchor' }, body: { flag: 'flag{a}' } })
  const { token } = admin
  const data = { title: 'Harbour', audience: { kind: 'all' as const } }
  const made = await contest.call(createAnnouncement, { token, body: { data } })
  if (made.kind !== 'goodAnnouncementUpdate') throw new Error(made.kind)
  const { id, version } = made.data
  await contest.call(updateAnnouncement, {
    token,
    params: { id },
    body: { data: { version, title: 'Port' } },
  })
  const openAt = contest.clock.now() + HOUR_MS
  await contest.call(createWave, { token, body: { data: { name: 'Night wave', openAt, challengeIds: [] } } })
}

test('every layer returns the focus to what opened it', async () => {
  await using site = await openSite()
  await fill(site)
  const page = await site.visitor({
    team: await site.contest.admin(),
    viewport: { width: 1440, height: 900 },
  })
  const lost: string[] = []
  for (const { path, opener, key = 'Enter', before } of layers) {
    await page.goto(path)
    await before?.(page)
    const element = opener(page)
    await element.focus()
    const layersBefore = await page.getByRole('dialog').count()
    await page.keyboard.press(key)
    await expect.poll(() => page.getByRole('dialog').count()).toBeGreaterThan(layersBefore)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(layersBefore)
    const isBack = () => element.evaluate((each) => each === document.activeElement)
    await expect
      .poll(isBack, { timeout: 5_000 })
      .toBe(true)
      .catch(async () => {
        const active = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 90))
        lost.push(`${path}: ${String(element)}: ${active}`)
      })
  }
  expect(lost).toEqual([])
})
