import { expect, test } from 'vitest'
import { openSite } from './harness.ts'
import { fillHostile, hostileConfig, taskId, teamId } from './hostile-contest.ts'
import { hostileTexts } from './hostile-texts.ts'
import { expectShown, startPatrol } from './patrol.ts'

// Every challenge and team with hostile texts, each at one of the widths.

const all = [...hostileTexts.entries()]
const HALVES = [
  { width: 1440, half: all.filter(([at]) => at % 2 === 0) },
  { width: 360, half: all.filter(([at]) => at % 2 === 1) },
]
const PLACES = [
  { what: 'challenge', path: (at: number) => `/challenges/${taskId(at)}` },
  { what: 'team', path: (at: number) => `/profile/${teamId(at)}` },
]
const VISITS = HALVES.flatMap((half) => PLACES.map((place) => ({ ...half, ...place })))

test.each(VISITS)('hostile texts stay text on every second $what, at $width px', async (visits) => {
  const { width, half, path } = visits
  await using site = await openSite(hostileConfig())
  const { own } = await fillHostile(site)
  const { page, visit, found } = await startPatrol(site, { width, team: own })
  for (const [at, text] of half) {
    await visit(path(at))
    await expectShown(page.getByRole('heading', { level: 1 }), [text])
  }
  // Every team solved this one.
  await visit(`/challenges/${taskId(1)}?tab=solves`)
  await expectShown(page.getByRole('tabpanel', { name: 'Solves' }), hostileTexts.slice(0, 1))
  expect(found).toEqual([])
})
