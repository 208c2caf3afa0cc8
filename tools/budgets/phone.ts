import type { Browser, BrowserContext } from 'playwright-core'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import type { LargeContest } from './contest.ts'
import { shown } from './pages.ts'
import { addProbe, readNotes, readShown, signedIn, watchFor } from './probe.ts'
import { timed, type Row } from './report.ts'
import { makeSlowPhone } from './slow.ts'

const VIEWPORT = { width: 360, height: 740 }
const PATIENCE_MS = MINUTE_MS

interface Visit {
  readonly name: string
  readonly path: string
  readonly shown: string
}

const VISITS: readonly Visit[] = [
  { name: 'home', path: '/', shown: shown.home },
  { name: 'challenges', path: '/challenges', shown: shown.challenges },
  { name: 'scoreboard', path: '/scores', shown: shown.scores },
]

/**
 * Load times of pages for a signed-in team on a slow phone: first with an empty cache, then with a filled
 * one.
 */
export async function phoneRows(browser: Browser, contest: LargeContest): Promise<Row[]> {
  const rows: Row[] = []
  for (const visit of VISITS) {
    const context = await signedIn(browser, contest, { viewport: VIEWPORT, isMobile: true })
    const cold = await open(context, visit)
    const warm = await open(context, visit)
    rows.push(
      { name: `first paint, ${visit.name}`, ...timed(cold.paintedMs) },
      { name: `content, ${visit.name}`, ...timed(cold.shownMs) },
      { name: `content with a warm cache, ${visit.name}`, ...timed(warm.shownMs) },
      { name: `blocking time, ${visit.name}`, ...timed(cold.blockedMs) },
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
