import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { LargeContest } from './contest.ts'
import { withoutStream } from '../../web/e2e/quiet.ts'

/** What the probe has recorded since the page started to load. */
export interface Notes {
  /** Sum of all layout shifts without recent user input. */
  readonly shift: number
  /** For each shift its value, and the elements that moved with the pixels that they moved by. */
  readonly moved: readonly string[]
  /** Sum of what long tasks took beyond 50 ms each. */
  readonly blockedMs: number
  /** The longest interaction so far, from input to next paint. */
  readonly slowestInteractionMs: number
  /** Time of the first paint. */
  readonly paintedMs: number
  readonly elements: number
}

interface Noting {
  shift: number
  moved: string[]
  blockedMs: number
  slowestInteractionMs: number
}

/** An empty browser context that functions can be sent to. */
export async function emptyBrowser(
  browser: Browser,
  options: BrowserContextOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext(options)
  // The TypeScript loader wraps functions in a `__name` helper, which does not exist in the page.
  await context.addInitScript('globalThis.__name = (value) => value')
  return context
}

/**
 * An empty browser context in which the viewer's team is signed in. Its pages poll: a stream never ends, so that
 * nothing could wait for the last response, and the moved clock would reconnect it all the time.
 */
export async function signedIn(
  browser: Browser,
  { url, token }: Pick<LargeContest, 'url' | 'token'>,
  options: BrowserContextOptions,
): Promise<BrowserContext> {
  const context = await emptyBrowser(browser, { baseURL: url, ...options })
  await context.addInitScript((value) => localStorage.setItem('pennant.token', value), token)
  await withoutStream(context)
  return context
}

/** Installs the probe, which runs before the page's own scripts. */
export async function addProbe(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const noting: Noting = { shift: 0, moved: [], blockedMs: 0, slowestInteractionMs: 0 }
    Object.assign(globalThis, { budgetNotes: noting })
    // All of this runs in the page, so it cannot use functions from outside.
    // oxlint-disable-next-line unicorn/consistent-function-scoping
    const watch = (type: string, note: (entry: PerformanceEntry) => void, more: object = {}) => {
      const observer = new PerformanceObserver((list) => list.getEntries().forEach(note))
      observer.observe({ type, buffered: true, ...more })
    }
    watch('layout-shift', (entry) => {
      const { value, hadRecentInput, sources } = entry as PerformanceEntry & {
        readonly value: number
        readonly hadRecentInput: boolean
        readonly sources: readonly {
          readonly node: Element | null
          readonly previousRect: DOMRect
          readonly currentRect: DOMRect
        }[]
      }
      if (hadRecentInput) return
      noting.shift += value
      const names = sources.map(({ node, previousRect: from, currentRect: to }) => {
        const name = node?.nodeType === Node.ELEMENT_NODE ? `${node.localName}.${node.className}` : 'text'
        return `${name} by ${to.x - from.x}, ${to.y - from.y}`
      })
      noting.moved.push(`${value.toFixed(3)}: ${names.join('; ')}`)
    })
    watch('longtask', ({ duration }) => {
      noting.blockedMs += Math.max(0, duration - 50)
    })
    const interacted = (entry: PerformanceEntry) => {
      const { interactionId } = entry as PerformanceEntry & { readonly interactionId: number }
      if (interactionId > 0)
        noting.slowestInteractionMs = Math.max(noting.slowestInteractionMs, entry.duration)
    }
    watch('event', interacted, { durationThreshold: 16 })
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

/** Discards the interactions recorded so far. */
export async function forgetInteractions(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { budgetNotes } = globalThis as unknown as { readonly budgetNotes: Noting }
    budgetNotes.slowestInteractionMs = 0
  })
}

/** Installs a script that records when an element matching the selector first becomes visible. */
export async function watchFor(page: Page, selector: string): Promise<void> {
  await page.addInitScript((wanted) => {
    const checkFrame = () => {
      const isShown = [...document.querySelectorAll(wanted)].some((element) => element.checkVisibility())
      if (isShown) Object.assign(globalThis, { budgetShownMs: performance.now() })
      else requestAnimationFrame(checkFrame)
    }
    requestAnimationFrame(checkFrame)
  }, selector)
}

/** Milliseconds from the start of navigation until the watched element became visible. */
export async function readShown(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { budgetShownMs } = globalThis as unknown as { readonly budgetShownMs?: number }
    if (budgetShownMs === undefined) throw new Error('nothing was seen')
    return budgetShownMs
  })
}
