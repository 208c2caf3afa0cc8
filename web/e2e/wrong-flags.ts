import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Far more than the server takes at once. */
const MOST_TRIES = 50

/** Sends wrong flags until the page says that the next must wait; gives back where it says so. */
export async function sendUntilHeld(page: Page, send: (flag: string) => Promise<void>): Promise<Locator> {
  const said = page.getByRole('status')
  const held = said.filter({ hasText: 'Next try in' })
  for (let attempt = 1; (await held.count()) === 0; attempt += 1) {
    expect(attempt).toBeLessThan(MOST_TRIES)
    const answered = page.waitForResponse((response) => response.url().endsWith('/submit'))
    await send(`flag{${attempt}}`)
    await answered
    await said
      .filter({ hasText: /Wrong flag|Next try in/ })
      .first()
      .waitFor()
  }
  return held
}
