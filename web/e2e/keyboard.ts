import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Further away than so many presses of Tab nothing counts as reachable. */
const MOST_TABS = 80

/** A person without a mouse, who must see at each step where the focus is. */
export interface Keyboard {
  /** Presses Tab, or another key, until the focus is there. */
  to(target: Locator, key?: string): Promise<void>
  press(key: string): Promise<void>
  type(text: string): Promise<void>
}

/** Must be called before the page is opened: from then on a mouse is an error of the page. */
export async function withoutMouse(page: Page): Promise<Keyboard> {
  await page.addInitScript(() => {
    for (const name of ['pointerdown', 'mousedown', 'touchstart']) {
      addEventListener(name, () => console.error(`A story by keyboard alone saw ${name}.`), { capture: true })
    }
  })
  const press = async (key: string) => {
    await page.keyboard.press(key)
    await expectFocusSeen(page)
  }
  return {
    press,
    async to(target, key = 'Tab') {
      for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
        if ((await page.locator(':focus').and(target).count()) > 0) return
        await press(key)
      }
      throw new Error(`Not reached by ${MOST_TABS} presses of ${key}: ${String(target)}`)
    },
    async type(text) {
      await page.keyboard.type(text)
      await expectFocusSeen(page)
    },
  }
}

async function expectFocusSeen(page: Page): Promise<void> {
  const trouble = await page.evaluate(lookAtFocus)
  expect(trouble).toBeNull()
}

/** In the page: what hides the focus, or null. */
async function lookAtFocus(): Promise<string | null> {
  // Layers take the focus with the frame after they opened.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  const focused = document.activeElement
  // The page itself, as after a navigation: there is nothing to point at.
  if (!focused || focused === document.body || focused.matches('main, [role="dialog"], [tabindex="-1"]'))
    return null
  const name = focused.outerHTML.slice(0, 120)
  // Drawn on the element, on what it covers its row with, or beside an input that is drawn by its label.
  const places = [focused, focused.nextElementSibling, focused.parentElement].filter((each) => each !== null)
  const looks = [...places.map((each) => getComputedStyle(each)), getComputedStyle(focused, '::after')]
  const seen = looks.filter(
    ({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
  )
  if (seen.length === 0) return `No outline: ${name}`
  const box = focused.getBoundingClientRect()
  if (box.width < 2 || box.height < 2) return null
  const isInside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth
  return isInside ? null : `Out of sight: ${name}`
}
