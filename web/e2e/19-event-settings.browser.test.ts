import { readSettings, updateSettings } from '@pennant/contract/admin-settings.ts'
import { openStream } from '@pennant/contract/stream.ts'
import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { accepted, announced, openSite } from './harness.ts'

const ALL_RIGHTS = 63
/** An image of one pixel. */
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const before = () => ({ ctfName: 'Harbour', startTime: Date.now() + 60 * MINUTE_MS })

test('a setting is customised, shows its default and is reset; other tabs follow', async () => {
  await using site = await openSite(before())
  const { contest } = site
  const admin = await contest.admin(ALL_RIGHTS)
  const page = await openSettings(site, admin)
  const home = await page.context().newPage()
  await home.goto('/')
  await home.getByRole('heading', { level: 1, name: 'Harbour' }).waitFor()

  const event = page.getByRole('region', { name: 'Event', exact: true })
  await event.getByText('default', { exact: true }).waitFor()
  await event.getByLabel('Name').fill('Lagoon')
  await event.getByText('customised').waitFor()
  await event.getByText('Default: Harbour').waitFor()
  const changes = page.getByRole('list', { name: 'Changes' })
  await changes.getByText('Harbour → Lagoon').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await announced(page, 'Saved').waitFor()
  await home.getByRole('heading', { level: 1, name: 'Lagoon' }).waitFor()
  expect(await overridesOf(site, admin.token)).toEqual({ ctfName: 'Lagoon' })

  await event.getByRole('button', { name: 'Use default: Name' }).click()
  expect(await event.getByLabel('Name').inputValue()).toBe('Harbour')
  await page.keyboard.press('Control+s')
  await changes.waitFor({ state: 'detached' })
  await home.getByRole('heading', { level: 1, name: 'Harbour' }).waitFor()
  expect(await overridesOf(site, admin.token)).toEqual({})
  expect(site.complaints).toEqual([])
})

test('the favicon comes from the settings, with a default', async () => {
  await using site = await openSite(before())
  const admin = await site.contest.admin(ALL_RIGHTS)
  const page = await site.visitor()
  const icon = page.locator('link[rel=icon]')
  const open = async (faviconUrl: string | null) => {
    const body = { data: { faviconUrl } }
    const { kind } = await site.contest.call(updateSettings, { token: admin.token, body })
    expect(kind).toBe('goodAdminSettingsUpdate')
    await page.goto('/')
    await page.getByRole('heading', { level: 1 }).first().waitFor()
  }
  await open('/uploads/anchor.png')
  await expect.poll(() => icon.getAttribute('href')).toMatch(/\/uploads\/anchor\.png$/)
  expect(await icon.getAttribute('type')).toBeNull()
  for (const other of ['http://ctf.example/anchor.png', '', null]) {
    await open(other)
    expect(await icon.getAttribute('href')).toMatch(/^data:image/)
  }
  expect(site.complaints).toEqual([])
})

test('the preview of a logo on another site says when it can be shown', async () => {
  await using site = await openSite(before())
  const page = await openSettings(site, await site.contest.admin(ALL_RIGHTS))
  const look = page.getByRole('region', { name: 'Appearance' })
  await look.getByLabel('Logo for the dark theme', { exact: true }).fill('https://logo.example/a.svg')
  await look
    .getByText('Logo: a picture on logo.example. Save it and reload the page to see it.')
    .first()
    .waitFor()
})

test('a logo is uploaded, previewed on both themes, and shown in the header once saved', async () => {
  await using site = await openSite(before())
  const page = await openSettings(site, await site.contest.admin(ALL_RIGHTS))
  const appearance = page.getByRole('region', { name: 'Appearance' })
  const button = appearance.getByRole('button', { name: 'Upload image: Logo for the light theme' })
  const choose = async (name: string, buffer: Buffer) => {
    const chooser = page.waitForEvent('filechooser')
    await button.click()
    await (await chooser).setFiles({ name, mimeType: 'image/png', buffer })
  }
  await choose('poster.png', Buffer.alloc(1_000_001))
  await appearance.getByText('poster.png is larger than 1 MB, and every visitor downloads it.').waitFor()
  await choose('harbour.png', DOT)
  const address = appearance.getByLabel('Logo for the light theme', { exact: true })
  await expect.poll(() => address.inputValue()).toMatch(/\/uploads\/.+harbour\.png$/)
  await expect.poll(() => appearance.getByRole('img', { name: 'Logo' }).count()).toBe(2)
  await page.getByRole('button', { name: 'Save' }).click()
  await announced(page, 'Saved').waitFor()
  await page.goto('/')
  const logo = page.getByRole('banner').getByRole('img', { name: 'Harbour' })
  await expect.poll(() => logo.evaluate((img) => (img as HTMLImageElement).naturalWidth)).toBe(1)
  expect(site.complaints).toEqual([])
})

test('a logo that does not load is replaced by the name of the event', async () => {
  await using site = await openSite(before())
  const admin = await site.contest.admin(ALL_RIGHTS)
  const ctfName = 'Harbour Lights Capture the Flag Championship'
  const body = { data: { ctfName, logoLightUrl: '/uploads/none.png' } }
  accepted(await site.contest.call(updateSettings, { token: admin.token, body }))
  const page = await site.visitor({ viewport: { width: 390, height: 800 } })
  await page.goto('/')
  await page.locator('h1').getByText(ctfName).waitFor()
  await page.getByRole('banner').getByText(ctfName).waitFor()
  expect(await page.getByRole('img', { name: ctfName }).count()).toBe(0)
  expect(site.complaints).toEqual([])
})

test('text typed during a save or an upload is kept', async () => {
  await using site = await openSite(before())
  const admin = await site.contest.admin(ALL_RIGHTS)
  const page = await openSettings(site, admin)
  /** The next write request to that path, once it is in flight. */
  const hold = (path: string) =>
    new Promise<Route>((resolve) => {
      void page.route(`**${path}`, (route) =>
        route.request().method() === 'GET' ? route.continue() : resolve(route),
      )
    })
  const add = page.getByRole('button', { name: 'Add sponsor' })
  const fields = (at: number) => page.getByRole('group', { name: `Sponsor ${at}` })
  await add.click()
  await fields(1).getByLabel('Name').fill('Rope')
  const upload = hold('/api/v2/admin/upload')
  const chooser = page.waitForEvent('filechooser')
  await fields(1).getByRole('button', { name: 'Upload image' }).click()
  await (await chooser).setFiles({ name: 'rope.png', mimeType: 'image/png', buffer: DOT })
  const uploading = await upload
  await add.click()
  await fields(2).getByLabel('Name').fill('Sails')
  await page.getByRole('button', { name: 'Move Rope down' }).click()
  await uploading.continue()
  await expect.poll(() => fields(2).getByLabel('Icon URL').inputValue()).toMatch(/rope\.png$/)
  expect(await fields(1).getByLabel('Name').inputValue()).toBe('Sails')
  expect(await fields(2).getByLabel('Name').inputValue()).toBe('Rope')

  const saving = hold('/api/v2/admin/settings')
  await page.keyboard.press('Control+s')
  const save = await saving
  await fields(1).getByLabel('Name').fill('Sails and masts')
  await save.continue()
  await announced(page, 'Saved').waitFor()
  expect(await fields(1).getByLabel('Name').inputValue()).toBe('Sails and masts')
  await page.getByRole('button', { name: 'Discard' }).waitFor()
  expect(site.complaints).toEqual([])
})

test('moving the start past now requires OPEN, moving the end requires CLOSE', async () => {
  await using site = await openSite(before())
  await site.addChallenge('anchor')
  await site.addChallenge('buoy')
  const page = await openSettings(site, await site.contest.admin(ALL_RIGHTS))
  const waiting = await page.context().newPage()
  await waiting.goto('/')
  await waiting.getByText('Starts in').first().waitFor()

  const times = page.getByRole('region', { name: 'Times' })
  await times.getByLabel('End', { exact: true }).fill(localTime(Date.now() - MINUTE_MS))
  await page.getByRole('button', { name: 'Save' }).click()
  await times.getByText('The end must be after the start.').waitFor()
  // One timestamp for both fields, so that a passing second does not shorten the event.
  const now = Date.now()
  await times.getByLabel('End', { exact: true }).fill(localTime(now + 60 * MINUTE_MS))
  await times.getByLabel('Start', { exact: true }).fill(localTime(now - 10 * MINUTE_MS))
  await times.getByText('Lasts 1 h 10 min.').waitFor()
  await times.getByText('Opens 2 challenges.').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await cross(page, { title: 'Open the event now?', action: 'Open now', word: 'OPEN' })
  await waiting.getByText('Ends in').first().waitFor()

  await times.getByLabel('End', { exact: true }).fill(localTime(Date.now() - MINUTE_MS))
  await page.getByRole('button', { name: 'Save' }).click()
  await cross(page, { title: 'Close the event now?', action: 'Close now', word: 'CLOSE' })
  await waiting
    .getByText(/^Ended/)
    .first()
    .waitFor()
  expect(site.complaints).toEqual([])
})

test.each([
  { path: '/', shown: 'Ends in' },
  { path: '/challenges', shown: 'Anchor' },
])('players who wait at $path see the event open when an organiser starts it', async ({ path, shown }) => {
  await using site = await openSite(before())
  await site.addChallenge('anchor', { name: 'Anchor' })
  // A browser of its own: tabs of one browser tell each other.
  const player = await site.visitor({ team: await site.contest.team('Sailors') })
  const waits = player.waitForRequest((request) => request.url().includes(openStream.path))
  await player.goto(path)
  await player.getByText('Starts in').first().waitFor()
  const page = await openSettings(site, await site.contest.admin(ALL_RIGHTS))
  await waits
  const times = page.getByRole('region', { name: 'Times' })
  await times.getByLabel('Start', { exact: true }).fill(localTime(site.contest.clock.now()))
  await page.getByRole('button', { name: 'Save' }).click()
  const isSaved = page.waitForResponse((response) => response.request().method() === 'PUT')
  await cross(page, { title: 'Open the event now?', action: 'Open now', word: 'OPEN' })
  await isSaved
  const savedAt = Date.now()
  await player.getByText(shown).first().waitFor()
  // Two seconds, and as much for a busy machine. The configuration is read every five minutes.
  expect(Date.now() - savedAt).toBeLessThan(4000)
  expect(site.complaints).toEqual([])
})

test('sponsors are reordered with the keyboard, and errors appear at their fields', async () => {
  await using site = await openSite(before())
  const admin = await site.contest.admin(ALL_RIGHTS)
  const page = await openSettings(site, admin)
  const add = page.getByRole('button', { name: 'Add sponsor' })
  for (const [at, name] of ['Rope', 'Sails', 'Tar'].entries()) {
    await add.click()
    const fields = page.getByRole('group', { name: `Sponsor ${at + 1}` })
    await fields.getByLabel('Name').fill(name)
    await fields.getByLabel('Link').fill('sails.example')
  }
  await page.getByRole('button', { name: 'Move Tar up' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.getByText('Tar is now 1 of 3.').waitFor()
  await page.keyboard.press('Control+s')
  await page.getByText('Enter a URL that starts with http:// or https://.').first().waitFor()
  for (const at of [1, 2, 3]) {
    const link = page.getByRole('group', { name: `Sponsor ${at}` }).getByLabel('Link')
    await link.fill(at === 1 ? 'https://tar.example' : '')
  }
  await page.keyboard.press('Control+s')
  await announced(page, 'Saved').waitFor()
  expect(await overridesOf(site, admin.token)).toEqual({
    sponsors: [
      { name: 'Tar', icon: '', description: '', url: 'https://tar.example' },
      { name: 'Rope', icon: '', description: '' },
      { name: 'Sails', icon: '', description: '' },
    ],
  })

  await page.getByRole('button', { name: 'Remove Rope' }).click()
  await page.getByRole('link', { name: 'Scoreboard' }).first().click()
  const question = page.getByRole('dialog').filter({ hasText: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Stay' }).click()
  expect(new URL(page.url()).pathname).toBe('/admin/settings')
  expect(site.complaints).toEqual([])
})

test('two organisers who change different settings keep both, and the home page is previewed', async () => {
  await using site = await openSite(before())
  const { contest } = site
  const admin = await contest.admin(ALL_RIGHTS)
  const page = await openSettings(site, admin)
  const other = { meta: { imageUrl: '/theirs.png' }, ctfName: 'Theirs' }
  await contest.call(updateSettings, { token: admin.token, body: { data: other } })

  const home = page.getByRole('region', { name: 'Home' })
  const editor = home.getByRole('textbox', { name: 'Home page content' })
  await editor.press('Control+a')
  await page.keyboard.type('Come **aboard**')
  await page.keyboard.press('Escape')
  await home.getByText('Preview').click()
  await home.locator('strong').getByText('aboard').waitFor()
  await page.getByLabel('Description', { exact: true }).last().fill('Ours')
  await page.getByRole('button', { name: 'Save' }).click()
  await announced(page, 'Saved').waitFor()
  expect(await overridesOf(site, admin.token)).toEqual({
    ctfName: 'Theirs',
    homeContent: 'Come **aboard**',
    meta: { description: 'Ours', imageUrl: '/theirs.png' },
  })
  expect(await page.getByLabel('Name', { exact: true }).first().inputValue()).toBe('Theirs')
  expect(site.complaints).toEqual([])
})

type Site = Awaited<ReturnType<typeof openSite>>

async function openSettings(site: Site, team: { readonly id: string; readonly token: string }) {
  const page = await site.visitor({ team, timezoneId: 'UTC' })
  await page.goto('/admin/settings')
  await page.getByRole('heading', { level: 1, name: 'Event settings' }).waitFor()
  await page.getByRole('region', { name: 'Event', exact: true }).waitFor()
  return page
}

async function cross(page: Page, asked: { title: string; action: string; word: string }) {
  const question = page.getByRole('dialog', { name: asked.title })
  const button = question.getByRole('button', { name: asked.action })
  await question.getByRole('textbox').fill(asked.word.toLowerCase())
  expect(await button.getAttribute('aria-disabled')).toBe('true')
  await question.getByRole('textbox').fill(asked.word)
  await button.click()
  await page.getByRole('list', { name: 'Changes' }).waitFor({ state: 'detached' })
}

async function overridesOf({ contest }: Site, token: string) {
  const response = await contest.call(readSettings, { token })
  if (response.kind !== 'goodAdminSettings') throw new Error(response.kind)
  return response.data.overrides
}

/** The value of a datetime field, in UTC. */
function localTime(at: number): string {
  return new Date(at).toISOString().slice(0, 19)
}
