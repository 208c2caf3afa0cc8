import { expect, test } from 'vitest'
import { safeText } from '../../server/src/providers/instancer/safe-text.ts'
import { openSite } from './harness.ts'
import { fillHostile, hostileConfig, hostileName, startHostileInstancer, taskId } from './hostile-contest.ts'
import { hostileTexts } from './hostile-texts.ts'
import { expectShown, startPatrol } from './patrol.ts'

// Hostile texts from a bot or an instancer.

const WIDTHS = [1440, 360]
const START_MS = 3000

test.each(WIDTHS)('hostile bot logs stay text, at %i', async (width) => {
  await using site = await openSite(hostileConfig())
  const { own } = await fillHostile(site)
  const { page, visit, check, found } = await startPatrol(site, { width, team: own })
  await visit(`/challenges/${taskId(0)}?tab=source`)
  await expectShown(page.getByRole('region', { name: 'Bot source' }))
  await page.getByRole('button', { name: 'Logs' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('switch', { name: 'Wrap lines' }).click()
  await expectShown(dialog.getByRole('region', { name: 'Log lines' }))
  await check('log')
  await dialog.getByRole('searchbox', { name: 'Search' }).fill(hostileName)
  await expectShown(dialog.getByRole('region', { name: 'Log lines' }), [hostileName])
  await check('log, searched')

  await visit('/challenges/parrot')
  await page.getByRole('textbox', { name: hostileName }).fill(hostileName)
  await page.getByRole('button', { name: 'Send to bot' }).click()
  await expectShown(page.getByRole('status'), [`The pattern of the input ${hostileName} is invalid.`])
  await check('refused input')
  expect(found).toEqual([])
})

test.each(WIDTHS)('hostile instancer responses stay text, at %i', async (width) => {
  await using loud = await startHostileInstancer()
  await using site = await openSite(hostileConfig(loud))
  const { own } = await fillHostile(site)
  const { page, visit, check, found } = await startPatrol(site, { width, team: own })
  // The list next to it has hostile names as well.
  const article = page.getByRole('article')
  const start = page.getByRole('button', { name: 'Start', exact: true })
  await visit('/challenges/cabin')
  await start.click()
  await page.getByText('Starting…').waitFor()
  site.contest.clock.advance(START_MS)
  await page.getByText('Running', { exact: true }).waitFor()
  await expectShown(article)
  await check('instance with hostile titles')

  loud.refusal = hostileName
  await visit('/challenges/siren')
  await expectShown(article, [hostileName])
  for (const [at, text] of hostileTexts.entries()) {
    loud.refusal = text
    await start.click()
    // The server omits host names that could be internal.
    await expectShown(article, [safeText(text)])
    await check(`refusal ${at}`)
  }
  loud.refusal = null
  await start.click()
  await page.getByText('Running', { exact: true }).waitFor()
  await expectShown(article)
  await check('instance at hostile hosts')
  expect(found).toEqual([])
})
