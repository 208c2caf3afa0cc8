import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import { createDisposal } from '../../server/src/lib/disposal.ts'
import { openTestDatabase } from '../../server/test/database.ts'
import { startTestServer } from '../../server/test/global-setup.ts'
import { launch } from '../../web/e2e/browser.ts'
import { openScene, stillContext } from '../../web/e2e/look.ts'
import { openSceneSite, type SceneSite } from '../../web/e2e/scene-site.ts'
import { allScenes, themes, widths, type Scene } from '../../web/e2e/scenes.ts'
import { compareFolders } from './compare.ts'
import { makeSheets } from './sheets.ts'

const USAGE = `npm run pictures -- <folder> [--only <part of a name>] [--width 360] [--theme dark] [--sheets] [--against <folder>]

Takes a picture of every page in every state, at each width and theme on servers with the example
event. --sheets puts them together, six to a sheet. --against compares with the pictures of an earlier run and ends with status 1 when one looks different.`

/** Number of pages rendered at the same time, limited because they share the machine's cores. */
const AT_ONCE = 2

interface Job {
  readonly folder: string
  readonly site: SceneSite
  readonly scenes: readonly Scene[]
  readonly width: number
  readonly theme: 'dark' | 'light'
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    width: { type: 'string' },
    theme: { type: 'string' },
    against: { type: 'string' },
    sheets: { type: 'boolean', default: false },
  },
})

const [folder] = positionals
if (folder === undefined) console.log(USAGE)
else await main(folder)

async function main(target: string): Promise<void> {
  await mkdir(target, { recursive: true })
  const scenes = allScenes.filter(({ name }) => name.includes(values.only))
  const databases = await startTestServer()
  await using closing = createDisposal()
  closing.defer(() => databases.stop())
  const site = await openSceneSite(() => openTestDatabase(databases))
  closing.defer(() => site[Symbol.asyncDispose]())
  const browser = await launch()
  try {
    const jobs = widths
      .filter((width) => values.width === undefined || String(width) === values.width)
      .flatMap((width) =>
        themes
          .filter((theme) => values.theme === undefined || theme === values.theme)
          .map((theme): Job => ({ folder: target, site, scenes, width, theme })),
      )
    const lines = Array.from({ length: AT_ONCE }, async () => {
      for (let job = jobs.shift(); job; job = jobs.shift()) await take(browser, job)
    })
    await Promise.all(lines)
  } finally {
    await browser.close()
  }
  if (values.sheets) console.log((await makeSheets(target)).join('\n'))
  if (values.against !== undefined) await report(target, values.against)
}

async function take(browser: Browser, { folder: target, site, scenes, width, theme }: Job): Promise<void> {
  const context = await stillContext(browser, { url: site.url, width, theme })
  const page = await context.newPage()
  for (const scene of scenes) {
    try {
      await openScene(site, page, scene)
      // Waits for lazy-loaded parts of the page.
      await page.waitForLoadState('networkidle')
    } catch (error) {
      // A page that never becomes idle is a finding; the picture is taken anyway.
      console.log(`${scene.name}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`)
    }
    await page.screenshot({ path: join(target, `${scene.name}.${width}.${theme}.png`), caret: 'hide' })
  }
  await context.close()
  console.log(`${scenes.length} pictures at ${width}, ${theme}`)
}

async function report(target: string, before: string): Promise<void> {
  const differences = await compareFolders(target, before)
  for (const { name, share } of differences) console.log(`${(share * 100).toFixed(2)} % ${name}`)
  console.log(differences.length === 0 ? 'all look as before' : `${differences.length} look different`)
  if (differences.length > 0) process.exitCode = 1
}
