import type { Browser, BrowserContext } from 'playwright-core'
import type { LargeContest } from './contest.ts'
import { shown } from './pages.ts'
import { addProbe, readNotes, readShown, signedIn, watchFor } from './probe.ts'
import { printed, type Row } from './report.ts'
import { makeSlowPhone } from './slow.ts'

const VIEWPORT = { width: 360, height: 740 }
const PATIENCE_MS = 60_000
const SHELL_MS = 1200
const WARM_MS = 1200

interface Visit {
  readonly name: string
  readonly path: string
  readonly shown: string
  /** From an empty browser to what the page is for. */
  readonly coldMs: number
  /** Sum of what tasks take beyond 50 ms each. */
  readonly blockedMs: number
}

const VISITS: readonly Visit[] = [
  { name: 'home', path: '/', shown: shown.home, coldMs: 2600, blockedMs: 300 },
  { name: 'challenges', path: '/challenges', shown: shown.challenges, coldMs: 3200, blockedMs: 500 },
  { name: 'scoreboard', path: '/scores', shown: shown.scores, coldMs: 3600, blockedMs: 500 },
]

/** When a signed-in team sees a page on a slow phone: first with an empty browser, then again. */
export async function phoneRows(browser: Browser, contest: LargeContest): Promise<Row[]> {
  const rows: Row[] = []
  for (const visit of VISITS) {
    const context = await signedIn(browser, contest, { viewport: VIEWPORT, isMobile: true })
    const cold = await open(context, visit)
    const warm = await open(context, visit)
    rows.push(
      { name: `first paint, ${visit.name}`, ...printed(SHELL_MS, cold.paintedMs, 'ms') },
      { name: `content, ${visit.name}`, ...printed(visit.coldMs, cold.shownMs, 'ms') },
      { name: `content with a warm cache, ${visit.name}`, ...printed(WARM_MS, warm.shownMs, 'ms') },
      { name: `blocking time, ${visit.name}`, ...printed(visit.blockedMs, cold.blockedMs, 'ms') },
    )
    await context.close()
  }
  return rows
}

async function open(context: BrowserContext, visit: Visit) {
  const page = await context.newPage()
  await addProbe(page)
  await watchFor(page, visit.shown)
  await makeSlowPhone(page)
  await page.goto(visit.path, { timeout: PATIENCE_MS })
  await page.locator(visit.shown).filter({ visible: true }).first().waitFor({ timeout: PATIENCE_MS })
  await page.waitForLoadState('networkidle', { timeout: PATIENCE_MS })
  const notes = await readNotes(page)
  const shownMs = await readShown(page)
  await page.close()
  return { ...notes, shownMs }
}
