import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createAnnouncement } from '@pennant/contract/announcements.ts'
import { temporaryFolder } from '../../server/test/folder.ts'
import type { Member } from '../../server/test/harness.ts'
import { accepted, type Site } from './harness.ts'

// What differs between engines: a short run through the site, in browsers other than Chromium.

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

/** A tab of a person, in any browser. */
export interface Tab {
  open(path: string): Promise<void>
  /** Opens a page and waits for its live stream, where the browser can say when it is open. */
  openLive(path: string): Promise<void>
  /** Waits for an element, by CSS selector. */
  see(selector: string): Promise<void>
  seeText(text: string): Promise<void>
  /** Types a line into an input, with Enter. */
  enter(selector: string, text: string): Promise<void>
  upload(selector: string, path: string): Promise<void>
  close(): Promise<void>
}

export async function announce(site: Site, admin: Member, title: string): Promise<void> {
  const data = { title, audience: { kind: 'all' as const } }
  accepted(await site.contest.call(createAnnouncement, { token: admin.token, body: { data } }))
}

/** Pages of three roles open, a flag is accepted, news arrive, a file is uploaded. One tab at a time. */
export async function tour(site: Site, openTab: (team?: Member) => Promise<Tab>): Promise<void> {
  await site.addChallenge('anchor', { name: 'Anchor', description: '$x^2$ and **bold**', flag: 'flag{a}' })
  const [admin, sailors] = [await site.contest.admin(), await site.contest.team('Sailors')]
  const roles = [
    { pages: PAGES },
    { pages: TEAM_PAGES, team: sailors },
    { pages: ORGANISER_PAGES, team: admin },
  ]
  for (const { pages, team } of roles) {
    const tab = await openTab(team)
    for (const path of pages) {
      await tab.open(path)
      await tab.see('h1')
    }
    await tab.close()
  }

  const player = await openTab(sailors)
  await player.openLive('/challenges/anchor')
  await player.enter('form[data-flag-bar] input', 'flag{a}')
  await player.seeText('Correct.')
  await announce(site, admin, 'Harbour closed')
  await player.seeText('Harbour closed')
  await player.close()

  await using folder = await temporaryFolder()
  const file = join(folder.path, 'chart.txt')
  await writeFile(file, 'depths')
  const organiser = await openTab(admin)
  await organiser.open('/admin/challenges/anchor?tab=files')
  await organiser.see('input[type=file]')
  await organiser.upload('input[type=file]', file)
  await organiser.seeText('chart.txt')
  await organiser.close()
}
