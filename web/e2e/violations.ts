import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { inPage } from './browser.ts'

/** What axe finds on the page: a rule and the first element of each violation. */
export async function violationsOf(page: Page): Promise<unknown> {
  await inPage(page, axe.source)
  // Describing every element that passes takes most of the time.
  return inPage(
    page,
    `axe.run({ resultTypes: ['violations'] })
      .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
  )
}
