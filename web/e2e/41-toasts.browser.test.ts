import { registerV2 } from '@pennant/contract/accounts.ts'
import { createAnnouncement } from '@pennant/contract/announcements.ts'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { withMail } from '../../server/test/mail.ts'
import { accepted, announced, gotoLive, openSite } from './harness.ts'

// Toasts report what happens elsewhere, buttons what they did: docs/reference/site.md#dialogs-toasts-keyboard

/** Longer than a toast or the word in a button is shown. */
const AWHILE_MS = 7000

const region = (page: Page) => page.getByRole('region', { name: 'Notifications' })
const dismissals = (page: Page) => region(page).getByRole('button', { name: 'Dismiss' })

test('toasts: at most three, duplicates counted, paused while hovered or focused, reached with F6; errors stay', async () => {
  await using site = await openSite()
  const { token } = await site.contest.admin()
  const announce = async (title: string, severity: 'info' | 'critical' = 'info') =>
    accepted(await site.contest.call(createAnnouncement, { token, body: { data: { title, severity } } }))
  const page = await site.visitor({ team: await site.contest.team('Sailors') })
  await gotoLive(page, '/scores')
  await page.clock.install()
  await announce('Anchor')
  await region(page).getByText('Anchor', { exact: true }).waitFor()
  await announce('Anchor')
  await region(page).getByText('Anchor x2').waitFor()
  for (const name of ['Buoy', 'Compass', 'Dinghy']) {
    await announce(name)
    await region(page).getByText(name).waitFor()
  }
  expect(await dismissals(page).count()).toBe(3)
  expect(await region(page).getByText('Anchor').count()).toBe(0)

  // `hover` waits for frames, which the installed clock holds back.
  const box = await region(page).boundingBox()
  await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 20)
  await page.clock.runFor(AWHILE_MS)
  expect(await dismissals(page).count()).toBe(3)
  await page.mouse.move(1, 1)
  await page.clock.runFor(AWHILE_MS)
  expect(await dismissals(page).count()).toBe(0)

  const link = page.getByRole('banner').getByRole('link', { name: 'Challenges' })
  const hasFocus = (isThere: boolean) =>
    expect.poll(() => link.evaluate((element) => element === document.activeElement)).toBe(isThere)
  await link.focus()
  await announce('Ebb')
  await dismissals(page).waitFor()
  await page.keyboard.press('F6')
  await hasFocus(false)
  await page.clock.runFor(AWHILE_MS)
  expect(await dismissals(page).count()).toBe(1)
  await page.keyboard.press('F6')
  await hasFocus(true)
  await page.keyboard.press('F6')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await dismissals(page).waitFor({ state: 'detached' })
  await hasFocus(true)

  await announce('Flood', 'critical')
  await region(page).getByText('Flood').waitFor()
  await page.clock.runFor(AWHILE_MS)
  await dismissals(page).click()
  await dismissals(page).waitFor({ state: 'detached' })
  expect(site.complaints).toEqual([])
})

test('a button confirms its action in its place, with its width and the focus, and without a toast', async () => {
  await using site = await openSite(withMail)
  const body = { name: 'Anchor', email: 'anchor@example.org' }
  accepted(await site.contest.call(registerV2, { body }))
  const page = await site.visitor({ team: await site.contest.admin() })
  await page.clock.install()
  await page.goto('/admin/verifications')
  const resend = page.getByRole('button', { name: 'Resend email', exact: true })
  await pressConfirmed(page, resend, 'Sent')
  expect(await dismissals(page).count()).toBe(0)
  await page.clock.runFor(AWHILE_MS)
  await resend.waitFor()
  expect(site.complaints).toEqual([])
})

test.each([
  { path: '/settings', field: 'Status' },
  { path: '/admin/settings', field: 'Description' },
  { path: '/admin/challenges/anchor', field: 'Author' },
])('$path confirms a save in its button', async ({ path, field }) => {
  await using site = await openSite()
  await site.addChallenge('anchor')
  const page = await site.visitor({ team: await site.contest.admin() })
  await page.goto(path)
  await page.getByLabel(field, { exact: true }).last().fill('Ahoy')
  const save = page.getByRole('button', { name: 'Save', exact: true, disabled: false })
  await pressConfirmed(page, save, 'Saved')
  expect(await page.getByText('Saved.').count()).toBe(0)
  expect(site.complaints).toEqual([])
})

/**
 * Presses the button and waits until it shows the word, at its width and with the focus. Looks at each frame, because the
 * word is shown for two seconds.
 */
async function pressConfirmed(page: Page, button: Locator, word: string): Promise<void> {
  const width = (await button.boundingBox())?.width
  const confirmed = page.waitForFunction(
    (expected) => {
      const focused = document.activeElement as HTMLElement
      return focused.innerText === expected.word && focused.getBoundingClientRect().width === expected.width
    },
    { word, width },
    { polling: 'raf' },
  )
  await button.press('Enter')
  await confirmed
  await announced(page, word).waitFor()
}
