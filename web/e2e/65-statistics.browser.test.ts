import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Member } from '../../server/test/harness.ts'
import { accepted, openSite } from './harness.ts'

/** Waits until no label of the time axis covers the next one. All are read at once, because a plot is drawn again for each width. */
async function expectNoOverlaps(page: Page, name: string): Promise<void> {
  const plot = page.getByRole('region', { name }).locator('svg[role=img]')
  const read = () =>
    plot.evaluate((svg) => {
      const axis = [...svg.querySelectorAll('text')].filter(({ textContent }) => textContent.includes(':'))
      const boxes = axis.map((text) => text.getBoundingClientRect())
      const covered = axis.filter((_, at) => (boxes[at]?.right ?? 0) > (boxes[at + 1]?.left ?? Infinity))
      return { isLabelled: axis.length > 1, covered: covered.map(({ textContent }) => textContent) }
    })
  const where = `${name} at ${page.viewportSize()?.width}`
  await expect.poll(read, { message: where }).toEqual({ isLabelled: true, covered: [] })
}

test('organisers find a wrong flag, publish the statistics, and everyone reads them after the end', async () => {
  await using site = await openSite()
  const { contest } = site
  await site.addChallenge('lighthouse', { name: 'Lighthouse', category: 'web' })
  await site.addChallenge('anchor', { name: '=Anchor', category: 'pwn' })
  const admin = await contest.admin()
  const teams = [await contest.team('Sailors'), await contest.team('Pirates'), await contest.team('Gulls')]
  const submit = ({ token }: Member, [id, flag]: readonly [string, string]) =>
    contest.call(submitFlag, { token, params: { id }, body: { flag } })
  for (const team of teams) {
    await submit(team, ['lighthouse', 'flag{light-house}'])
    await submit(team, ['anchor', 'flag{lighthouse}'])
    accepted(await submit(team, ['lighthouse', 'flag{lighthouse}']))
  }

  const organiser = await site.visitor({ team: admin })
  await organiser.goto('/admin')
  await organiser.getByRole('link', { name: 'Statistics' }).click()
  const totals = organiser.getByLabel('Totals')
  await totals.getByText('Active teams', { exact: true }).waitFor()
  expect((await totals.innerText()).replaceAll(/\s+/g, ' ')).toMatch(/Submissions 9 Solves 3/i)
  for (const width of [1440, 1180, 700, 360]) {
    await organiser.setViewportSize({ width, height: 900 })
    for (const name of ['Activity over the event', 'Who comes back']) await expectNoOverlaps(organiser, name)
  }
  await organiser.setViewportSize({ width: 1280, height: 720 })
  const wrong = organiser.getByRole('region', { name: 'Common wrong flags' })
  await wrong.getByText('flag{light-house}').waitFor()
  await wrong.getByText('right for another challenge or team').waitFor()
  expect(await wrong.innerText()).not.toContain('flag{lighthouse}')
  // The table of a plot, from the keyboard.
  const first = organiser.getByRole('region', { name: 'Time to the first solve' })
  await first.getByRole('button', { name: 'Show as table' }).focus()
  await organiser.keyboard.press('Enter')
  await first.getByRole('link', { name: 'Sailors' }).waitFor()
  const saved = organiser.waitForEvent('download')
  await first.getByRole('button', { name: 'Time to the first solve: download as CSV' }).click()
  const file = await readFile(await (await saved).path(), 'utf8')
  expect(file).toMatch(/lighthouse,Lighthouse,web/)
  expect(file).toContain(",'=Anchor,")
  await wrong.getByRole('button', { name: 'Lighthouse' }).click()
  await organiser.getByRole('region', { name: 'The most common wrong flags for Lighthouse' }).waitFor()

  const player = await site.visitor()
  await player.goto('/statistics')
  await player.getByText('The statistics are not public.').waitFor()
  await organiser.getByRole('button', { name: 'Show to everybody after the end' }).click()
  await organiser.getByText('Everybody will see these figures after the end').waitFor()
  await player.goto('/scores')
  await player.getByText('Sailors').first().waitFor()
  expect(await player.getByRole('link', { name: 'Statistics' }).count()).toBe(0)

  const endTime = Date.now()
  const { token } = admin
  accepted(await contest.call(updateSettings, { token, body: { data: { endTime } } }))
  contest.clock.advance(endTime - contest.clock.now() + 1)
  await player.goto('/scores')
  await player.getByRole('link', { name: 'Statistics' }).click()
  const shown = player.getByRole('region', { name: 'Difficulty against expectation' })
  await shown.getByRole('img').waitFor()
  await shown.getByRole('button', { name: 'Show as table' }).click()
  await shown.getByRole('link', { name: 'Lighthouse' }).waitFor()
  expect(await player.getByText('wrong flag').count()).toBe(0)
  await player.goto('/')
  await player.getByRole('link', { name: 'Statistics' }).click()
  await player.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor()
  expect(site.complaints.filter((text) => !text.includes('404'))).toEqual([])
})
