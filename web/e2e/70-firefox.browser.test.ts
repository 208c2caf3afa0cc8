import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAnnouncement } from '@pennant/contract/announcements.ts'
import { openStream } from '@pennant/contract/stream.ts'
import { launch, type Browser, type Page } from 'puppeteer-core'
import { expect, test } from 'vitest'
import type { Member } from '../../server/test/harness.ts'
import { accepted, openSite, PATIENCE_MS, type Site } from './harness.ts'

// What differs between engines: a short run through the site in Firefox. The other scenarios use Chromium.

const FIREFOX = process.env['FIREFOX'] ?? '/usr/bin/firefox-esr'
/** The preference that refuses cookies and all storage. */
const BLOCK_ALL = { 'network.cookie.cookieBehavior': 2 }

const PAGES = [
  '/',
  '/challenges',
  '/challenges/anchor',
  '/scores',
  '/scores?view=matrix',
  '/announcements',
  '/live',
]
const TEAM_PAGES = [...PAGES, '/profile', '/settings', '/messages']
const ORGANISER_PAGES = [
  '',
  '/challenges',
  '/challenges/anchor',
  '/waves',
  '/teams',
  '/submissions',
  '/instances',
]
  .concat(['/statistics', '/announcements', '/settings', '/actions', '/export'])
  .map((path) => `/admin${path}`)

async function startFirefox(prefs: Readonly<Record<string, unknown>> = {}) {
  const browser = await launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    headless: true,
    extraPrefsFirefox: { 'intl.accept_languages': 'en', ...prefs },
  })
  return { browser, [Symbol.asyncDispose]: () => browser.close() }
}

interface Visit {
  readonly browser: Browser
  readonly site: Site
  readonly team?: Member
  readonly complaints: string[]
}

/** A page of its own context, like another person's. */
async function visitor({ browser, site, team, complaints }: Visit) {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  if (team)
    await page.evaluateOnNewDocument((token) => {
      // The empty page before it has no storage.
      if (location.protocol === 'http:') localStorage.setItem('pennant.token', token)
    }, team.token)
  return { page, open: (path: string) => page.goto(site.contest.url + path) }
}

async function openLive({ page, open }: Awaited<ReturnType<typeof visitor>>, path: string) {
  const stream = page.waitForResponse((response) => response.url().endsWith(openStream.path))
  await open(path)
  await stream
}

const see = (page: Page, selector: string) => page.locator(selector).wait()

test('in Firefox, pages of three roles open, a flag is accepted, a file uploaded, news arrive', async () => {
  await using site = await openSite()
  await using firefox = await startFirefox()
  const { browser } = firefox
  await site.addChallenge('anchor', { name: 'Anchor', description: '$x^2$ and **bold**', flag: 'flag{a}' })
  const [admin, sailors] = [await site.contest.admin(), await site.contest.team('Sailors')]
  const complaints: string[] = []
  const roles = [
    { pages: PAGES },
    { pages: TEAM_PAGES, team: sailors },
    { pages: ORGANISER_PAGES, team: admin },
  ]
  for (const { pages, ...role } of roles) {
    const { page, open } = await visitor({ browser, site, complaints, ...role })
    for (const path of pages) {
      await open(path)
      await see(page, 'h1')
      expect(complaints, path).toEqual([])
    }
    await page.close()
  }

  const player = await visitor({ browser, site, team: sailors, complaints })
  await openLive(player, '/challenges/anchor')
  await player.page.locator('aria/Flag[role="textbox"]').fill('flag{a}')
  await player.page.keyboard.press('Enter')
  await see(player.page, '::-p-text(Solved)')
  const data = { title: 'Harbour closed', audience: { kind: 'all' as const } }
  accepted(await site.contest.call(createAnnouncement, { token: admin.token, body: { data } }))
  await see(player.page, '::-p-text(Harbour closed)')

  const folder = await mkdtemp(join(tmpdir(), 'pennant-firefox-'))
  try {
    await writeFile(join(folder, 'chart.txt'), 'depths')
    const organiser = await visitor({ browser, site, team: admin, complaints })
    await organiser.open('/admin/challenges/anchor?tab=files')
    await see(organiser.page, 'input[type=file]')
    const input = await organiser.page.$('input[type=file]')
    await input?.uploadFile(join(folder, 'chart.txt'))
    await see(organiser.page, '::-p-text(chart.txt)')
  } finally {
    await rm(folder, { recursive: true })
  }
  expect(complaints).toEqual([])
})

test('in Firefox with blocked cookies, the site shows its pages and follows the stream', async () => {
  await using site = await openSite()
  await using firefox = await startFirefox(BLOCK_ALL)
  const complaints: string[] = []
  const reader = await visitor({ browser: firefox.browser, site, complaints })
  await openLive(reader, '/scores')
  await see(reader.page, 'h1')
  const admin = await site.contest.admin()
  const data = { title: 'Harbour closed', audience: { kind: 'all' as const } }
  accepted(await site.contest.call(createAnnouncement, { token: admin.token, body: { data } }))
  await see(reader.page, '::-p-text(Harbour closed)')
  expect(complaints).toEqual([])
})
