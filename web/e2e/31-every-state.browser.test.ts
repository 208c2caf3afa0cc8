import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { inPage, listen } from './browser.ts'
import { shareScenes } from './look.ts'
import { allScenes, mainScenes, type Scene } from './scenes.ts'
import { excessOf, violationsInBothThemes } from './violations.ts'

// Accessibility of every path, phase, role and theme (docs/reference/site.md#accessibility): no violation of
// any impact, and no sideways scrolling at 320 px or with text of twice the size. Real servers in each phase
// and one browser, because these are hundreds of pages.

/** Number of pages checked in parallel. */
const AT_ONCE = 2
const LIMIT_MS = 900_000

const OTHER_NAME = 'label-content-name-mismatch'

const { still, open } = shareScenes()

interface Visit {
  readonly scenes: readonly Scene[]
  readonly width: number
  readonly check: (page: Page, scene: Scene) => Promise<unknown[]>
}

/** The console error of a request that the scene lets fail. */
const REQUEST_FAILED =
  /^Failed to load resource: (?:net::ERR_EMPTY_RESPONSE|the server responded with a status of 500)/
const isFailing = ({ state }: Scene) => /500|offline/.test(state)

/** Violations by scene name. Empty if there are none. */
async function faultsOf({ scenes, width, check }: Visit): Promise<Record<string, unknown>> {
  const faults: Record<string, unknown> = {}
  const waiting = [...scenes]
  const lines = Array.from({ length: AT_ONCE }, async () => {
    const context = await still(width)
    const page = await context.newPage()
    const complaints: string[] = []
    listen(page, complaints)
    for (let scene = waiting.shift(); scene; scene = waiting.shift()) {
      complaints.length = 0
      const found = await open(page, scene).then(
        () => check(page, scene),
        (error: unknown) => [String(error).split('\n')[0]],
      )
      const all = [...found, ...complaints.filter((each) => !(isFailing(scene) && REQUEST_FAILED.test(each)))]
      if (all.length > 0) faults[scene.name] = all
      // Console errors of its requests must not appear on the next page.
      if (isFailing(scene)) await page.goto('about:blank')
    }
    await context.close()
  })
  await Promise.all(lines)
  return faults
}

async function checkPage(page: Page, { state }: Scene): Promise<unknown[]> {
  const found = await violationsInBothThemes(page)
  // Names in attributes are not translated.
  const violations = found.filter((each) => !(state.includes('pseudo') && each.includes(OTHER_NAME)))
  const excess = await excessOf(page)
  return excess > 0 ? [...violations, `${excess} px too wide`] : violations
}

/** As `checkPage`, and again with text twice the size, except for pseudo-translated scenes. */
async function checkTwice(page: Page, scene: Scene): Promise<unknown[]> {
  const faults = await checkPage(page, scene)
  if (scene.state.includes('pseudo')) return faults
  await inPage(page, "document.documentElement.style.fontSize = '200%'")
  const excess = await excessOf(page)
  return excess > 0 ? [...faults, `${excess} px too wide with large text`] : faults
}

/** All scenes, or each state once and another eighth each day: together they take minutes, and most share the parts of a page. */
const SHARES = process.env['PENNANT_TEST_ALL'] ? 1 : 8

function sampleOf(scenes: readonly Scene[]): readonly Scene[] {
  const today = new Date().getUTCDate() % SHARES
  const sample = scenes.filter((_, index) => index % SHARES === today)
  const states = new Set(sample.map(({ state }) => state))
  const missing = scenes.filter(({ state }) => !states.has(state) && states.add(state))
  return [...sample, ...missing]
}

test('every page is accessible in each phase, role, failure and theme', { timeout: LIMIT_MS }, async () => {
  expect(await faultsOf({ scenes: sampleOf(allScenes), width: 1440, check: checkTwice })).toEqual({})
})

test(
  'every page is accessible on the narrowest screen and does not scroll sideways',
  { timeout: LIMIT_MS },
  async () => {
    expect(await faultsOf({ scenes: mainScenes, width: 320, check: checkPage })).toEqual({})
  },
)
