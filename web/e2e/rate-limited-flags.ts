import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Far more than the server's rate limit allows. */
const MAX_TRIES = 50

/** Sends wrong flags until the page is rate-limited; returns the element that says so. */
export async function sendUntilRateLimited(
  page: Page,
  send: (flag: string) => Promise<void>,
): Promise<Locator> {
  const said = page.getByRole('status')
  const held = said.filter({ hasText: 'Try again in' })
  for (let attempt = 1; (await held.count()) === 0; attempt += 1) {
    expect(attempt).toBeLessThan(MAX_TRIES)
    const answered = page.waitForResponse((response) => response.url().endsWith('/submit'))
    await send(`flag{${attempt}}`)
    await answered
    await said
      .filter({ hasText: /Wrong flag|Try again in/ })
      .first()
      .waitFor()
  }
  return held
}
