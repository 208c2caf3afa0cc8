import { updateSettings } from '@pennant/contract/admin-settings.ts'
import { putChallenge, putSolve } from '../../server/test/contest-data.ts'
import { challengeRow, solveRow } from '../../server/test/contest-rows.ts'
import { expect, test } from 'vitest'
import { openSite } from './harness.ts'
import { violationsOf } from './violations.ts'

const ALL_RIGHTS = 63

test('organisers add tracks, an agent registers in its own, and the scoreboard is read by track', async () => {
  await using site = await openSite()
  const { contest } = site
  const admin = await contest.admin(ALL_RIGHTS)
  const organiser = await site.visitor({ team: admin })
  await organiser.goto('/admin/settings')
  for (const name of ['Add humans', 'Add autonomous agents'])
    await organiser.getByRole('button', { name }).click()
  expect(await violationsOf(organiser)).toEqual([])
  await organiser.getByRole('button', { name: 'Save', exact: true }).click()
  await organiser.getByText('Saved').first().waitFor()

  const player = await site.visitor({})
  await player.goto('/register')
  await player.getByLabel('Team name').fill('Robot')
  await player.getByLabel('Email').fill('robot@crews.test')
  await player.getByRole('radio', { name: 'Autonomous agents' }).check()
  await player.getByLabel('Operator of the agent').fill('Lab')
  await player.getByRole('textbox', { name: /^Model/ }).fill('M-1')
  expect(await violationsOf(player)).toEqual([])
  await player.getByRole('main').getByRole('button', { name: 'Register' }).click()
  await player.getByRole('heading', { name: /token/i }).waitFor()

  const ants = await contest.team('Ants')
  await contest.app.stores.follower.catchUp()
  const robot = [...contest.world().teams()].find(({ name }) => name === 'Robot')
  await putChallenge(contest.db, challengeRow('one'))
  for (const [at, teamId] of [robot?.id ?? '', ants.id].entries())
    await putSolve(
      contest.db,
      solveRow(at + 1, { challengeId: 'one', teamId, createdAt: contest.clock.now() }),
    )

  const page = await site.visitor({ team: ants })
  await page.goto('/scores')
  await page.getByRole('link', { name: 'Ants' }).first().waitFor()
  expect(await page.getByRole('link', { name: 'Robot' }).count()).toBe(0)
  await page.getByLabel('Track').selectOption({ label: 'All tracks' })
  await page.getByRole('link', { name: 'Robot' }).first().waitFor()
  await page.locator('bdi', { hasText: 'Autonomous agents' }).first().waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('link', { name: 'Robot' }).first().click()
  await page.goto(`/profile/${robot?.id}`)
  await page.getByText('Rank 1 in Autonomous agents').waitFor()
  await page.getByText('Operated by Lab, model: M-1').waitFor()
  await page.goto('/tracks')
  await page.getByRole('heading', { name: 'AI and this event' }).waitFor()
  await page.getByRole('checkbox', { name: 'Challenge one' }).click()
  await page.getByRole('checkbox', { name: 'Challenge one', checked: true }).waitFor()
  expect(await violationsOf(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  expect(site.complaints).toEqual([])
})

test('an organiser moves a team, with a reason', async () => {
  await using site = await openSite()
  const { contest } = site
  const admin = await contest.admin(ALL_RIGHTS)
  const own = { mayRegister: true, isRanked: true, affectsPoints: true, takesBloods: true }
  const tracks = ['human', 'agent'].map((id) => ({
    id,
    label: `Track ${id}`,
    policy: '',
    ...own,
    getsPrizes: true,
    namesAgent: false,
  }))
  await contest.call(updateSettings, { token: admin.token, body: { data: { tracks } } })
  const team = await contest.team('Ants')
  const page = await site.visitor({ team: admin })
  await page.goto(`/admin/teams/${team.id}`)
  await page.getByRole('radio', { name: 'Track agent' }).check()
  await page.getByLabel('Reason').first().fill('It is one.')
  await page.getByRole('button', { name: 'Move team' }).click()
  await expect.poll(() => contest.world().trackOf(team.id)).toBe('agent')
  expect(await violationsOf(page)).toEqual([])
  expect(site.complaints).toEqual([])
})
