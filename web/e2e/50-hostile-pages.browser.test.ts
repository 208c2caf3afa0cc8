import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { inPage } from './browser.ts'
import { openSite } from './harness.ts'
import * as hostile from './hostile-contest.ts'
import { foreignHost, hostileTexts } from './hostile-texts.ts'
import { expectShown, notShown, startPatrol } from './patrol.ts'

// Every text that somebody may write is hostile, and every page is looked at: nothing runs, nobody else is asked, the
// policy has nothing to report, and no page scrolls sideways. The stories beside this one open what is behind a button.

const WIDTHS = [1440, 360]
const inAddress = encodeURIComponent(hostileTexts[0] ?? '')
const first = hostileTexts.slice(0, 1)

/** A page, and where its texts stand. */
type Stop = readonly [path: string, shown?: (page: Page) => Promise<void>]

const VISITOR: readonly Stop[] = [
  ['/', (page) => expectShown(page.getByRole('main'), hostile.sponsorTexts)],
  [`/register?name=${inAddress}`],
  [`/login?token=${inAddress}&next=javascript:alert(1)`],
  [`/recover?email=${inAddress}`],
  [`/verify?token=${inAddress}`],
  [`/integrations/extrank/callback?code=${inAddress}&state=${inAddress}&error=${inAddress}`],
  [`/external-auth/authorize?client_id=${inAddress}&redirect_uri=javascript:alert(1)&state=${inAddress}`],
  [`/challenges?q=${inAddress}&cat=__proto__&sort=constructor&show=toString`],
  [`/challenges/${inAddress}`],
  [`/profile/${inAddress}`],
  [`/${inAddress}`],
]
const TEAM: readonly Stop[] = [
  ['/challenges', (page) => expectShown(page.getByRole('navigation', { name: 'List of challenges' }))],
  ['/scores', (page) => expectShown(page.getByRole('main'), first)],
  ['/scores?view=matrix', (page) => expectShown(page.getByRole('main'), first)],
  [`/scores?q=Crew&division=${inAddress}`],
  ['/profile', (page) => expectShown(page.getByRole('heading', { level: 1 }), [hostile.ownName])],
  ['/settings', (page) => expectShown(page.getByRole('main'), [hostile.ownName])],
]

test.each(WIDTHS)('hostile texts stay texts on every page of players, at %i', async (width) => {
  await using site = await openSite(hostile.hostileConfig())
  const { own, admin } = await hostile.fillHostile(site)
  const client = await hostile.hostileClient(site, admin.token)
  const consent: Stop = [client, (page) => expectShown(page.getByRole('main'), [hostile.clientName])]
  const rounds = [
    { options: { width }, stops: VISITOR },
    { options: { width, team: own }, stops: [...TEAM, consent] },
  ]
  for (const { options, stops } of rounds) {
    const { page, visit, found } = await startPatrol(site, options)
    for (const [path, shown] of stops) {
      await visit(path)
      await shown?.(page)
    }
    expect(found).toEqual([])
  }
})

test('where nothing stands against the texts, a patrol finds what they do', async () => {
  await using site = await openSite()
  const { page, visit, found } = await startPatrol(site, { width: 1440 })
  const bare = ['<h1>Bare</h1>', hostile.hostileName, `<img src="http://${foreignHost}/x">`]
  const body = `<body>${bare.join('')}<p style="width:9999px">wide</p>`
  await page.route('**/bare', (route) => route.fulfill({ contentType: 'text/html', body }))
  // The texts run as soon as they are parsed, before the page is looked at.
  await visit('/bare')
  expect(found).toContain('/bare: it ran')
  expect(found).toContain(`/bare: http://${foreignHost}/x`)
  expect(found).toContainEqual(expect.stringMatching(/px sideways$/))
  expect(await notShown(page.locator('body'), ['wide', hostile.hostileName])).toEqual([hostile.hostileName])
})

test('what the policy refuses is found', async () => {
  await using site = await openSite()
  const { page, visit, look, found } = await startPatrol(site, { width: 1440 })
  await visit('/')
  expect(found).toEqual([])
  const refused = page.waitForEvent('console')
  await inPage(page, `new Image().src = 'http://${foreignHost}/x'`)
  await refused
  await look('home')
  expect(found).toContainEqual(expect.stringContaining('Content Security Policy'))
})
