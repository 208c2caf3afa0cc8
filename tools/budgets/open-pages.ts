import type { Browser, CDPSession, Page } from 'playwright-core'
import { MINUTE_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import type { LargeContest } from './contest.ts'
import { shown } from './pages.ts'
import { signedIn } from './probe.ts'
import { fixed, type Row } from './report.ts'

const VIEWPORT = { width: 1440, height: 900 }
const PATIENCE_MS = MINUTE_MS
/** Timers due within this step fire together; then the test waits for the requests that they send. */
const STEP_MS = 5 * SECOND_MS
/** During the minute with changes, the viewer's team solves a challenge at this interval. */
const SOLVE_EVERY_MS = 10 * SECOND_MS
/** Some reads are minutes apart, so that a single minute has them by chance. */
const QUIET_MINUTES = 10
const KB = 1000
const HEAP_KB = 40_000

interface OpenPage {
  readonly name: string
  readonly path: string
  readonly shown: string
  /** KB received in a minute in which other teams solve challenges. */
  readonly changingKb: number
  /** KB received in a minute without changes. */
  readonly quietKb: number
}

const PAGES: readonly OpenPage[] = [
  // Without the stream it also asks for announcements, messages and the next wave.
  { name: 'challenges', path: '/challenges', shown: shown.challenges, changingKb: 60, quietKb: 5.5 },
  { name: 'scoreboard', path: '/scores', shown: shown.scores, changingKb: 130, quietKb: 8 },
]

/**
 * What an open page receives per minute, and how much memory the leaderboard retains after an hour. The
 * page's clock is mocked.
 */
export async function openPageRows(browser: Browser, contest: LargeContest): Promise<Row[]> {
  const rows: Row[] = []
  for (const open of PAGES) {
    const context = await signedIn(browser, contest, { viewport: VIEWPORT })
    const page = await context.newPage()
    await page.clock.install()
    const session = await context.newCDPSession(page)
    const received = await countReceived(session)
    await page.goto(open.path)
    await page.locator(open.shown).filter({ visible: true }).first().waitFor({ timeout: PATIENCE_MS })
    const pass = (ms: number) => passOn(page, received, ms)
    await pass(MINUTE_MS)
    received.take()
    await pass(QUIET_MINUTES * MINUTE_MS)
    const quietKb = received.take() / KB / QUIET_MINUTES
    rows.push({ name: `a quiet minute, ${open.name}`, ...fixed(open.quietKb, quietKb, 'KB') })
    for (let left = MINUTE_MS; left > 0; left -= SOLVE_EVERY_MS) {
      await contest.solveNext()
      await pass(SOLVE_EVERY_MS)
    }
    rows.push({
      name: `a minute of solves, ${open.name}`,
      ...fixed(open.changingKb, received.take() / KB, 'KB'),
    })
    if (open.name === 'scoreboard') rows.push(...(await heapRows(pass, session)))
    await context.close()
  }
  return rows
}

async function heapRows(pass: (ms: number) => Promise<void>, session: CDPSession): Promise<Row[]> {
  await pass(5 * MINUTE_MS)
  const early = await heapOf(session)
  await pass(55 * MINUTE_MS)
  const late = await heapOf(session)
  return [
    { name: 'heap after five minutes', ...fixed(HEAP_KB / KB, early / KB / KB, 'MB') },
    { name: 'heap after an hour', ...fixed(HEAP_KB / KB, late / KB / KB, 'MB') },
  ]
}

async function passOn(page: Page, received: Received, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= STEP_MS) {
    await page.clock.runFor(Math.min(STEP_MS, left))
    await received.all()
  }
}

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize
}

type Received = Awaited<ReturnType<typeof countReceived>>

/** Bytes of responses as received over the network, including headers. */
async function countReceived(session: CDPSession) {
  let bytes = 0
  let wake: (() => void) | undefined
  const open = new Set<string>()
  session.on('Network.requestWillBeSent', ({ requestId }) => open.add(requestId))
  const end = (requestId: string) => {
    open.delete(requestId)
    if (open.size === 0) wake?.()
  }
  session.on('Network.loadingFailed', ({ requestId }) => end(requestId))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes += encodedDataLength
    end(requestId)
  })
  await session.send('Network.enable')
  return {
    /** Bytes since the last call. */
    take(): number {
      const taken = bytes
      bytes = 0
      return taken
    },
    /** Resolves when no request is pending. */
    async all(): Promise<void> {
      if (open.size > 0) await new Promise<void>((resolve) => (wake = resolve))
    },
  }
}
