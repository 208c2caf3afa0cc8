import { writeFileSync } from 'node:fs'
import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { MINUTE_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import { openStream } from '@pennant/contract/stream.ts'
import { launch } from '../../../web/e2e/browser.ts'
import { flagOf } from '../data/load.ts'
import { openRushContest, type RushContest } from './contest.ts'
import { lineOf, recordingPath, STEPS, type Recording, type StepName } from './recording.ts'

// Records what the built site asks of its server, step by step: `npm run bench -- --record`.

/** A step has ended when nothing is asked for this long. Longer than the pauses between reads that follow each other. */
const SETTLED_MS = 1.5 * SECOND_MS
/** The longest pause that the site makes before it reads what a wave released. */
const WAVE_SETTLED_MS = 5 * SECOND_MS
const WAVE_IN_MS = 3 * SECOND_MS
/** Enough for a busy machine. */
const PATIENCE_MS = MINUTE_MS
/** Position of the team whose member is recorded. */
const TEAM = 1
/** Reads that are repeated every few seconds: they belong to the step with the first one. */
const REPEATED = ['GET /api/v2/leaderboard/solves']

/** Writes the recording that is checked in. */
export async function writeRecording(): Promise<void> {
  const browser = await launch()
  try {
    const recording = await recordSite(browser)
    writeFileSync(recordingPath, `${JSON.stringify(recording, null, 2)}\n`)
    for (const step of STEPS) console.log(`${step}: ${recording[step].length} requests`)
  } finally {
    await browser.close()
  }
}

/** Records a browser of a team in a contest of its own. */
export async function recordSite(browser: Browser): Promise<Recording> {
  await using rush = await openRushContest(5)
  // With the live stream, which the site opens only a minute after the start.
  const wave = await inContext(browser, rush, (page, recorder) => recordWave(page, recorder, rush))
  await rush.startEvent(Date.now() - SECOND_MS)
  const opening = await inContext(browser, rush, (page, recorder) => recordOpening(page, recorder, rush))
  return Object.fromEntries(STEPS.map((step) => [step, opening[step] ?? wave[step] ?? []])) as Recording
}

type Lines = Partial<Record<StepName, readonly string[]>>
type Recorder = ReturnType<typeof createRecorder>

async function inContext(
  browser: Browser,
  { contest }: RushContest,
  work: (page: Page, recorder: Recorder) => Promise<void>,
): Promise<Lines> {
  const baseURL = contest.instance.url
  const context = await browser.newContext({ baseURL, viewport: { width: 1280, height: 800 } })
  context.setDefaultTimeout(PATIENCE_MS)
  try {
    const recorder = createRecorder(context, baseURL)
    await work(await context.newPage(), recorder)
    return recorder.lines
  } finally {
    await context.close()
  }
}

function createRecorder(context: BrowserContext, baseUrl: string) {
  const lines: Partial<Record<StepName, string[]>> = {}
  const pending = new Set<Request>()
  const repeated = new Set<string>()
  let seen: string[] = []
  let lastAt = performance.now()
  const note = (line: string) => {
    if (repeated.has(line)) return
    if (REPEATED.includes(line)) repeated.add(line)
    seen.push(line)
  }
  const end = (request: Request) => {
    if (pending.delete(request)) lastAt = performance.now()
  }
  context.on('request', (request) => {
    const path = request.url().slice(baseUrl.length)
    if (!request.url().startsWith(baseUrl) || path === openStream.path) return
    lastAt = performance.now()
    pending.add(request)
    const method = request.method() === 'POST' ? 'POST' : 'GET'
    note(lineOf({ method, path, isAsTeam: 'authorization' in request.headers() }))
  })
  context.on('requestfinished', end)
  context.on('requestfailed', end)

  async function settle(quietMs: number): Promise<void> {
    const until = performance.now() + PATIENCE_MS
    while (pending.size > 0 || performance.now() - lastAt < quietMs) {
      if (performance.now() > until) throw new Error(`requests do not end: ${seen.join(', ')}`)
      await new Promise((resolve) => setTimeout(resolve, SECOND_MS / 20))
    }
  }

  return {
    lines,
    /** A download is no request of the page. */
    noteDownload: (url: string) =>
      note(lineOf({ method: 'GET', path: url.slice(baseUrl.length), isAsTeam: false })),
    /** Waits until nothing more is asked, and keeps what was asked since the last step; without a name it is dropped. */
    async step(name: StepName | null, quietMs = SETTLED_MS): Promise<void> {
      await settle(quietMs)
      if (name !== null) lines[name] = [...new Set(seen)]
      seen = []
    },
  }
}

async function recordOpening(page: Page, recorder: Recorder, { contest }: RushContest): Promise<void> {
  await page.goto('/')
  await recorder.step('open')
  await signIn(page, contest.loginTokenOf(TEAM))
  await recorder.step('sign in')
  await open(page, 'Challenges')
  await recorder.step('challenges')
  await open(page, 'Scoreboard')
  await recorder.step('scoreboard')
  await open(page, 'Challenges')
  await recorder.step(null)
  const [id = ''] = contest.generated.challengeIds
  await page.getByRole('main').locator(`a[href="/challenges/${id}"]`).first().click()
  const flag = page.getByRole('textbox', { name: 'Flag' })
  await flag.waitFor()
  await recorder.step('challenge')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('a[href*="/uploads/"]').first().click(),
  ])
  await download.path()
  recorder.noteDownload(download.url())
  await recorder.step('file')
  await flag.fill('flag{wrong}')
  await flag.press('Enter')
  await recorder.step('wrong flag')
  await flag.fill(flagOf(id))
  await flag.press('Enter')
  await recorder.step('right flag')
}

async function recordWave(page: Page, recorder: Recorder, rush: RushContest): Promise<void> {
  await page.goto('/login')
  await signIn(page, rush.contest.loginTokenOf(TEAM))
  const streamed = page.waitForResponse((response) => response.url().endsWith(openStream.path))
  await open(page, 'Challenges')
  await streamed
  await recorder.step(null)
  await rush.scheduleWaves([Date.now() + WAVE_IN_MS])
  await page.waitForResponse((response) => new URL(response.url()).pathname === '/api/v2/challs')
  await recorder.step('wave', WAVE_SETTLED_MS)
}

async function signIn(page: Page, teamToken: string): Promise<void> {
  if (!page.url().endsWith('/login'))
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
  const field = page.getByLabel('Team token', { exact: false }).first()
  await field.fill(teamToken)
  await field.press('Enter')
  await page.waitForURL((url) => url.pathname !== '/login')
}

async function open(page: Page, name: 'Challenges' | 'Scoreboard'): Promise<void> {
  await page.getByRole('banner').getByRole('link', { name, exact: true }).first().click()
  await page.getByRole('heading', { level: 1 }).first().waitFor()
}
