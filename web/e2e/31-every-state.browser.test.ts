import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { inPage, listen } from './browser.ts'
import { openScene } from './look.ts'
import { shareMockSite } from './mock-site.ts'
import { allScenes, mainScenes, type Scene } from './scenes.ts'

// Accessibility of every path, phase, role and theme (docs/reference/site.md#accessibility): no violation of
// any impact, and no sideways scrolling at 320 px or with text of twice the size. Uses the mock and one
// browser, because these are hundreds of pages.

/** Number of pages checked in parallel. */
const AT_ONCE = 2
const LIMIT_MS = 900_000

/** Runs axe in the current theme, then only the colour rules in the other, without a second load. */
const AXE = `(async () => {
  const words = ({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 200))
  const dark = words(await axe.run({ resultTypes: ['violations'] }))
  document.documentElement.dataset.mantineColorScheme = 'light'
  const light = words(await axe.run({ runOnly: ['color-contrast'], resultTypes: ['violations'] }))
  return [...dark, ...light.map((word) => 'light ' + word)]
})()`

/** Pixels by which the page is wider than the window; negative by the width of the scrollbar gutter. */
const EXCESS = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

const { still } = shareMockSite()

interface Visit {
  readonly scenes: readonly Scene[]
  readonly width: number
  readonly look: (page: Page, scene: Scene) => Promise<unknown[]>
}

/** Violations by scene name. Empty if there are none. */
async function faultsOf({ scenes, width, look }: Visit): Promise<Record<string, unknown>> {
  const faults: Record<string, unknown> = {}
  const waiting = [...scenes]
  const lines = Array.from({ length: AT_ONCE }, async () => {
    const context = await still(width)
    const page = await context.newPage()
    const complaints: string[] = []
    listen(page, complaints)
    for (let scene = waiting.shift(); scene; scene = waiting.shift()) {
      complaints.length = 0
      const found = await openScene(page, scene).then(
        () => look(page, scene),
        (error: unknown) => [String(error).split('\n')[0]],
      )
      const all = [...found, ...complaints]
      if (all.length > 0) faults[scene.name] = all
    }
    await context.close()
  })
  await Promise.all(lines)
  return faults
}

async function lookAt(page: Page): Promise<unknown[]> {
  await inPage(page, axe.source)
  const violations = (await inPage(page, AXE)) as string[]
  const excess = Number(await inPage(page, EXCESS))
  return excess > 0 ? [...violations, `${excess} px too wide`] : violations
}

/** As `lookAt`, and again with text twice the size, except for pseudo-translated scenes. */
async function lookTwice(page: Page, { mock }: Scene): Promise<unknown[]> {
  const faults = await lookAt(page)
  if (mock.includes('pseudo')) return faults
  await inPage(page, "document.documentElement.style.fontSize = '200%'")
  const excess = Number(await inPage(page, EXCESS))
  return excess > 0 ? [...faults, `${excess} px too wide with large text`] : faults
}

/** All scenes, or another third of them each day: together they take minutes, and most share the parts of a page. */
const SHARES = process.env['PENNANT_TEST_ALL'] ? 1 : 3
const share = new Date().getUTCDate() % SHARES
const someScenes = allScenes.filter((_, index) => index % SHARES === share)

test('every page is accessible in each phase, role, failure and theme', { timeout: LIMIT_MS }, async () => {
  expect(await faultsOf({ scenes: someScenes, width: 1440, look: lookTwice })).toEqual({})
})

test(
  'every page is accessible on the narrowest screen and does not scroll sideways',
  { timeout: LIMIT_MS },
  async () => {
    expect(await faultsOf({ scenes: mainScenes, width: 320, look: lookAt })).toEqual({})
  },
)
