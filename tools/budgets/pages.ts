import type { Browser } from 'playwright-core'
import type { LargeContest } from './contest.ts'
import { addProbe, readNotes, signedIn } from './probe.ts'
import type { Row } from './report.ts'

const PATIENCE_MS = 60_000
const SHIFT = 0.02
const ELEMENTS = 1500

interface Visit {
  readonly name: string
  readonly path: string
  /** What is there when the page is complete. */
  readonly shown: string
  /** Requests of a first visit, those of the API included. */
  readonly requests?: number
  /** The same on a wide screen, where a page shows more. */
  readonly wideRequests?: number
}

/** What tells that a page shows what it is for. */
export const shown = {
  home: 'main h1',
  challenges: 'main a[href^="/challenges/"]',
  scores: 'main [role=table] a[href^="/profile/"], main table a[href^="/profile/"]',
  profile: 'main table',
  form: 'main form',
} as const

const VISITS: readonly Visit[] = [
  { name: 'home', path: '/', shown: shown.home, requests: 10, wideRequests: 12 },
  { name: 'challenges', path: '/challenges', shown: shown.challenges, requests: 14 },
  { name: 'one challenge', path: '/challenges/task-002', shown: 'main h1' },
  { name: 'scoreboard', path: '/scores', shown: shown.scores, requests: 14 },
  { name: 'matrix', path: '/scores?view=matrix', shown: shown.scores },
  { name: 'own profile', path: '/profile', shown: shown.profile, requests: 14 },
  { name: 'settings', path: '/settings', shown: shown.form },
]
/** From so many pixels on home shows what happens now beside it: two requests more. */
const WIDE_FROM = 1024
/** Fetched when there is nothing else to do: the sprite of the flags, beside codes that say the same. */
const AT_IDLE = /^\/assets\/flags-/
const WIDTHS = [
  { width: 360, height: 740 },
  { width: 1440, height: 900 },
]

/** Requests, layout shift and elements of first visits, each in a browser that knows nothing yet. */
export async function pageRows(browser: Browser, contest: LargeContest): Promise<Row[]> {
  const rows: Row[] = []
  for (const viewport of WIDTHS) {
    for (const visit of VISITS) {
      const context = await signedIn(browser, contest, { viewport })
      const page = await context.newPage()
      await addProbe(page)
      const asked: string[] = []
      page.on('request', (request) => {
        const path = request.url().slice(contest.url.length)
        if (request.url().startsWith(contest.url) && !AT_IDLE.test(path)) asked.push(path)
      })
      await page.goto(visit.path)
      await page.locator(visit.shown).filter({ visible: true }).first().waitFor({ timeout: PATIENCE_MS })
      await page.waitForLoadState('networkidle', { timeout: PATIENCE_MS })
      const { shift, elements } = await readNotes(page)
      const place = `${visit.name}, ${viewport.width}`
      const isWide = viewport.width > WIDE_FROM
      const requests = (isWide ? visit.wideRequests : undefined) ?? visit.requests ?? null
      const rounded = Math.round(shift * 1000) / 1000
      rows.push({ name: `requests, ${place}`, ...limit(requests, asked.length) })
      rows.push({ name: `layout shift, ${place}`, ...limit(SHIFT, rounded) })
      rows.push({ name: `elements, ${place}`, ...limit(ELEMENTS, elements) })
      if (asked.length > (requests ?? Infinity)) console.log(`${place}:\n  ${asked.join('\n  ')}\n`)
      await context.close()
    }
  }
  return rows.toSorted((left, right) => kindOf(left).localeCompare(kindOf(right)))
}

function kindOf({ name }: Row): string {
  return name.slice(0, name.indexOf(','))
}

function limit(most: number | null, measured: number): Omit<Row, 'name'> {
  return { most, measured, unit: '', fails: true }
}
