import type { Browser, Page } from 'playwright-core'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import type { LargeContest } from './contest.ts'
import { shown } from './pages.ts'
import { addProbe, forgetInteractions, readNotes, signedIn } from './probe.ts'
import { timed, type Row } from './report.ts'
import { PHONE_SLOWDOWN, slowProcessor } from './slow.ts'

const VIEWPORT = { width: 1440, height: 900 }
const PATIENCE_MS = MINUTE_MS

interface Interaction {
  readonly name: string
  /** Interacts like a user and waits until the page shows the result. */
  act(page: Page): Promise<void>
}

const INTERACTIONS: readonly Interaction[] = [
  {
    name: 'choosing a challenge',
    async act(page) {
      await page.locator('main a[href^="/challenges/task-005"]').first().click()
      await page.locator('main h1', { hasText: 'Task 5' }).waitFor({ timeout: PATIENCE_MS })
    },
  },
  {
    name: 'switching tabs',
    async act(page) {
      await page.getByRole('tab', { name: /^Solves/ }).click()
      await page.getByRole('tab', { name: /^Solves/, selected: true }).waitFor({ timeout: PATIENCE_MS })
    },
  },
  {
    name: 'typing into the search of 120 challenges',
    async act(page) {
      await page.getByRole('searchbox').first().pressSequentially('task 11')
      await page.locator('main a[href^="/challenges/task-001"]').waitFor({ state: 'detached' })
    },
  },
]

/** Time from an interaction to the next paint, on this machine and with a throttled CPU. */
export async function interactionRows(browser: Browser, contest: LargeContest): Promise<Row[]> {
  const rows: Row[] = []
  for (const times of [1, PHONE_SLOWDOWN]) {
    const context = await signedIn(browser, contest, { viewport: VIEWPORT })
    const page = await context.newPage()
    await addProbe(page)
    await page.goto('/challenges')
    await page.locator(shown.challenges).filter({ visible: true }).first().waitFor({ timeout: PATIENCE_MS })
    await page.waitForLoadState('networkidle', { timeout: PATIENCE_MS })
    await slowProcessor(await context.newCDPSession(page), times)
    for (const { name, act } of INTERACTIONS) {
      await forgetInteractions(page)
      await act(page)
      const { slowestInteractionMs } = await readNotes(page)
      const title = times === 1 ? name : `${name}, slowed ${times} times`
      rows.push({ name: title, ...timed(slowestInteractionMs) })
    }
    await context.close()
  }
  return rows
}
