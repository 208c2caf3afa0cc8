import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** An element that needs more Tab presses than this counts as unreachable. */
const MAX_TABS = 80

/** A keyboard-only user, for whom the focus must be visible at each step. */
export interface Keyboard {
  /** Presses Tab, or another key, until the target has the focus. */
  to(target: Locator, key?: string): Promise<void>
  press(key: string): Promise<void>
  type(text: string): Promise<void>
}

/** Call before the page is opened: from then on any mouse event is reported as a page error. */
export async function withoutMouse(page: Page): Promise<Keyboard> {
  await page.addInitScript(() => {
    for (const name of ['pointerdown', 'mousedown', 'touchstart']) {
      addEventListener(name, () => console.error(`A keyboard-only scenario saw ${name}.`), { capture: true })
    }
  })
  const press = async (key: string) => {
    await page.keyboard.press(key)
    await expectFocusSeen(page)
  }
  return {
    press,
    async to(target, key = 'Tab') {
      for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
        if ((await page.locator(':focus').and(target).count()) > 0) return
        await press(key)
      }
      throw new Error(`Not reached by ${MAX_TABS} presses of ${key}: ${String(target)}`)
    },
    async type(text) {
      await page.keyboard.type(text)
      await expectFocusSeen(page)
    },
  }
}

async function expectFocusSeen(page: Page): Promise<void> {
  const problem = await page.evaluate(checkFocus)
  expect(problem).toBeNull()
}

/** Runs in the page: why the focus is not visible, or null. */
async function checkFocus(): Promise<string | null> {
  // Layers take the focus one frame after opening.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  const focused = document.activeElement
  // The page itself has the focus, as after a navigation: there is nothing to outline.
  if (
    !focused ||
    focused === document.body ||
    focused.matches('main, dialog, [role="dialog"], [tabindex="-1"]')
  )
    return null
  const name = focused.outerHTML.slice(0, 120)
  // The outline is on the element, its row overlay, or the label that draws the input.
  const codeEditor = focused.shadowRoot?.activeElement?.closest('.cm-editor') ?? null
  const places = [focused, focused.nextElementSibling, focused.parentElement, codeEditor].filter(
    (each) => each !== null,
  )
  const styles = [...places.map((each) => getComputedStyle(each)), getComputedStyle(focused, '::after')]
  const seen = styles.filter(
    ({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
  )
  if (seen.length === 0) return `No outline: ${name}`
  const box = focused.getBoundingClientRect()
  if (box.width < 2 || box.height < 2) return null
  const isInside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth
  return isInside ? null : `Out of sight: ${name}`
}
