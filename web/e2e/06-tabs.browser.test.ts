import { expect, test } from 'vitest'
import { botConfig, botSettings } from '../../server/test/bot-contest.ts'
import { putChallenge, putFeed, putSolve } from '../../server/test/contest-data.ts'
import { challengeRow, solveRow } from '../../server/test/contest-rows.ts'
import { putDynamic } from '../../server/test/pushes.ts'
import type { Contest, Member } from '../../server/test/harness.ts'
import { openSite } from './harness.ts'

// The tabs of a challenge besides its description: docs/reference/site.md#challenges-page

const PAGE = 25

test("the scores of a dynamic challenge are ranked, with the viewer's team visible", async () => {
  await using site = await openSite()
  const { contest } = site
  await putDynamic(contest, 'pier')
  const teams = await crews(contest, PAGE + 2)
  const now = contest.clock.now()
  for (const [at, { id }] of teams.entries()) {
    const points = 1_000 - at
    const row = { challengeId: 'pier', teamId: id, points, delta: at === 0 ? 12 : -1 }
    await putFeed(contest.db, { ...row, scoredAt: now - 1_000, tickAt: now })
  }
  const page = await site.visitor({ team: member(teams.at(-1)) })
  await page.goto('/challenges/pier?tab=scores')
  const rows = page.getByRole('row')
  await rows.filter({ hasText: 'Crew 0' }).filter({ hasText: 'up by 12' }).waitFor()
  await rows
    .filter({ hasText: `Crew ${PAGE + 1}` })
    .filter({ hasText: String(1_000 - PAGE - 1) })
    .waitFor()
  expect(await rows.filter({ hasText: `Crew ${PAGE}` }).count()).toBe(0)
  await page.getByRole('button', { name: 'Load more' }).click()
  await rows.filter({ hasText: `Crew ${PAGE}` }).waitFor()
  await page.getByText(`${PAGE + 2} of ${PAGE + 2}`).waitFor()
  expect(site.complaints).toEqual([])
})

test("solves show the rank at the time and pin the viewer's team when it is on a later page", async () => {
  await using site = await openSite()
  const { contest } = site
  await site.addChallenge('anchor', { name: 'Anchor' })
  const teams = await crews(contest, PAGE + 1)
  const start = contest.clock.now() - 3_600_000
  for (const [at, { id }] of teams.entries())
    await putSolve(
      contest.db,
      solveRow(at, {
        challengeId: 'anchor',
        teamId: id,
        createdAt: start + at * 60_000,
        globalRank: at + 40,
        divisionRank: at + 1,
      }),
    )
  const page = await site.visitor({ team: member(teams.at(-1)), viewport: { width: 1440, height: 900 } })
  await page.goto('/challenges/anchor?tab=solves')
  const rows = page.getByRole('row')
  await rows.filter({ hasText: 'Crew 0' }).filter({ hasText: '40' }).waitFor()
  await rows
    .filter({ hasText: `Crew ${PAGE}` })
    .filter({ hasText: String(PAGE + 1) })
    .waitFor()
  const bloods = page.getByRole('region', { name: 'First to solve' })
  await bloods.getByRole('img', { name: 'Third blood' }).waitFor()
  await bloods.getByRole('link', { name: 'Crew 2' }).waitFor()

  // Another challenge opens on its description.
  await site.addChallenge('buoy', { name: 'Buoy' })
  await page.reload()
  await rows.filter({ hasText: 'Crew 0' }).waitFor()
  await page.getByRole('navigation', { name: 'Challenge list' }).getByRole('link', { name: /Buoy/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Buoy' }).waitFor()
  expect(new URL(page.url()).search).toBe('')
  expect(await page.getByRole('tab', { name: 'Details' }).getAttribute('aria-selected')).toBe('true')
  expect(site.complaints).toEqual([])
})

test('everyone can read the bot source', async () => {
  await using site = await openSite(botConfig)
  await putChallenge(site.contest.db, challengeRow('parrot', { adminBotConfig: botSettings }))
  const page = await site.visitor()
  await page.goto('/challenges/parrot')
  await page.getByRole('tab', { name: 'Details' }).waitFor()
  expect(await page.getByText(botSettings.code).count()).toBe(0)
  // The keys wrap around: the last tab precedes the first.
  await page.keyboard.press('[')
  await page.getByRole('region', { name: 'Bot source' }).getByText(botSettings.code).waitFor()
  await page.getByRole('button', { name: 'Copy', exact: true }).waitFor()
  expect(page.url()).toMatch(/tab=source$/)
  expect(site.complaints).toEqual([])
})

async function crews(contest: Contest, count: number): Promise<Member[]> {
  const teams: Member[] = []
  for (let at = 0; at < count; at += 1) teams.push(await contest.team(`Crew ${at}`))
  return teams
}

function member(team: Member | undefined): Member {
  if (!team) throw new Error('there is no such team')
  return team
}
