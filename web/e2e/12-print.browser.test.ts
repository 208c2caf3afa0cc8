import { submitFlag } from '@pennant/contract/submissions.ts'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { signalOf } from '../src/ui/marks/signals.ts'
import { bigBoardConfig, fillBoard } from './big-board.ts'
import { openSite } from './harness.ts'

// Printing the scoreboard and saving it as an image: docs/reference/site.md#print-and-image

test('two hundred rows are printed, and an image of the top rows is saved', async () => {
  await using site = await openSite(bigBoardConfig)
  const { contest, own } = await fillBoard(site)
  await using _ = contest
  const page = await site.visitor({ team: own, viewport: { width: 1280, height: 900 } })
  await page.addInitScript(() => {
    window.print = () => {
      // What the print dialog would receive.
      const paper = [...document.querySelectorAll('body > section')].at(-1)
      document.documentElement.dataset['printed'] = [...(paper?.querySelectorAll('p, tr') ?? [])]
        .map((row) => row.textContent)
        .join('\n')
      // As on some phones, `print()` returns immediately and reports the end later.
    }
  })
  await page.goto(`${contest.url}/scores`)
  await page.getByRole('link', { name: 'Crew 1', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Print' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Print' }).click()
  const printed = () => page.evaluate(() => document.documentElement.dataset['printed']?.split('\n') ?? [])
  await expect.poll(async () => (await printed()).length).toBe(202)
  expect((await printed()).at(-1)).toMatch(/^200Crew 200/)
  const papers = page.locator('body > section').filter({ hasText: 'Crew 200' })
  expect(await papers.count(), 'the paper stays until printing ends').toBe(1)
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  await expect.poll(() => papers.count()).toBe(0)
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Image' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('img', { name: 'Scoreboard image' }).waitFor()
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save' }).click()
  expect((await download).suggestedFilename()).toBe('scoreboard.png')
  await page.keyboard.press('Escape')

  await page.goto(`${contest.url}/scores?division=student`)
  await page.getByRole('link', { name: 'Crew 2', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Print' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Print' }).click()
  await expect.poll(async () => (await printed())[0]).toMatch(/^Students · /)
  expect(site.complaints).toEqual([])
})

test('an image is saved once it matches the options, and a failure is explained', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor' })
  const team = await site.contest.team('Sailors')
  const flag = { params: { id: 'anchor' }, body: { flag: 'flag{anchor}' } }
  await site.contest.call(submitFlag, { token: team.token, ...flag })
  const page = await site.visitor({ viewport: { width: 1280, height: 900 } })
  await page.goto('/scores?graph=0')
  await page.getByRole('link', { name: 'Sailors' }).waitFor()
  await page.route('**/leaderboard/graph*', (route) =>
    route.fulfill({ status: 404, json: { kind: 'badEndpoint', message: '' } }),
  )
  await page.getByRole('button', { name: 'Image' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Try again' }).waitFor()
  const save = dialog.getByRole('button', { name: 'Save' })
  expect(await save.getAttribute('aria-disabled')).toBe('true')
  await dialog.getByLabel('Include the graph').click()
  await dialog.getByRole('img', { name: 'Scoreboard image' }).waitFor()
  expect(await save.getAttribute('aria-disabled')).toBeNull()
  expect(site.complaints).toEqual([])
})

test('the image has the flags of teams and countries, also when an avatar does not load', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor' })
  const team = await site.contest.team('Sailors')
  const flag = { params: { id: 'anchor' }, body: { flag: 'flag{anchor}' } }
  await site.contest.call(submitFlag, { token: team.token, ...flag })
  const page = await site.visitor({ viewport: { width: 1280, height: 900 } })
  await page.route('**/leaderboard/now*', async (route) => {
    const response = await route.fetch()
    const json = (await response.json()) as { data: { leaderboard: object[] } }
    for (const row of json.data.leaderboard)
      Object.assign(row, { avatarUrl: `${site.contest.url}/missing.png`, countryCode: 'ua' })
    await route.fulfill({ response, json })
  })
  await page.goto('/scores?graph=0')
  await page.getByRole('link', { name: 'Sailors' }).waitFor()
  await page.getByRole('button', { name: 'Image' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Include the graph').click()
  await dialog.getByRole('img', { name: 'Scoreboard image' }).waitFor()
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const { data, info } = await sharp(await (await download).path())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect(info.width).toBe(1200)
  const colours = new Set<string>()
  for (let at = 0; at < data.length; at += info.channels)
    colours.add(`#${data.subarray(at, at + 3).toString('hex')}`)
  const { ground, figure } = signalOf(team.id)
  // The flag of the team instead of its avatar, and both colours of Ukraine.
  for (const colour of [ground, figure, '#338af3', '#ffda44']) expect(colours).toContain(colour)
})
