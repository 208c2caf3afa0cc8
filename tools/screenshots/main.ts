import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { findFreePort } from '../../server/src/lib/free-port.ts'
import { launch } from '../../web/e2e/browser.ts'
import { openDemo } from '../../server/src/cli/open-demo.ts'
import type { ProcessContext } from '../../server/src/cli/process-context.ts'
import { views, type View } from './views.ts'
import { withoutStream } from '../../web/e2e/quiet.ts'

// Takes the README's screenshots from the demo event in its second day: `npm run screenshots`.

const TARGET = fileURLToPath(new URL('../../docs/pictures', import.meta.url))
const PROGRAM = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url))
const TEAMS = 300
const QUALITY = 82
/** Maximum size of each screenshot. */
const MAX_BYTES = 150_000

const commandLine: ProcessContext = {
  env: process.env,
  command: [process.execPath, PROGRAM],
  now: Date.now,
  isTerminal: false,
  print: console.log,
  complain: console.error,
  ask: () => Promise.resolve(null),
  catchSignals: () => new AbortController().signal,
  exit: (status) => process.exit(status),
}

await main()

async function main(): Promise<void> {
  // Launched first, so that a machine without Chromium fails immediately.
  await using browser = await launch()
  const folder = await mkdtemp(join(tmpdir(), 'pennant-pictures-'))
  try {
    await using demo = await openDemo(commandLine, {
      folder,
      port: await findFreePort(),
      teams: TEAMS,
      phase: 'live',
      withEngine: true,
      say: () => {},
    })
    const { url, tokenOf, event } = demo
    await mkdir(TARGET, { recursive: true })
    // No one plays meanwhile, so all screenshots show the same moment.
    for (const view of views) {
      const token = tokenOf(view.asOrganiser ? event.organiserId : event.playerId)
      await take(browser, { view, url, token })
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
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
  await withoutStream(context)
  const page = await context.newPage()
  await page.goto(view.path)
  await view.until(page)
  await page.waitForLoadState('networkidle')
  // On a busy machine, parts of the page load after that.
  await page.locator('header :is(a[href="/announcements"], a[href="/messages"])').waitFor()
  await page.waitForFunction(() => document.querySelector('main [role=status][aria-label=Loading]') === null)
  const picture = await sharp(await page.screenshot({ caret: 'hide' }))
    .webp({ quality: QUALITY })
    .toBuffer()
  await context.close()
  if (picture.length > MAX_BYTES) throw new Error(`${view.name} has ${picture.length} bytes`)
  await writeFile(join(TARGET, `${view.name}.webp`), picture)
  console.log(`${view.name}: ${Math.round(picture.length / 1000)} KB`)
}
