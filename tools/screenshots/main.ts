import { setMaxListeners } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { login } from '@pennant/contract/accounts.ts'
import { createTeamToken } from '@pennant/contract/admin-teams.ts'
import { createClient, type Client } from '@pennant/contract/client.ts'
import { getLeaderboardV2 } from '@pennant/contract/leaderboard.ts'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { launch } from '../../web/e2e/browser.ts'
import { demoConfig } from '../demo/config.ts'
import { fillDemo } from '../demo/fill.ts'
import { play } from '../demo/play.ts'
import { freePort, startInstance } from '../lib/instance.ts'
import { views, type View } from './views.ts'

// Runs the demo for a while and takes the README's screenshots: `npm run screenshots`.

const TARGET = fileURLToPath(new URL('../../docs/pictures', import.meta.url))
const TEAMS = 40
/** Compresses hours of contest into a minute. */
const SPEED = 250
/** When the leaderboard is worth showing: this many teams scored, and the leader has this many solves. */
const LIVELY = { teams: 32, solves: 8 }
/** Longest time until the leaderboard reaches that state. */
const PLAY_LIMIT_MS = 150_000
const LOOK_MS = 500
/** Rank of the team whose view is shown. */
const VIEWER_PLACE = 4
const CONTEST_MS = 48 * HOUR_MS
/** Graph sampling interval; small, because minutes of contest pass per second. */
const SAMPLE_MS = 2_000
const QUALITY = 82
/** Maximum size of each screenshot. */
const MOST_BYTES = 150_000

await main()

async function main(): Promise<void> {
  // Launched first, so that a machine without Chromium fails immediately.
  await using browser = await launch()
  const folder = await mkdtemp(join(tmpdir(), 'pennant-pictures-'))
  const stop = new AbortController()
  // Every simulated team adds a listener.
  setMaxListeners(0, stop.signal)
  try {
    const now = Date.now()
    const config = {
      ...demoConfig,
      startTime: now,
      endTime: now + CONTEST_MS,
      leaderboard: { graphSampleTime: SAMPLE_MS },
    }
    const configFile = join(folder, 'pennant.yaml')
    await writeFile(configFile, JSON.stringify(config))
    await using instance = await startInstance({
      dataDir: join(folder, 'data'),
      port: await freePort(),
      env: { PENNANT_CONFIG: configFile, LOG_LEVEL: 'warn' },
    })
    const call = createClient({ baseUrl: instance.url })
    const { authToken } = await instance.createAdmin('organiser')
    await fillDemo(call, authToken, now)
    const playing = play({ call, teams: TEAMS, speed: SPEED, signal: stop.signal, say: () => {} })
    const player = await untilLively(call, authToken)
    // All screenshots show the same moment.
    stop.abort()
    await playing
    await mkdir(TARGET, { recursive: true })
    for (const view of views) {
      await take(browser, { view, url: instance.url, token: view.asOrganiser ? authToken : player })
    }
  } finally {
    stop.abort()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Waits until the leaderboard is worth showing. Returns the auth token of a team near the top. */
async function untilLively(call: Client, admin: string): Promise<string> {
  const deadline = Date.now() + PLAY_LIMIT_MS
  while (Date.now() < deadline) {
    const board = await call(getLeaderboardV2, { query: { limit: '10', offset: '0' } })
    if (board.kind === 'goodLeaderboard') {
      const { total, leaderboard } = board.data
      const isLively = total >= LIVELY.teams && (leaderboard[0]?.solves.length ?? 0) >= LIVELY.solves
      if (isLively) return tokenOf(call, admin, leaderboard[VIEWER_PLACE - 1]?.id ?? '')
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  throw new Error('the teams of the demo played too slowly for a picture')
}

async function tokenOf(call: Client, admin: string, id: string): Promise<string> {
  const made = await call(createTeamToken, { token: admin, params: { id } })
  if (made.kind !== 'goodCreateUserToken') throw new Error(made.kind)
  const signed = await call(login, { body: { teamToken: made.data.token } })
  if (signed.kind !== 'goodLogin') throw new Error(signed.kind)
  return signed.data.authToken
}

interface Shot {
  readonly view: View
  readonly url: string
  readonly token: string
}

async function take(browser: Browser, { view, url, token }: Shot): Promise<void> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1440, height: 900 },
    colorScheme: view.theme ?? 'dark',
    reducedMotion: 'reduce',
    locale: 'en-GB',
  })
  await context.addInitScript({
    content: `localStorage.setItem('pennant.token', ${JSON.stringify(token)})`,
  })
  const page = await context.newPage()
  await page.goto(view.path)
  await view.until(page)
  await page.waitForLoadState('networkidle')
  const picture = await sharp(await page.screenshot({ caret: 'hide' }))
    .webp({ quality: QUALITY })
    .toBuffer()
  await context.close()
  if (picture.length > MOST_BYTES) throw new Error(`${view.name} has ${picture.length} bytes`)
  await writeFile(join(TARGET, `${view.name}.webp`), picture)
  console.log(`${view.name}: ${Math.round(picture.length / 1000)} KB`)
}
