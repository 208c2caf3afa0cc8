import { createWave, listWaves } from '@pennant/contract/waves.ts'
import { HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Member } from '../../server/test/harness.ts'
import { accepted, gotoLive, openSite, type Site } from './harness.ts'
import { violationsOf } from './violations.ts'

/** Opens a page and waits for its stream. */
async function openLive(site: Site, path: string, team: Member): Promise<Page> {
  const page = await site.visitor({ team })
  await gotoLive(page, path)
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
  // News come late, and nothing that players read moves.
  const ends = home.getByRole('region', { name: 'Ends in' })
  const place = (await ends.boundingBox())?.y
  const organiser = await site.visitor({ team: admin })
  await organiser.goto('/admin/waves')
  const form = organiser.getByRole('region', { name: 'New wave' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Night wave')
  const later = new Date(contest.clock.now() + 2 * HOUR_MS)
  const local = new Date(later.getTime() - later.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 19)
  await form.getByLabel('Opens at').fill(local)
  await form.getByRole('checkbox', { name: 'Buoy' }).check()
  await form.getByRole('checkbox', { name: /^Show a countdown/ }).check()
  await form.getByRole('button', { name: 'Create wave' }).click()
  const table = organiser.getByRole('table', { name: 'Waves' })
  await table.getByText('Night wave').waitFor()
  const line = player.getByText('Next challenges: Night wave').locator('..').getByRole('timer')
  await line.waitFor()
  await home.getByRole('region', { name: 'Next challenges: Night wave' }).waitFor()
  expect((await ends.boundingBox())?.y).toBe(place)
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

test('an organiser locks a challenge in its editor, and the team sees what opens it', async () => {
  await using site = await openSite()
  const { contest } = site
  await site.addChallenge('anchor', { name: 'Anchor', flag: 'flag{anchor}' })
  await site.addChallenge('buoy', { name: 'Buoy' })
  const [admin, sailors] = [await contest.admin(), await contest.team('Sailors')]
  const { token } = admin
  accepted(await contest.call(createWave, { token, body: { data: { name: 'Night wave' } } }))
  const organiser = await site.visitor({ team: admin })
  await organiser.goto('/admin/challenges/buoy')
  const details = organiser.getByRole('group', { name: 'Details' })
  await details.getByLabel('Prerequisites').first().fill('anch')
  await organiser.getByRole('option', { name: /Anchor/ }).click()
  await details.getByRole('switch', { name: 'Show while locked' }).check()
  expect(await violationsOf(organiser)).toEqual([])
  await organiser.getByRole('button', { name: 'Save' }).click()
  await organiser.getByText('Saved').first().waitFor()

  // The other way around would be a cycle, so it is not offered.
  await organiser.goto('/admin/challenges/anchor')
  await details.getByText('Not offered, because they require this challenge: Buoy.').waitFor()

  const player = await openLive(site, '/challenges/buoy', sailors)
  const locked = player.getByRole('region', { name: 'Locked' })
  await locked.getByRole('link', { name: 'Anchor' }).waitFor()
  expect(await player.getByRole('textbox', { name: 'Flag' }).count()).toBe(0)
  expect(await violationsOf(player)).toEqual([])
  const flag = { params: { id: 'anchor' }, body: { flag: 'flag{anchor}' } }
  accepted(await contest.call(submitFlag, { token: sailors.token, ...flag }))
  await locked.waitFor({ state: 'detached' })
  await player.getByRole('textbox', { name: 'Flag' }).waitFor()

  await organiser.goto('/admin/challenges/buoy')
  await details.getByLabel('Wave').selectOption({ label: 'Night wave' })
  await details.getByText('The wave has no time yet', { exact: false }).waitFor()
  await organiser.getByRole('button', { name: 'Save' }).click()
  // "Saved" of the first time may still be shown.
  await expect
    .poll(async () => (await contest.call(listWaves, { token })).data)
    .toMatchObject({ waves: [{ name: 'Night wave', challengeIds: ['buoy'] }] })
})

test('an organiser checks a wave before it opens', async () => {
  await using site = await openSite()
  const { contest } = site
  await site.addChallenge('anchor', { name: 'Anchor', hidden: false })
  await site.addChallenge('buoy', { name: 'Buoy', hidden: true })
  const admin = await contest.admin()
  const openAt = contest.clock.now() + 2 * HOUR_MS
  const data = { name: 'Night wave', openAt, challengeIds: ['anchor', 'buoy'], force: true }
  accepted(await contest.call(createWave, { token: admin.token, body: { data } }))
  const page = await site.visitor({ team: admin })
  await page.goto('/admin/waves')
  await page.getByRole('button', { name: 'Check of Night wave' }).click()
  const panel = page.getByRole('region', { name: 'Check of Night wave' })
  await panel.getByText('Nothing has been checked yet.').waitFor()
  await panel.getByRole('button', { name: 'Check now' }).click()
  await panel.getByText('2 challenges need attention.').waitFor()
  await panel.getByText('It is hidden, so the wave does not release it.', { exact: false }).waitFor()
  expect(await violationsOf(page)).toEqual([])
  const body = { data: { hidden: false } }
  accepted(await contest.call(putChallengeV2, { token: admin.token, params: { id: 'buoy' }, body }))
  await page.reload()
  await panel.getByText('The challenge changed since: check again.').waitFor()
})
