import { expect, test } from 'vitest'
import { bigBoardConfig, fillBoard } from './big-board.ts'
import { openSite } from './harness.ts'

// The scoreboard on paper and as an image: site specification 2.9 and 5.4.

test('two hundred rows are printed, and an image of the first is saved', async () => {
  await using site = await openSite(bigBoardConfig)
  const { contest, own } = await fillBoard(site)
  await using _ = contest
  const page = await site.visitor({ team: own, viewport: { width: 1280, height: 900 } })
  await page.addInitScript(() => {
    window.print = () => {
      // What the system's dialog would see.
      const paper = [...document.querySelectorAll('body > section')].at(-1)
      document.documentElement.dataset['printed'] = [...(paper?.querySelectorAll('tr') ?? [])]
        .map((row) => row.textContent)
        .join('\n')
    }
  })
  await page.goto(`${contest.url}/scores`)
  await page.getByRole('link', { name: 'Crew 1', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Print' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Print' }).click()
  const printed = () => page.evaluate(() => document.documentElement.dataset['printed']?.split('\n') ?? [])
  await expect.poll(async () => (await printed()).length).toBe(201)
  expect((await printed()).at(-1)).toMatch(/^200Crew 200/)
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Image' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('img', { name: 'Image of the board' }).waitFor()
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save' }).click()
  expect((await download).suggestedFilename()).toBe('scoreboard.png')
  expect(site.complaints).toEqual([])
})
