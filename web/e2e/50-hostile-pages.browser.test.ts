import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { inPage } from './browser.ts'
import { openSite } from './harness.ts'
import * as hostile from './hostile-contest.ts'
import { foreignHost, hostileTexts } from './hostile-texts.ts'
import { expectShown, notShown, startPatrol } from './patrol.ts'

// Every user-supplied text is hostile. No page may run it, request a foreign host, report a policy violation or
// scroll sideways. The other hostile scenarios open what is behind buttons.

const WIDTHS = [1440, 360]
const inAddress = encodeURIComponent(hostileTexts[0] ?? '')
const first = hostileTexts.slice(0, 1)

/** A page and the elements that show its texts. */
type Stop = readonly [path: string, shown?: (page: Page) => Promise<void>]

const VISITOR: readonly Stop[] = [
  ['/', (page) => expectShown(page.getByRole('main'), hostile.sponsorTexts)],
  [`/register?name=${inAddress}`],
  [`/login?token=${inAddress}&next=javascript:alert(1)`],
  [`/recover?email=${inAddress}`],
  [`/verify?token=${inAddress}`],
  [`/verify#token=${inAddress}`],
  [`/login#token=${inAddress}`],
  [`/integrations/extrank/callback?code=${inAddress}&state=${inAddress}&error=${inAddress}`],
  [`/external-auth/authorize?client_id=${inAddress}&redirect_uri=javascript:alert(1)&state=${inAddress}`],
  [`/challenges?q=${inAddress}&cat=__proto__&sort=constructor&show=toString`],
  [`/challenges/${inAddress}`],
  [`/profile/${inAddress}`],
  [`/${inAddress}`],
]
const TEAM: readonly Stop[] = [
  ['/challenges', (page) => expectShown(page.getByRole('navigation', { name: 'Challenge list' }))],
  ['/scores', (page) => expectShown(page.getByRole('main'), first)],
  ['/scores?view=matrix', (page) => expectShown(page.getByRole('main'), first)],
  [`/scores?q=Crew&division=${inAddress}`],
  ['/profile', (page) => expectShown(page.getByRole('heading', { level: 1 }), [hostile.ownName])],
  ['/settings', (page) => expectShown(page.getByRole('main'), [hostile.ownName])],
]

test.each(WIDTHS)('hostile texts stay text on every player page, at %i', async (width) => {
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

test('without sanitizing, the checks detect the effects of the texts', async () => {
  await using site = await openSite()
  const { page, visit, found } = await startPatrol(site, { width: 1440 })
  const bare = ['<h1>Bare</h1>', hostile.hostileName, `<img src="http://${foreignHost}/x">`]
  const body = `<body>${bare.join('')}<p style="width:9999px">wide</p>`
  await page.route('**/bare', (route) => route.fulfill({ contentType: 'text/html', body }))
  // The texts run when parsed, before the page is checked.
  await visit('/bare')
  expect(found).toContain('/bare: it ran')
  expect(found).toContain(`/bare: http://${foreignHost}/x`)
  expect(found).toContainEqual(expect.stringMatching(/px sideways$/))
  expect(await notShown(page.locator('body'), ['wide', hostile.hostileName])).toEqual([hostile.hostileName])
})

test('policy violations are detected', async () => {
  await using site = await openSite()
  const { page, visit, check, found } = await startPatrol(site, { width: 1440 })
  await visit('/')
  expect(found).toEqual([])
  const refused = page.waitForEvent('console')
  await inPage(page, `new Image().src = 'http://${foreignHost}/x'`)
  await refused
  await check('home')
  expect(found).toContainEqual(expect.stringContaining('Content Security Policy'))
})
