import { completeVerification, listVerifications } from '@pennant/contract/admin-verifications.ts'
import { registerV2 } from '@pennant/contract/accounts.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { withMail } from '../../server/test/mail.ts'
import { accepted, openSite } from './harness.ts'

// Toasts report what happens away from the focus: docs/reference/site.md#dialogs-toasts-keyboard

const ALL_RIGHTS = 63
/** Longer than a toast is shown. */
const AWHILE_MS = 7000

const region = (page: Page) => page.getByRole('region', { name: 'Notifications' })
const toasts = (page: Page) => region(page).getByRole('paragraph')
const resend = (page: Page, name: string) =>
  page.getByRole('row', { name: new RegExp(name) }).getByRole('button', { name: 'Resend email' })

test('toasts: at most three, duplicates counted, paused while hovered or focused, reached with F6; errors stay', async () => {
  await using site = await openSite(withMail)
  for (const name of ['Anchor', 'Buoy', 'Compass', 'Dinghy']) {
    const response = await site.contest.call(registerV2, { body: { name, email: `${name}@example.org` } })
    expect(response.kind).toMatch(/^good/)
  }
  const admin = await site.contest.admin(ALL_RIGHTS)
  const page = await site.visitor({ team: admin })
  await page.clock.install()
  await page.goto('/admin/verifications')
  await resend(page, 'Anchor').click()
  await toasts(page).filter({ hasText: 'Sent the email to Anchor again.' }).waitFor()
  await resend(page, 'Anchor').click()
  await toasts(page).filter({ hasText: 'Sent the email to Anchor again. x2' }).waitFor()
  for (const name of ['Buoy', 'Compass', 'Dinghy']) {
    await resend(page, name).click()
    await toasts(page)
      .filter({ hasText: `Sent the email to ${name} again.` })
      .waitFor()
  }
  expect(await toasts(page).count()).toBe(3)
  expect(await toasts(page).filter({ hasText: 'Anchor' }).count()).toBe(0)

  await region(page).hover()
  await page.clock.runFor(AWHILE_MS)
  expect(await toasts(page).count()).toBe(3)
  await page.getByRole('heading', { level: 1 }).hover()
  await page.clock.runFor(AWHILE_MS)
  expect(await toasts(page).count()).toBe(0)

  const button = resend(page, 'Buoy')
  const hasFocus = (isThere: boolean) =>
    expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(isThere)
  await button.press('Enter')
  await toasts(page).waitFor()
  await page.keyboard.press('F6')
  await hasFocus(false)
  await page.clock.runFor(AWHILE_MS)
  expect(await toasts(page).count()).toBe(1)
  await page.keyboard.press('F6')
  await hasFocus(true)
  await page.keyboard.press('F6')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await toasts(page).waitFor({ state: 'detached' })
  await hasFocus(true)

  const waiting = await site.contest.call(listVerifications, { token: admin.token })
  if (waiting.kind !== 'goodAdminUserVerifications') throw new Error(waiting.kind)
  const params = { id: waiting.data.verifications.find(({ name }) => name === 'Anchor')?.id ?? '' }
  accepted(await site.contest.call(completeVerification, { token: admin.token, params }))
  await resend(page, 'Anchor').click()
  await toasts(page)
    .filter({ hasText: /^Anchor: / })
    .waitFor()
  await page.clock.runFor(AWHILE_MS)
  expect(await toasts(page).count()).toBe(1)
  await region(page).getByRole('button', { name: 'Dismiss' }).click()
  await toasts(page).waitFor({ state: 'detached' })
  expect(site.complaints).toEqual([])
})
