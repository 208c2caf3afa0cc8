import type { Browser } from 'playwright-core'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import type { LargeContest } from './contest.ts'
import { addProbe, readNotes, signedIn } from './probe.ts'
import type { Row } from './report.ts'

const PATIENCE_MS = MINUTE_MS
const SHIFT = 0.02
const ELEMENTS = 1500

interface Visit {
  readonly name: string
  readonly path: string
  /** Selector of an element that is visible when the page is complete. */
  readonly shown: string
  /** Budget for the requests of a first visit, API requests included. */
  readonly requests?: number
  readonly elements?: number
}

/** Selectors that show that a page displays its main content. */
export const shown = {
  home: 'main h1',
  challenges: 'main a[href^="/challenges/"]',
  scores: 'main [role=table] a[href^="/profile/"], main table a[href^="/profile/"]',
  profile: 'main table',
  form: 'main form',
} as const

const VISITS: readonly Visit[] = [
  { name: 'home', path: '/', shown: shown.home, requests: 18 },
  // A cloth for each of 120 challenges, on the line of all and on the card of its category.
  { name: 'challenges', path: '/challenges', shown: shown.challenges, requests: 17, elements: 2200 },
  { name: 'one challenge', path: '/challenges/task-002', shown: 'main h1' },
  { name: 'scoreboard', path: '/scores', shown: shown.scores, requests: 21 },
  { name: 'matrix', path: '/scores?view=matrix', shown: shown.scores },
  // Three of them for who of the team did what.
  { name: 'own profile', path: '/profile', shown: shown.profile, requests: 21 },
  { name: 'settings', path: '/settings', shown: shown.form },
]
/** Loaded when the browser is idle: the flag sprite, shown next to country codes with the same meaning. */
const AT_IDLE = /^\/assets\/flags-/
const WIDTHS = [
  { width: 360, height: 740 },
  { width: 1440, height: 900 },
]

/** Repeated every few seconds: a slow machine reaches the second one before the network is idle. */
const POLLED = '/api/v2/leaderboard/solves'

/** Requests, layout shift and element count of first visits, each with an empty browser profile. */
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
        const isRepeated = path === POLLED && asked.includes(path)
        if (request.url().startsWith(contest.url) && !AT_IDLE.test(path) && !isRepeated) asked.push(path)
      })
      await page.goto(visit.path)
      await page.locator(visit.shown).filter({ visible: true }).first().waitFor({ timeout: PATIENCE_MS })
      await page.waitForLoadState('networkidle', { timeout: PATIENCE_MS })
      const { shift, moved, elements } = await readNotes(page)
      const place = `${visit.name}, ${viewport.width}`
      const { requests, elements: maxElements = ELEMENTS } = visit
      const rounded = Math.round(shift * 1000) / 1000
      if (requests !== undefined) rows.push({ name: `requests, ${place}`, ...limit(requests, asked.length) })
      rows.push({ name: `layout shift, ${place}`, ...limit(SHIFT, rounded) })
      rows.push({ name: `elements, ${place}`, ...limit(maxElements, elements) })
      if (rounded > SHIFT) console.log(`${place} moved:\n  ${moved.join('\n  ')}\n`)
      if (asked.length > (requests ?? Infinity)) console.log(`${place}:\n  ${asked.join('\n  ')}\n`)
      await context.close()
    }
  }
  return rows.toSorted((left, right) => kindOf(left).localeCompare(kindOf(right)))
}

function kindOf({ name }: Row): string {
  return name.slice(0, name.indexOf(','))
}

function limit(most: number, measured: number): Omit<Row, 'name'> {
  return { most, measured, unit: '' }
}
