import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { inPage, listen } from './browser.ts'
import { openScene } from './look.ts'
import { shareMockSite } from './mock-site.ts'
import { allScenes, mainScenes, type Scene } from './scenes.ts'

// Site specification 6: axe on every path, phase, role and theme, 0 violations of any impact; 320 px and twice the size
// of text without sideways scroll. On the mock, in one browser, since these are hundreds of pages.

/** The machine's cores are shared: so many pages are looked at at a time. */
const AT_ONCE = 2
const LIMIT_MS = 600_000

/** Axe in the theme in use, then what depends on colours in the other; it needs no second load. */
const AXE = `(async () => {
  const words = ({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 200))
  const dark = words(await axe.run({ resultTypes: ['violations'] }))
  document.documentElement.dataset.mantineColorScheme = 'light'
  const light = words(await axe.run({ runOnly: ['color-contrast'], resultTypes: ['violations'] }))
  return [...dark, ...light.map((word) => 'light ' + word)]
})()`

/** Pixels that the page is wider than the window; below 0 by the room that is kept for a scroll bar. */
const EXCESS = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

const { still } = shareMockSite()

interface Visit {
  readonly scenes: readonly Scene[]
  readonly width: number
  readonly look: (page: Page, scene: Scene) => Promise<unknown[]>
}

/** What each scene was found to have wrong, by its name. Empty when all is well. */
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

/** As `lookAt`, and once more with text of twice the size; words that are longer as well would be another language. */
async function lookTwice(page: Page, { mock }: Scene): Promise<unknown[]> {
  const faults = await lookAt(page)
  if (mock.includes('pseudo')) return faults
  await inPage(page, "document.documentElement.style.fontSize = '200%'")
  const excess = Number(await inPage(page, EXCESS))
  return excess > 0 ? [...faults, `${excess} px too wide with large text`] : faults
}

test(
  'every page is for everybody, in each phase, role, trouble and theme',
  { timeout: LIMIT_MS },
  async () => {
    expect(await faultsOf({ scenes: allScenes, width: 1440, look: lookTwice })).toEqual({})
  },
)

test(
  'every page is for everybody on the narrowest screen, and none scrolls sideways',
  { timeout: LIMIT_MS },
  async () => {
    expect(await faultsOf({ scenes: mainScenes, width: 320, look: lookAt })).toEqual({})
  },
)
