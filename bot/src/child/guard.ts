import type { BrowserContext, Frame } from 'playwright-core'

/** The browser restricts pages in the same way, but a handler could open a URL that a team submits. */
const SCHEMES = /^(?:https?:|data:|blob:|about:blank$)/i

/**
 * Makes `goto` refuse files, browser-internal pages and view-source URLs: the browser obeys such commands
 * from the driver. It refuses them from pages itself.
 */
export function guardNavigation(context: BrowserContext): void {
  let isGuarded = false
  // All frames share one prototype; `page.goto` calls the main frame's.
  context.on('page', (page) => {
    if (isGuarded) return
    isGuarded = true
    const prototype = Object.getPrototypeOf(page.mainFrame()) as Pick<Frame, 'goto'>
    const goTo = prototype.goto
    prototype.goto = async function goto(this: Frame, url, options) {
      if (!SCHEMES.test(url.trim())) throw new Error('The admin bot only visits http and https URLs.')
      return await goTo.call(this, url, options)
    }
  })
}
