import { submitFlag } from '@pennant/contract/submissions.ts'
import { expect, test } from 'vitest'
import { openSite, type Site } from './harness.ts'

// Story 12 of the site specification, on a real server with a few pages of teams.

const TEAMS = 60
const SECOND_MS = 1000

/** Teams that solved the same, one after the other: the earlier stands higher. Gives back the last. */
async function fill({ contest, addChallenge }: Site) {
  await addChallenge('anchor', { name: 'Anchor', points: { min: 100, max: 500 } })
  const teams = []
  for (let number = 1; number <= TEAMS; number += 1) {
    const team = await contest.team(`Crew ${String(number).padStart(2, '0')}`)
    contest.clock.advance(SECOND_MS)
    const flag = { token: team.token, params: { id: 'anchor' }, body: { flag: 'flag{anchor}' } }
    expect((await contest.call(submitFlag, flag)).kind).toBe('goodFlag')
    teams.push(team)
  }
  return teams.at(-1)
}

test('the board goes to the own row, finds a team, and leads to what it solved', async () => {
  await using site = await openSite()
  const team = await fill(site)
  if (!team) throw new Error('No team')
  const page = await site.visitor({ team })
  await page.goto('/scores')
  const board = page.getByRole('table', { name: 'Standings' })
  await board.getByRole('link', { name: 'Crew 01' }).waitFor()
  expect(await board.getAttribute('aria-rowcount')).toBe(String(TEAMS))
  expect(await board.getByRole('link', { name: `Crew ${TEAMS}` }).count()).toBe(0)
  await page.getByRole('button', { name: 'Jump to me' }).first().click()
  await board.getByRole('link', { name: `Crew ${TEAMS}` }).waitFor()

  await page.getByRole('searchbox', { name: 'Search teams' }).fill('crew 07')
  await expect.poll(() => board.getAttribute('aria-rowcount')).toBe('1')
  expect(new URL(page.url()).searchParams.get('q')).toBe('crew 07')
  const found = board.getByRole('row').filter({ hasText: 'Crew 07' })
  expect(await found.getByRole('cell').first().textContent()).toBe('7')
  await found.getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: 'Crew 07' }).waitFor()
  await page.getByRole('link', { name: 'Anchor' }).waitFor()
  await page.getByText('Place 7', { exact: true }).waitFor()
  expect(site.complaints).toEqual([])
})

test('a graph is drawn when it is asked for, and a team that is not there is said', async () => {
  await using site = await openSite()
  await fill(site)
  const page = await site.visitor()
  await page.goto('/scores')
  await page.getByRole('button', { name: 'Graph' }).click()
  await page.getByText('Show as table').waitFor()
  await page.locator('canvas').waitFor()
  await page.goto('/profile/nobody')
  await page.getByRole('heading', { name: 'No such team' }).first().waitFor()
  await page.goto('/profile')
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  expect(site.complaints).toEqual([])
})
