import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { launch } from '../../web/e2e/browser.ts'
import { openLargeContest } from './contest.ts'
import { frameRows } from './frames.ts'
import { openPageRows } from './open-pages.ts'
import { pageRows } from './pages.ts'
import { phoneRows } from './phone.ts'
import { interactionRows } from './interactions.ts'
import { printRows, type Row } from './report.ts'
import { sizeRows } from './sizes.ts'

// Measures the site against its budgets: docs/contribute/budgets.md.

const site = fileURLToPath(new URL('../../web/dist', import.meta.url))

const { values } = parseArgs({
  options: { sizes: { type: 'boolean', default: false } },
})

const broken = printRows('sizes of the build', sizeRows(site))
if (!values.sizes) broken.push(...(await inBrowser()))
if (broken.length > 0) {
  console.log(`${broken.length} broken: ${broken.map(({ name }) => name).join('; ')}`)
  process.exitCode = 1
}

async function inBrowser(): Promise<Row[]> {
  await using contest = await openLargeContest()
  const browser = await launch()
  try {
    const failed = printRows('first visits, 10,000 teams, 120 challenges', await pageRows(browser, contest))
    printRows('slow phone', await phoneRows(browser, contest))
    printRows('from an interaction to the next paint', await interactionRows(browser, contest))
    printRows('scrolling 10,000 teams, slowed four times', await frameRows(browser, contest))
    failed.push(...printRows('a page that stays open', await openPageRows(browser, contest)))
    return failed
  } finally {
    await browser.close()
  }
}
