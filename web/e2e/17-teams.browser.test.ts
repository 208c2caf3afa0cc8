import { readFile } from 'node:fs/promises'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { login, testToken } from '@pennant/contract/accounts.ts'
import { deleteTeam, listTeams } from '@pennant/contract/admin-teams.ts'
import { expect, test } from 'vitest'
import type { Member } from '../../server/test/harness.ts'
import { accepted, announced, openSite } from './harness.ts'

const ALL_RIGHTS = 63

test('six teams are banned together, one fails, and deleting requires the typed name', async () => {
  await using site = await openSite()
  const { contest } = site
  const admin = await contest.admin(ALL_RIGHTS)
  await site.addChallenge('rope', { points: { min: 100, max: 100 } })
  const solve = async ({ token }: Member) =>
    contest.call(submitFlag, { token, params: { id: 'rope' }, body: { flag: 'flag{rope}' } })
  await solve(await contest.team('Anchor'))
  for (const name of ['Buoy', 'Compass', 'Dinghy', 'Ensign', 'Fathom']) await contest.team(name)
  await solve(await contest.team('Yawl'))
  const page = await site.visitor({ team: admin })
  const board = await site.visitor()
  await board.goto('/scores')
  await board.getByRole('row', { name: /^2\b.*Yawl/ }).waitFor()
  await page.goto('/admin/teams?filter=status:active')
  const table = page.getByRole('table', { name: 'Teams' })
  await table.getByRole('row', { name: /Fathom/ }).waitFor()
  for (const name of ['Anchor', 'Buoy', 'Compass', 'Dinghy', 'Ensign', 'Fathom'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  const search = page.getByRole('searchbox', { name: 'Name or email' })
  const find = async (name: string) => {
    await search.fill(name)
    await search.press('Enter')
  }
  await find('Yawl')
  await table.getByRole('row', { name: /Fathom/ }).waitFor({ state: 'detached' })
  await page.getByText('6 of them on other pages').waitFor()
  const all = page.getByRole('checkbox', { name: 'Select all rows' })
  await all.check()
  await page.getByRole('group', { name: '7 selected' }).waitFor()
  await all.uncheck()
  await page.getByRole('group', { name: '6 selected' }).waitFor()
  await find('')
  await table.getByRole('row', { name: /Fathom/ }).waitFor()
  const listed = await contest.call(listTeams, {
    token: admin.token,
    query: { limit: '10', offset: '0', search: 'Fathom' },
  })
  if (listed.kind !== 'goodAdminUsers') throw new Error(listed.kind)
  const gone = listed.data.users[0]?.id ?? ''
  accepted(await contest.call(deleteTeam, { token: admin.token, params: { id: gone } }))
  await page.getByRole('button', { name: 'Ban', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Ban 6 teams?' })
  const ban = question.getByRole('button', { name: 'Ban', exact: true })
  expect(await ban.getAttribute('aria-disabled')).toBe('true')
  await question.getByRole('textbox').fill('6')
  await ban.click()
  const progress = page.getByRole('dialog', { name: 'Banning teams' })
  await progress.getByText('6 of 6 done').waitFor()
  await progress.getByText('1 failed:').waitFor()
  await progress.getByRole('listitem').filter({ hasText: 'Fathom' }).waitFor()
  await progress.getByRole('button', { name: 'Close' }).last().click()
  await table.getByRole('row', { name: /Anchor/ }).waitFor({ state: 'detached' })
  await board.reload()
  await board.getByRole('row', { name: /^1\b.*Yawl/ }).waitFor()
  expect(await board.getByRole('row', { name: /Anchor/ }).count()).toBe(0)

  await page.goto('/admin/teams?filter=status:banned')
  await page.getByRole('checkbox', { name: 'Select Anchor' }).check()
  await page.getByRole('button', { name: 'Unban', exact: true }).click()
  const lift = page.getByRole('dialog', { name: 'Unban 1 team?' })
  await lift.getByRole('button', { name: 'Unban', exact: true }).click()
  const lifting = page.getByRole('dialog', { name: 'Unbanning teams' })
  await lifting.getByText('1 of 1 done').waitFor()
  await lifting.getByRole('button', { name: 'Close' }).last().click()
  await board.reload()
  await board.getByRole('row', { name: /^1\b.*Anchor/ }).waitFor()
  await board.getByRole('row', { name: /^2\b.*Yawl/ }).waitFor()

  await page.goto('/admin/teams')
  await table.getByRole('button', { name: /Anchor/ }).click()
  await page.waitForURL(/\/admin\/teams\/./)
  await page.getByRole('button', { name: 'Delete team' }).click()
  const deletion = page.getByRole('dialog', { name: 'Delete Anchor?' })
  const remove = deletion.getByRole('button', { name: 'Delete team' })
  await deletion.getByRole('textbox').fill('anchor')
  expect(await remove.getAttribute('aria-disabled')).toBe('true')
  await deletion.getByRole('textbox').fill('Anchor')
  await remove.click()
  await table.getByRole('row', { name: /Anchor/ }).waitFor({ state: 'detached' })
  await table.getByRole('button', { name: /Buoy/ }).click()
  const buoy = page.getByRole('dialog', { name: 'Buoy' })
  await buoy.getByRole('button', { name: 'Unban', exact: true }).click()
  const single = page.getByRole('dialog', { name: 'Unban 1 team?' })
  await single.getByText('1 team with 0 solves returns to the scoreboard').waitFor()
  await single.getByRole('button', { name: 'Unban', exact: true }).click()
  await buoy.getByRole('button', { name: 'Ban', exact: true }).waitFor()
  expect(site.complaints).toEqual([])
})

test('an organiser creates a team, whose members sign in with the link', async () => {
  await using site = await openSite()
  const { contest } = site
  await contest.team('Anchor')
  const page = await site.visitor({ team: await contest.admin(ALL_RIGHTS) })
  await page.goto('/admin/teams')
  await page.getByRole('button', { name: 'Create team' }).click()
  const form = page.getByRole('dialog', { name: 'Create team' })
  const name = form.getByRole('textbox', { name: 'Team' })
  const create = form.getByRole('button', { name: 'Create team' })
  await name.fill('ANCHOR')
  await form.getByRole('textbox', { name: 'Email' }).fill('binnacle@teams.example')
  await create.click()
  await form.getByText('Another team already uses this name.').first().waitFor()
  await name.fill('Binnacle')
  await create.click()
  const done = page.getByRole('dialog', { name: 'Created Binnacle' })
  await done.getByRole('button', { name: 'Copy' }).waitFor()
  await done.getByRole('button', { name: 'Reveal' }).click()
  const link = (await done.locator('code').textContent()) ?? ''
  await done.getByRole('button', { name: 'Done' }).click()
  await page
    .getByRole('table', { name: 'Teams' })
    .getByRole('row', { name: /Binnacle/ })
    .waitFor()

  const member = await site.visitor()
  await member.goto(link)
  await member.getByRole('button', { name: 'Sign in' }).click()
  await member.waitForURL((url) => url.pathname === '/')
  expect(site.complaints).toEqual([])
})

test('an organiser signs a team out everywhere and creates a new token', async () => {
  await using site = await openSite()
  const { contest } = site
  const team = await contest.team('Anchor')
  const page = await site.visitor({ team: await contest.admin(ALL_RIGHTS) })
  await page.goto(`/admin/teams/${team.id}`)
  const sheet = page.getByRole('dialog', { name: 'Anchor' })
  await sheet.getByRole('button', { name: 'Sign out everywhere' }).click()
  const question = page.getByRole('dialog', { name: 'Sign out Anchor everywhere?' })
  await question.getByRole('button', { name: 'Sign out everywhere' }).click()
  await announced(page, 'Signed out').waitFor()
  expect((await contest.call(testToken, { token: team.token })).kind).toBe('badToken')

  await sheet.getByRole('button', { name: 'Create token' }).click()
  const making = page.getByRole('dialog', { name: 'Create a token for Anchor?' })
  await making.getByRole('textbox').fill('Anchor')
  await making.getByRole('button', { name: 'Create token' }).click()
  await sheet.getByRole('button', { name: 'Reveal' }).click()
  const teamToken = (await sheet.getByRole('group', { name: 'Token' }).locator('code').textContent()) ?? ''
  expect((await contest.call(login, { body: { teamToken } })).kind).toBe('goodLogin')
  expect(site.complaints).toEqual([])
})

test('an owner makes a team a judge, who signs in with the link and finds only their pages', async () => {
  await using site = await openSite()
  const { contest } = site
  const team = await contest.team('Anchor')
  const owner = await contest.admin(ALL_RIGHTS)
  const page = await site.visitor({ team: owner })
  await page.goto(`/admin/teams/${team.id}`)
  const sheet = page.getByRole('dialog', { name: 'Anchor' })
  await sheet.getByRole('radio', { name: /^Judge/ }).check()
  await sheet.getByRole('button', { name: 'Change role' }).click()
  const question = page.getByRole('dialog', { name: 'Change the role of Anchor?' })
  await question.getByRole('button', { name: 'Change role' }).click()
  await page.getByText('Changed the role of Anchor.').last().waitFor()
  expect((await contest.call(testToken, { token: team.token })).kind).toBe('badToken')
  const secret = sheet.getByRole('group', { name: 'Sign-in link for this team' })
  await secret.getByRole('button', { name: 'Reveal' }).click()
  const link = (await secret.locator('code').textContent()) ?? ''

  const judge = await site.visitor()
  await judge.goto(link)
  await judge.getByRole('button', { name: 'Sign in' }).click()
  await judge.waitForURL((url) => url.pathname === '/')
  await judge.goto('/admin')
  const rail = judge.getByRole('navigation', { name: 'Organiser pages' })
  await rail.getByRole('link', { name: 'Challenges' }).waitFor()
  await rail.getByRole('link', { name: 'Export' }).waitFor()
  expect(await rail.getByRole('link', { name: 'Teams' }).count()).toBe(0)
  expect(await rail.getByRole('link', { name: 'Messages' }).count()).toBe(0)
  expect(await rail.getByRole('link', { name: 'Event settings' }).count()).toBe(0)

  await page.goto(`/admin/teams/${owner.id}`)
  await page.getByText('Another owner can change your role.').waitFor()
  expect(site.complaints).toEqual([])
})

test('a tablet shows fewer columns by default, and the chosen columns are kept', async () => {
  await using site = await openSite()
  const page = await site.visitor({
    team: await site.contest.admin(ALL_RIGHTS),
    viewport: { width: 768, height: 900 },
  })
  await page.goto('/admin/teams')
  const registered = page.getByRole('columnheader', { name: 'Registered' })
  await page.getByRole('columnheader', { name: 'Email' }).waitFor()
  expect(await registered.count()).toBe(0)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Registered' }).check()
  await registered.waitFor()
  await page.reload()
  await registered.waitFor()
  expect(await page.getByRole('columnheader', { name: 'Division' }).count()).toBe(0)
})

test('search, filters, columns and CSV of the lists are in one line from 1024 pixels on', async () => {
  await using site = await openSite()
  await site.contest.team('Sailors')
  const page = await site.visitor({
    team: await site.contest.admin(ALL_RIGHTS),
    viewport: { width: 1024, height: 900 },
  })
  const bottomOf = (box: { y: number; height: number } | null) =>
    Math.round((box?.y ?? 0) + (box?.height ?? 0))
  for (const path of ['teams', 'submissions', 'verifications']) {
    await page.goto(`/admin/${path}`)
    const csv = page.getByRole('button', { name: 'CSV' })
    await csv.waitFor()
    const filter = page.getByRole('button', { name: 'Add filter' })
    const controls = [
      ...(await page.getByRole('main').getByRole('searchbox').all()),
      page.getByRole('button', { name: 'Columns' }),
      ...(path === 'verifications' ? [] : [filter]),
    ]
    const line = bottomOf(await csv.boundingBox())
    for (const control of controls)
      expect(Math.abs(bottomOf(await control.boundingBox()) - line), path).toBeLessThan(8)
  }
  await page.goto('/admin/teams?q=sail')
  await page.getByText('1–1 of 1').waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toMatch(/^"Sailors","[^"]+","active",/)
  expect(site.complaints).toEqual([])
})

test('points are awarded with a reason, seen on the board and the profile, and taken back', async () => {
  await using site = await openSite()
  const { contest } = site
  const admin = await contest.admin(ALL_RIGHTS)
  await site.addChallenge('rope', { points: { min: 100, max: 100 }, scoring: { kind: 'static' } })
  const flag = { params: { id: 'rope' }, body: { flag: 'flag{rope}' } }
  const [anchor, yawl] = [await contest.team('Anchor'), await contest.team('Yawl')]
  for (const { token } of [anchor, yawl]) accepted(await contest.call(submitFlag, { token, ...flag }))
  const board = await site.visitor()
  await board.goto('/scores')
  await board.getByRole('row', { name: /^2\b.*Yawl/ }).waitFor()
  const page = await site.visitor({ team: admin })
  await page.goto(`/admin/teams/${yawl.id}`)
  await page.getByLabel('Points', { exact: true }).fill('40')
  await page.getByLabel('Reason', { exact: true }).fill('Best write-up')
  await page.getByRole('button', { name: 'Adjust score' }).click()
  await announced(page, 'Adjusted').waitFor()
  await board.getByRole('row', { name: /^1\b.*Yawl.*140/ }).waitFor()
  await board.goto(`/profile/${yawl.id}`)
  await board.getByRole('heading', { name: 'Score adjustments' }).waitFor()
  await board
    .getByRole('listitem')
    .filter({ hasText: /40.*Best write-up/ })
    .waitFor()
  await board.goto('/scores')
  const entry = page.getByRole('listitem').filter({ hasText: 'Best write-up' })
  await entry.getByText(/^by /).waitFor()
  await entry.getByRole('button').click()
  await entry.getByRole('button').click()
  await page.getByText('Score adjustment undone.').last().waitFor()
  await entry.getByText(/^Undone/).waitFor()
  await board.getByRole('row', { name: /^2\b.*Yawl.*100/ }).waitFor()
  expect(site.complaints).toEqual([])
})
