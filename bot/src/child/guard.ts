import type { BrowserContext, Frame } from 'playwright-core'

/** Pages cannot go anywhere else either; a handler that opens what a team sends could. */
const SCHEMES = /^(?:https?:|data:|blob:|about:blank$)/i

/**
 * Refuses files, the browser's own pages and the views of sources to `goto`, which as the driver's command would be
 * obeyed. From pages the browser itself refuses them.
 */
export function guardNavigation(context: BrowserContext): void {
  let isGuarded = false
  // All frames share one prototype; `page.goto` is its main frame's.
  context.on('page', (page) => {
    if (isGuarded) return
    isGuarded = true
    const prototype = Object.getPrototypeOf(page.mainFrame()) as Pick<Frame, 'goto'>
    const goTo = prototype.goto
    prototype.goto = async function goto(this: Frame, url, options) {
      if (!SCHEMES.test(url.trim())) throw new Error('The admin bot visits addresses of http and https only.')
      return await goTo.call(this, url, options)
    }
  })
}
