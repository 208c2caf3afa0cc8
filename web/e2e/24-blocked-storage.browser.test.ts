import { createAnnouncement } from '@pennant/contract/announcements.ts'
import { readOwnProfileV2 } from '@pennant/contract/teams.ts'
import { openStream } from '@pennant/contract/stream.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { accepted, gotoLive, openSite, type Site } from './harness.ts'

/** As browsers with blocked cookies behave: Firefox throws for channels, Chromium rejects locks, both throw for storage. */
function blockStorage(): void {
  const refuse = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  }
  for (const name of ['localStorage', 'sessionStorage', 'caches', 'indexedDB'])
    Object.defineProperty(window, name, { get: refuse })
  Object.defineProperty(window, 'BroadcastChannel', { value: refuse })
  Object.defineProperty(LockManager.prototype, 'request', {
    value: () => Promise.reject(new DOMException('Access denied.', 'SecurityError')),
  })
}

async function publish({ contest }: Site, title: string): Promise<void> {
  const admin = await contest.admin()
  const data = { title, audience: { kind: 'all' as const } }
  accepted(await contest.call(createAnnouncement, { token: admin.token, body: { data } }))
}

const toast = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text).waitFor()

test('with blocked cookies each tab shows the site, signs in, and follows the stream by itself', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor' })
  const sailors = await site.contest.team('Sailors')
  const own = await site.contest.call(readOwnProfileV2, { token: sailors.token })
  if (own.kind !== 'goodUserSelfData') throw new Error(own.kind)
  const first = await site.visitor()
  await first.context().addInitScript(blockStorage)
  const second = await first.context().newPage()
  for (const page of [first, second]) {
    await gotoLive(page, '/scores')
    await page.getByRole('heading', { level: 1, name: 'Scoreboard' }).waitFor()
  }
  await publish(site, 'Harbour closed')
  for (const page of [first, second]) await toast(page, 'Harbour closed')

  await first.goto('/login')
  await first.getByLabel('Team token').fill(own.data.teamToken)
  await first.getByRole('button', { name: 'Sign in', exact: true }).click()
  await first.getByRole('banner').getByText('0 points').waitFor()
  await first.getByRole('banner').getByRole('link', { name: 'Challenges' }).click()
  await first.getByRole('link', { name: 'Not solved Anchor' }).waitFor()
  expect(site.complaints).toEqual([])
})

test('a page that the browser keeps for Back ends its stream, and continues when it is shown again', async () => {
  await using site = await openSite()
  const page = await site.visitor({ team: await site.contest.team('Sailors') })
  const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith(openStream.path))
  await gotoLive(page, '/scores')
  const turn = (type: string) =>
    page.evaluate((name) => window.dispatchEvent(new PageTransitionEvent(name, { persisted: true })), type)
  await turn('pagehide')
  await ended
  const opened = page.waitForResponse((response) => response.url().endsWith(openStream.path))
  await turn('pageshow')
  await opened
  await publish(site, 'Harbour open')
  await toast(page, 'Harbour open')
  expect(site.complaints).toEqual([])
})
