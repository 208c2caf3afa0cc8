import type { Browser } from 'playwright-core'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import type { LargeContest } from './contest.ts'
import { shown } from './pages.ts'
import { signedIn } from './probe.ts'
import { timed, type Row } from './report.ts'
import { PHONE_SLOWDOWN, slowProcessor } from './slow.ts'

const VIEWPORT = { width: 1440, height: 900 }
const PATIENCE_MS = MINUTE_MS
const FRAMES = 120
/** Fast scrolling: one screen height in a third of a second. */
const PX_A_FRAME = 44

/**
 * Frame times while scrolling through 10,000 teams on a throttled CPU. 20 ms is smooth in a browser with hardware acceleration.
 */
export async function frameRows(browser: Browser, contest: LargeContest): Promise<Row[]> {
  const rows: Row[] = []
  for (const view of ['list', 'matrix']) {
    const context = await signedIn(browser, contest, { viewport: VIEWPORT })
    const page = await context.newPage()
    await page.goto(`/scores?view=${view}&graph=0`)
    await page.locator(shown.scores).filter({ visible: true }).first().waitFor({ timeout: PATIENCE_MS })
    await page.waitForLoadState('networkidle', { timeout: PATIENCE_MS })
    await slowProcessor(await context.newCDPSession(page), PHONE_SLOWDOWN)
    const box = page.getByRole('region', { name: 'Standings' })
    const times = await box.evaluate(scroll, { frames: FRAMES, px: PX_A_FRAME })
    const sorted = times.toSorted((left, right) => left - right)
    const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))] ?? 0
    rows.push({ name: `95 of 100 frames within, ${view}`, ...timed(at(0.95)) })
    await context.close()
  }
  return rows
}

/** Runs in the page; returns the duration of each frame in ms. */
async function scroll(box: Element, { frames, px }: { readonly frames: number; readonly px: number }) {
  // Serialised into the page, so it cannot use functions from outside.
  // oxlint-disable-next-line unicorn/consistent-function-scoping
  const next = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  const times: number[] = []
  let last = await next()
  for (let frame = 0; frame < frames; frame += 1) {
    box.scrollTop += px
    const now = await next()
    times.push(now - last)
    last = now
  }
  return times
}
