import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { LargeContest } from './contest.ts'

/** What a page has noted of itself since it began. */
export interface Notes {
  /** Sum of all shifts that no press brought about. */
  readonly shift: number
  /** Milliseconds that tasks took beyond 50 each. */
  readonly blockedMs: number
  /** The longest interaction so far, from the press to the next paint. */
  readonly slowestPressMs: number
  /** When something was painted first. */
  readonly paintedMs: number
  readonly elements: number
}

interface Noting {
  shift: number
  blockedMs: number
  slowestPressMs: number
}

/** An empty browser that functions can be sent to. */
export async function emptyBrowser(
  browser: Browser,
  options: BrowserContextOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext(options)
  // What runs TypeScript here wraps functions in it; in the page there is none.
  await context.addInitScript('globalThis.__name = (value) => value')
  return context
}

/** The same, in which the own team is signed in. */
export async function signedIn(
  browser: Browser,
  { url, token }: Pick<LargeContest, 'url' | 'token'>,
  options: BrowserContextOptions,
): Promise<BrowserContext> {
  const context = await emptyBrowser(browser, { baseURL: url, ...options })
  await context.addInitScript((value) => localStorage.setItem('pennant.token', value), token)
  return context
}

/** Put into each page before its own scripts. */
export async function addProbe(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const noting: Noting = { shift: 0, blockedMs: 0, slowestPressMs: 0 }
    Object.assign(globalThis, { budgetNotes: noting })
    // All of this runs in the page: nothing outside is there.
    // oxlint-disable-next-line unicorn/consistent-function-scoping
    const watch = (type: string, note: (entry: PerformanceEntry) => void, more: object = {}) => {
      const observer = new PerformanceObserver((list) => list.getEntries().forEach(note))
      observer.observe({ type, buffered: true, ...more })
    }
    watch('layout-shift', (entry) => {
      const { value, hadRecentInput } = entry as PerformanceEntry & {
        readonly value: number
        readonly hadRecentInput: boolean
      }
      if (!hadRecentInput) noting.shift += value
    })
    watch('longtask', ({ duration }) => {
      noting.blockedMs += Math.max(0, duration - 50)
    })
    const pressed = (entry: PerformanceEntry) => {
      const { interactionId } = entry as PerformanceEntry & { readonly interactionId: number }
      if (interactionId > 0) noting.slowestPressMs = Math.max(noting.slowestPressMs, entry.duration)
    }
    watch('event', pressed, { durationThreshold: 16 })
  })
}

export async function readNotes(page: Page): Promise<Notes> {
  return page.evaluate(() => {
    const { budgetNotes } = globalThis as unknown as { readonly budgetNotes?: Noting }
    if (!budgetNotes) throw new Error('the probe did not run')
    const [painted] = performance.getEntriesByName('first-contentful-paint')
    return {
      ...budgetNotes,
      paintedMs: painted?.startTime ?? 0,
      elements: document.querySelectorAll('*').length,
    }
  })
}

/** Presses up to now are not counted any more. */
export async function forgetPresses(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { budgetNotes } = globalThis as unknown as { readonly budgetNotes: Noting }
    budgetNotes.slowestPressMs = 0
  })
}

/** Put into a page before its scripts: notes when something of the selector is seen first. */
export async function watchFor(page: Page, selector: string): Promise<void> {
  await page.addInitScript((wanted) => {
    const look = () => {
      const isShown = [...document.querySelectorAll(wanted)].some((element) => element.checkVisibility())
      if (isShown) Object.assign(globalThis, { budgetShownMs: performance.now() })
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  }, selector)
}

/** Milliseconds from the page's beginning to that moment. */
export async function readShown(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { budgetShownMs } = globalThis as unknown as { readonly budgetShownMs?: number }
    if (budgetShownMs === undefined) throw new Error('nothing was seen')
    return budgetShownMs
  })
}
