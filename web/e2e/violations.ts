import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
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

/** Runs axe in the current theme, then only the colour rules in the other, without a second load. */
const BOTH_THEMES = `(async () => {
  const words = ({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 200))
  const root = document.documentElement
  const theme = root.dataset.theme
  const dark = words(await axe.run({ resultTypes: ['violations'] }))
  root.dataset.theme = 'light'
  const light = words(await axe.run({ runOnly: ['color-contrast'], resultTypes: ['violations'] }))
  if (theme === undefined) delete root.dataset.theme
  else root.dataset.theme = theme
  return [...dark, ...light.map((word) => 'light ' + word)]
})()`

/** As `violationsOf`, of a page in the dark theme and with the colours of the light one. */
export async function violationsInBothThemes(page: Page): Promise<string[]> {
  await inPage(page, axe.source)
  return (await inPage(page, BOTH_THEMES)) as string[]
}

const EXCESS = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

/** Pixels by which the page is wider than the window; negative by the width of the scrollbar gutter. */
export async function excessOf(page: Page): Promise<number> {
  return Number(await inPage(page, EXCESS))
}

/** The narrowest screen of the design. */
export const PHONE = { width: 360, height: 800 }

/** No finding of axe in either theme, and nothing that makes the page scroll sideways. */
export async function expectSound(page: Page): Promise<void> {
  expect(await violationsInBothThemes(page)).toEqual([])
  expect(await excessOf(page)).toBeLessThanOrEqual(0)
}
