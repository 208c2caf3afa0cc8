import { expect, test } from 'vitest'
import { botConfig, botSettings } from '../../server/test/bot-contest.ts'
import { putChallenge, putFeed, putSolve } from '../../server/test/contest-data.ts'
import { challengeRow, feedRow, solveRow } from '../../server/test/contest-rows.ts'
import { putDynamic } from '../../server/test/pushes.ts'
import { inPage } from './browser.ts'
import { openSite } from './harness.ts'
import { withoutStream } from './quiet.ts'
import { violationsOf } from './violations.ts'

// No violation of any impact, and no page that scrolls sideways: docs/reference/site.md#accessibility

const VARIANTS = [
  { colorScheme: 'dark', viewport: { width: 1440, height: 800 } },
  { colorScheme: 'light', viewport: { width: 360, height: 800 } },
] as const
const VISITORS = [
  '/',
  '/register',
  '/login',
  '/recover',
  '/verify',
  '/status',
  '/live',
  '/nowhere',
  '/challenges/anchor',
  '/integrations/extrank/callback',
]
const TEAMS = [
  '/',
  '/challenges',
  '/challenges/anchor',
  '/challenges/anchor?tab=solves',
  '/challenges/parrot?tab=source',
  '/challenges/pier?tab=scores',
  '/scores',
  '/profile',
  '/announcements',
  '/messages',
]
const ORGANISERS = [
  '/status',
  '/admin',
  '/admin/challenges',
  '/admin/challenges/new',
  '/admin/challenges/anchor',
  '/admin/challenges/anchor?tab=scoring',
  '/admin/challenges/anchor?tab=solves',
  '/admin/challenges/anchor?tab=raw',
  '/admin/waves',
  '/admin/submissions',
  '/admin/verifications',
  '/admin/teams',
  '/admin/announcements',
  '/admin/messages',
  '/admin/settings',
  '/admin/settings?import',
  '/admin/clients',
  '/admin/actions',
  '/admin/export',
  '/admin/statistics',
  '/external-auth/authorize?client_id=none',
]

const PATHS = { visitors: VISITORS, teams: TEAMS, organisers: ORGANISERS } as const
type Role = keyof typeof PATHS
const ROLES = Object.keys(PATHS) as Role[]
const CASES = VARIANTS.flatMap((variant) => ROLES.map((role) => ({ ...variant, role })))

test.each(CASES)('pages of $role are accessible, $colorScheme at $viewport.width', async (variant) => {
  await using site = await openSite(botConfig)
  const { contest } = site
  await site.addChallenge('anchor', { name: 'Anchor', description: '> [!TIP]\n> Look.\n\n```\ncode\n```' })
  const sailors = await contest.team('Sailors')
  await putChallenge(contest.db, challengeRow('parrot', { adminBotConfig: botSettings }))
  await putDynamic(contest, 'pier')
  await putFeed(contest.db, feedRow('pier', sailors.id))
  const places = { globalPlace: 1, divisionPlace: 1 }
  await putSolve(contest.db, solveRow(1, { challengeId: 'anchor', teamId: sailors.id, ...places }))
  const { colorScheme, viewport, role } = variant
  const team = { visitors: null, teams: sailors, organisers: await contest.admin() }[role]
  const page = await site.visitor({ colorScheme, viewport, ...(team && { team }) })
  await withoutStream(page)
  for (const path of PATHS[role]) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
    await page.waitForLoadState('networkidle')
    expect(await violationsOf(page), path).toEqual([])
    const excess = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
    // Negative by the width of the scrollbar gutter.
    expect(await inPage(page, excess), path).toBeLessThanOrEqual(0)
  }
  expect(site.complaints).toEqual([])
})
