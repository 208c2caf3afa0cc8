import { listWaves } from '@pennant/contract/waves.ts'
import { HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import { openStream } from '@pennant/contract/stream.ts'
import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Member } from '../../server/test/harness.ts'
import { accepted, openSite, type Site } from './harness.ts'
import { violationsOf } from './violations.ts'

/** Opens a page and waits for its stream. */
async function openLive(site: Site, path: string, team: Member): Promise<Page> {
  const page = await site.visitor({ team })
  const opened = page.waitForResponse((response) => response.url().endsWith(openStream.path))
  await page.goto(path)
  await opened
  return page
}

test('an organiser creates and moves a wave, and the countdown of players follows', async () => {
  await using site = await openSite()
  const { contest } = site
  await site.addChallenge('anchor', { name: 'Anchor', hidden: false })
  await site.addChallenge('buoy', { name: 'Buoy', hidden: true })
  const [admin, sailors] = [await contest.admin(), await contest.team('Sailors')]
  const player = await openLive(site, '/challenges', sailors)
  const home = await openLive(site, '/', sailors)
  const organiser = await site.visitor({ team: admin })
  await organiser.goto('/admin/waves')
  const form = organiser.getByRole('region', { name: 'New wave' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Night wave')
  const later = new Date(contest.clock.now() + 2 * HOUR_MS)
  const local = new Date(later.getTime() - later.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 19)
  await form.getByLabel('Opens at').fill(local)
  await form.getByRole('checkbox', { name: 'Buoy' }).check()
  await form.getByRole('checkbox', { name: 'Show a countdown to players' }).check()
  await form.getByRole('button', { name: 'Create wave' }).click()
  const table = organiser.getByRole('table', { name: 'Waves' })
  await table.getByText('Night wave').waitFor()
  const line = player.getByText('Next challenges: Night wave').locator('..').getByRole('timer')
  await line.waitFor()
  await home.getByRole('region', { name: 'Next challenges: Night wave' }).waitFor()
  for (const page of [player, home, organiser]) expect(await violationsOf(page)).toEqual([])
  const before = await line.textContent()

  await organiser.getByRole('button', { name: 'Move Night wave' }).click()
  const dialog = organiser.getByRole('dialog', { name: 'Move Night wave' })
  await dialog.getByRole('button', { name: '60 min later' }).click()
  await dialog.getByText('1 challenge.').waitFor()
  expect(await violationsOf(organiser)).toEqual([])
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(async () => (await line.textContent())?.slice(0, 6)).not.toBe(before?.slice(0, 6))
  const stored = (await contest.call(listWaves, { token: admin.token })).data
  expect(stored).toMatchObject({
    waves: [{ name: 'Night wave', openAt: Math.floor(later.getTime() / 1000) * 1000 + HOUR_MS }],
  })
  expect(await player.getByText('Buoy').count()).toBe(0)
})

test('a challenge appears without a reload when the team has solved what it requires', async () => {
  await using site = await openSite()
  const { contest } = site
  await site.addChallenge('anchor', { name: 'Anchor', flag: 'flag{anchor}' })
  await site.addChallenge('buoy', { name: 'Buoy' })
  const [admin, sailors, pilots] = [
    await contest.admin(),
    await contest.team('Sailors'),
    await contest.team('Pilots'),
  ]
  const body = { data: { prerequisites: ['anchor'] } }
  accepted(await contest.call(putChallengeV2, { token: admin.token, params: { id: 'buoy' }, body }))
  const [mine, theirs] = [
    await openLive(site, '/challenges', sailors),
    await openLive(site, '/challenges', pilots),
  ]
  for (const page of [mine, theirs]) {
    await page
      .getByRole('link', { name: /Anchor/ })
      .first()
      .waitFor()
    expect(await page.getByText('Buoy').count()).toBe(0)
  }
  const flag = { params: { id: 'anchor' }, body: { flag: 'flag{anchor}' } }
  accepted(await contest.call(submitFlag, { token: sailors.token, ...flag }))
  await mine.getByRole('link', { name: /Buoy/ }).first().waitFor()
  expect(await theirs.getByText('Buoy').count()).toBe(0)
})
