import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { readAdminChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { expect, test } from 'vitest'
import { openSection } from './editor-sections.ts'
import { announced, openSite } from './harness.ts'

// Files and flags.

const ALL_RIGHTS = 63

test('files and flags: a file that contains the flag needs confirmation, and the same content is uploaded once', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor' })
  const admin = await site.contest.admin(ALL_RIGHTS)
  const page = await site.visitor({ team: admin })
  let sent = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/admin/upload')) sent += 1
  })
  await page.goto('/admin/challenges/anchor?tab=files')
  const panel = page.getByRole('group', { name: 'Files', exact: true })
  const drop = async (...files: readonly (readonly [name: string, content: string])[]) =>
    panel
      .locator('input[type=file]')
      .setInputFiles(
        files.map(([name, content]) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })),
      )
  await drop(['a.txt', 'abc'], ['b.bin', '\0\u0001'], ['solve.py', 'print("flag{anchor}")'])
  await panel.getByText('This file contains the flag.').waitFor()
  await expect.poll(() => panel.getByRole('textbox', { name: 'Name' }).count()).toBe(2)
  expect(sent).toBe(2)
  await panel.getByRole('button', { name: 'Upload anyway' }).click()
  await expect.poll(() => panel.getByRole('textbox', { name: 'Name' }).count()).toBe(3)
  // With the keyboard, the focus follows the row, and at the end it stays on the button.
  const up = panel.getByRole('button', { name: 'Move solve.py up' })
  await up.focus()
  for (const place of [2, 1]) {
    await page.keyboard.press('Enter')
    await panel.getByText(`solve.py is now ${place} of 3.`).waitFor()
    expect(await up.evaluate((button) => button === document.activeElement)).toBe(true)
  }
  expect(await up.getAttribute('aria-disabled')).toBe('true')
  await panel.getByRole('button', { name: 'Remove solve.py' }).click()
  // The server already has it.
  await drop(['solve.py', 'print("flag{none}")'], ['a.txt', 'abc'])
  await expect.poll(() => panel.getByRole('textbox', { name: 'Name' }).count()).toBe(3)
  expect(sent).toBe(4)
  await drop(['log.txt', 'a'.repeat(17 * 1024 * 1024)])
  await panel.getByText('Too large to check here. It may contain the flag.').waitFor()
  await panel.getByRole('button', { name: 'Remove log.txt' }).click()

  await openSection(page, /Flags/)
  const flags = page.getByRole('group', { name: 'Flags', exact: true })
  await flags.getByRole('button', { name: 'Add flag', exact: true }).click()
  const second = flags.getByRole('group', { name: 'Flag 2', exact: true })
  await second.getByLabel('Type').selectOption('Pattern')
  await second.getByRole('textbox', { name: /^Pattern( |$|\b)/ }).fill('^flag\\{\\d+\\}$')
  await second.getByLabel('Test a submission').fill('flag{x}')
  await second.getByText('This would be rejected.').waitFor()
  await second.getByLabel('Test a submission').fill('flag{42}')
  await second.getByText('This would be accepted.').waitFor()
  // Catastrophic backtracking does not block the page.
  const pattern = second.getByRole('textbox', { name: /^Pattern( |$|\b)/ })
  await pattern.fill('^(a+)+$')
  await second.getByLabel('Test a submission').fill(`${'a'.repeat(40)}b`)
  await second.getByText('The pattern takes too long').waitFor()
  await second.getByLabel('Test a submission').fill('aaa')
  await second.getByText('This would be accepted.').waitFor()
  await pattern.fill('^flag\\{\\d+\\}$')
  await second.getByText('This would be rejected.').waitFor()
  // The tested submission stays with its flag.
  await flags.getByRole('button', { name: 'Add flag', exact: true }).click()
  const third = flags.getByRole('group', { name: 'Flag 3', exact: true })
  await third.getByLabel('Type').selectOption('Pattern')
  await third.getByLabel('Test a submission').fill('third')
  await flags.getByRole('button', { name: 'Remove flag 1' }).click()
  expect(await second.getByLabel('Test a submission').inputValue()).toBe('third')
  await second.getByLabel('Type').selectOption('Exact text')
  await second.getByRole('textbox', { name: 'Flag' }).fill('flag{anchor}')
  await page.getByRole('button', { name: 'Save' }).click()
  await announced(page, 'Saved').waitFor()
  const params = { id: 'anchor' }
  const stored = await site.contest.call(readAdminChallengeV2, { token: admin.token, params })
  expect(stored.data).toMatchObject({
    flags: [
      { provider: 'flags/regex', config: { pattern: '^flag\\{\\d+\\}$' } },
      { provider: 'flags/static', config: { flag: 'flag{anchor}' } },
    ],
  })

  const player = await site.visitor({ team: await site.contest.team('Sailors') })
  await player.goto('/challenges/anchor')
  const hash = createHash('sha256').update('abc').digest('hex')
  await player.getByText(`sha256 ${hash}`).waitFor()
  const download = player.waitForEvent('download')
  await player.getByRole('link', { name: /a\.txt/ }).click()
  expect(await readFile(await (await download).path(), 'utf8')).toBe('abc')
  await player.getByRole('textbox', { name: 'Flag' }).fill('flag{42}')
  await player.getByRole('button', { name: 'Submit' }).click()
  await player.getByText(/Correct\./).waitFor()
  expect(site.complaints).toEqual([])
})

test('a description is formatted with buttons, and an inserted image is stored and shown', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor' })
  const admin = await site.contest.admin(ALL_RIGHTS)
  const page = await site.visitor({ team: admin, viewport: { width: 1440, height: 900 } })
  await page.goto('/admin/challenges/anchor')
  const preview = page.getByRole('article', { name: 'Preview' })
  const toolbar = page.getByRole('toolbar', { name: 'Formatting for Description' })
  await page.getByRole('textbox', { name: 'Description' }).waitFor()
  await toolbar.getByRole('button', { name: 'Bold' }).click()
  await page.keyboard.type('Look!')
  await preview.locator('strong').filter({ hasText: 'Look!' }).waitFor()
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  await toolbar.locator('input[type=file]').setInputFiles({
    name: 'map.png',
    mimeType: 'image/png',
    buffer: Buffer.from(pixel, 'base64'),
  })
  await expect
    .poll(() =>
      preview
        .getByRole('img', { name: 'map.png' })
        .evaluate((image) => (image as HTMLImageElement).naturalWidth),
    )
    .toBe(1)
  expect(site.complaints).toEqual([])
})

test('leaving a challenge during an upload asks for confirmation', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor' })
  const page = await site.visitor({ team: await site.contest.admin(ALL_RIGHTS) })
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/admin/upload', async (route) => {
    await released
    await route.continue()
  })
  await page.goto('/admin/challenges/anchor?tab=files')
  const panel = page.getByRole('group', { name: 'Files', exact: true })
  const sent = page.waitForRequest('**/admin/upload')
  await panel
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('abc') })
  await sent
  await page.getByRole('link', { name: 'New challenge' }).click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Stay' }).click()
  release()
  await page.getByText('1 unsaved change').waitFor()
  expect(site.complaints).toEqual([])
})
