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
import { launch } from '../../web/e2e/browser.ts'
import { demoConfig } from '../demo/config.ts'
import { fillDemo } from '../demo/fill.ts'
import { play } from '../demo/play.ts'
import { freePort, startInstance } from '../lib/instance.ts'
import { views, type View } from './views.ts'

// Plays the demo for a while and takes the pictures of the README: `npm run screenshots`.

const TARGET = fileURLToPath(new URL('../../docs/pictures', import.meta.url))
const TEAMS = 40
/** The contest of hours in a minute. */
const SPEED = 250
/** A board that looks alive: so many teams have scored, and the first of them solved this much. */
const LIVELY = { teams: 32, solves: 8 }
/** Longest that the teams may take until then. */
const PLAY_LIMIT_MS = 150_000
const LOOK_MS = 500
/** Through whose eyes. */
const VIEWER_PLACE = 4
const CONTEST_MS = 48 * 3_600_000
/** Minutes of contest pass in a second: so fine must the graph be. */
const SAMPLE_MS = 2_000
const QUALITY = 82
/** What the README should not weigh more than, each. */
const MOST_BYTES = 150_000

await main()

async function main(): Promise<void> {
  // First, so that a machine without Chromium says so at once.
  await using browser = await launch()
  const folder = await mkdtemp(join(tmpdir(), 'pennant-pictures-'))
  const stop = new AbortController()
  // Each team waits on it.
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
    // All pictures show the same moment.
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

/** Waits for a board worth a look. Gives the auth token of a team near its top. */
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
