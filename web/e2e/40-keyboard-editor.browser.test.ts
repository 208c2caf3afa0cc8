import { readAdminChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { sectionLink } from './editor-sections.ts'
import { announced, openSite, type Site } from './harness.ts'
import { withoutMouse, type Keyboard } from './keyboard.ts'

// With the keyboard alone.

const SEVEN_HOURS_MS = 7 * 3_600_000

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('scenario 15: a challenge is created with a file, a flag and an instance, previewed and scheduled', async () => {
  await using site = await openSite({ instancers: { here: { name: 'instancers/memory' } } })
  await site.addChallenge('anchor', { name: 'Anchor' })
  const player = await site.visitor({ team: await site.contest.team('Sailors') })
  await player.goto('/challenges')
  await player
    .getByRole('link', { name: /Anchor/ })
    .first()
    .waitFor()

  const admin = await site.contest.admin()
  const page = await site.visitor({ team: admin, viewport: { width: 1440, height: 900 } })
  const keys = await withoutMouse(page)
  await makeChallenge(page, keys)
  await writeDetails(page, keys)
  await addFile(page, keys)
  await addFlag(page, keys)
  await addInstance(page, keys)
  await keys.press('Control+s')
  await announced(page, 'Saved').waitFor()
  await page.getByRole('link', { name: /Cabin releases/ }).waitFor()
  await expectStored(site, admin.token)

  site.contest.clock.advance(SEVEN_HOURS_MS)
  // Without a reload: the next poll loads it.
  await player.getByRole('link', { name: /Cabin/ }).first().waitFor()
  expect(site.complaints).toEqual([])
})

async function makeChallenge(page: Page, keys: Keyboard): Promise<void> {
  await page.goto('/admin/challenges')
  await page.getByRole('link', { name: 'New challenge' }).waitFor()
  await keys.to(page.getByRole('link', { name: 'New challenge' }))
  await keys.press('Enter')
  // The first field has the focus.
  await page
    .locator('input:focus')
    .and(page.getByRole('textbox', { name: /^Name/ }))
    .waitFor()
  await keys.type('Cabin')
  await keys.to(page.getByLabel('Category'))
  await keys.type('Web')
  await keys.to(page.getByRole('textbox', { name: 'Flag' }))
  await keys.press('Enter')
  await page.getByRole('heading', { level: 2, name: 'Cabin' }).first().waitFor()
}

async function writeDetails(page: Page, keys: Keyboard): Promise<void> {
  await keys.to(page.getByRole('textbox', { name: 'Author', exact: true }))
  await keys.type('ann')
  await page.getByRole('article', { name: 'Preview' }).getByText('by ann').waitFor()
  await keys.to(page.getByRole('radio', { checked: true }))
  await keys.to(page.getByRole('radio', { name: 'Scheduled' }), 'ArrowRight')
  await keys.to(button(page, '6 hours after the start'))
  await keys.press('Enter')
}

/** Moves back to the links to the sections and follows one: the focus is then in that section. */
async function jumpTo(page: Page, keys: Keyboard, name: RegExp): Promise<void> {
  await keys.to(sectionLink(page, name), 'Shift+Tab')
  await keys.press('Enter')
  await page.locator('h3:focus').and(page.getByRole('heading', { name })).waitFor()
}

async function addFile(page: Page, keys: Keyboard): Promise<void> {
  // Playwright intercepts the file dialog asynchronously.
  const chooser = page.waitForEvent('filechooser')
  await jumpTo(page, keys, /Files/)
  const panel = page.getByRole('group', { name: 'Files', exact: true })
  await keys.to(panel.getByRole('button', { name: 'Choose files' }))
  await keys.press('Enter')
  const file = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('abc') }
  await (await chooser).setFiles([file])
  await panel.getByRole('textbox', { name: 'Name' }).waitFor()
}

async function addFlag(page: Page, keys: Keyboard): Promise<void> {
  await jumpTo(page, keys, /Flags/)
  // One flag is ready to type into.
  const flag = page
    .getByRole('group', { name: 'Flag 1', exact: true })
    .getByRole('textbox', { name: 'Flag', exact: true })
  await keys.to(flag)
  await keys.type('flag{cabin}')
}

async function addInstance(page: Page, keys: Keyboard): Promise<void> {
  await jumpTo(page, keys, /Instance/)
  await keys.to(page.getByRole('switch', { name: 'Each team gets its own instance' }))
  await keys.press('Space')
  await keys.to(page.getByLabel('Lifetime in minutes'))
  await keys.press('Control+a')
  await keys.type('45')
  const lives = 'Each team starts its own instance, which runs for 45 min.'
  await page.getByRole('article', { name: 'Preview' }).getByText(lives).waitFor()
  await keys.to(button(page, 'Add port'))
  await keys.press('Enter')
  await keys.to(page.getByRole('textbox', { name: 'Container' }), 'Shift+Tab')
  await keys.type('main')
  const config = page.getByRole('group', { name: 'Configuration' })
  await keys.to(config.getByRole('button', { name: 'Raw JSON' }))
  await keys.press('Enter')
  await keys.to(config.getByRole('textbox'))
  await keys.press('Control+a')
  await keys.type('{"outcome": "refused"}')
  await keys.to(config.getByRole('button', { name: 'Form' }), 'Shift+Tab')
  await keys.press('Enter')
  expect(await config.locator('option:checked').textContent()).toMatch(/refused/)
}

async function expectStored({ contest }: Site, token: string): Promise<void> {
  const stored = await contest.call(readAdminChallengeV2, { token, params: { id: 'web-cabin' } })
  expect(stored.data).toMatchObject({
    author: 'ann',
    hidden: false,
    files: [{ name: 'a.txt' }],
    flags: [{ provider: 'flags/static', config: { flag: 'flag{cabin}' } }],
    instancerConfig: {
      timeoutMilliseconds: 45 * 60_000,
      expose: [{ containerName: 'main' }],
      config: { outcome: 'refused' },
    },
  })
}
