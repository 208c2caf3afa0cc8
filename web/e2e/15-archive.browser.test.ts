import { readFile } from 'node:fs/promises'
import {
  listAdminChallengesV2,
  putChallengeV2,
  readAdminChallengeV2,
} from '@pennant/contract/admin-challenges.ts'
import { uploadFilesV2 } from '@pennant/contract/uploads.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { zipOf } from '../../server/test/zips.ts'
import { inPage } from './browser.ts'
import { accepted, openSite, type Site } from './harness.ts'
import { violationsOf } from './violations.ts'

const ALL_RIGHTS = 63

async function downloadFrom(page: Page, name: string): Promise<Buffer> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name, exact: true }).click()
  const saved = await download
  expect(saved.suggestedFilename()).toBe('challenges.zip')
  return await readFile(await saved.path())
}

async function openImport(page: Page, buffer: Buffer) {
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Import challenges' })
  const file = { name: 'challenges.zip', mimeType: 'application/zip', buffer }
  await dialog.locator('input[type=file]').setInputFiles(file)
  return dialog
}

async function readOne(site: Site, token: string, id: string) {
  const { data } = accepted(await site.contest.call(readAdminChallengeV2, { token, params: { id } }))
  return data as { name: string; files: { url: string }[] }
}

test('an archive is exported, imported where it came from, and into a fresh contest', async () => {
  await using site = await openSite()
  const admin = await site.contest.admin(ALL_RIGHTS)
  const { token } = admin
  const form = new FormData()
  form.append('files', new File(['the file'], 'shop.zip'))
  const { data: files } = accepted(await site.contest.call(uploadFilesV2, { token, form }))
  await site.addChallenge('shop', { name: 'Shop', files, description: 'Buy the flag.' })
  await site.addChallenge('tides', { name: 'Tides', category: 'crypto' })
  const page = await site.visitor({ team: admin })
  await page.goto('/admin/challenges')
  const archive = await downloadFrom(page, 'Export all challenges')

  // Nothing changed, so there is nothing to import.
  const same = await openImport(page, archive)
  await same.getByText('The challenges on this server are the same as in the archive.').waitFor()
  expect(await same.getByRole('button', { name: /^Import \d/ }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await same.waitFor({ state: 'hidden' })

  // A change since the export is undone by the import; a challenge that is not in the archive stays.
  const data = { name: 'Renamed', tags: ['new'] }
  accepted(await site.contest.call(putChallengeV2, { token, params: { id: 'shop' }, body: { data } }))
  await site.addChallenge('later', { name: 'Later' })
  const dialog = await openImport(page, archive)
  await dialog.getByText('0 new, 1 changed, 1 unchanged.').waitFor()
  await dialog.getByRole('row', { name: /Shop.*web\/shop Changed Name, Tags/ }).waitFor()
  // Someone else edits the challenge before the import is confirmed.
  const author = { author: 'bob' }
  accepted(await site.contest.call(putChallengeV2, { token, params: { id: 'shop' }, body: { data: author } }))
  await dialog.getByRole('button', { name: 'Import 1 challenge' }).click()
  await dialog.getByText('Someone changed these challenges since the plan.').waitFor()
  await dialog.getByRole('row', { name: /Shop.*Changed Name, Author, Tags/ }).waitFor()
  await dialog.getByRole('button', { name: 'Import 1 challenge' }).click()
  await page.getByText('Imported 1 challenge.').waitFor()
  await page.getByRole('link', { name: /^Shop/ }).waitFor()
  expect(await readOne(site, token, 'shop')).toMatchObject({ name: 'Shop', author: '', tags: [] })
  expect(await readOne(site, token, 'later')).toMatchObject({ name: 'Later' })

  // Only the challenges that the list shows, and only the selected one.
  await page.getByRole('searchbox', { name: 'Search' }).fill('crypto')
  const shown = (await downloadFrom(page, 'Export the challenge shown')).toString('latin1')
  expect([shown.includes('crypto/tides/'), shown.includes('web/shop/')]).toEqual([true, false])
  await page.getByRole('searchbox', { name: 'Search' }).fill('')
  await page.getByRole('checkbox', { name: 'Select Shop' }).check()
  const chosen = page.getByRole('group', { name: '1 selected' })
  const download = page.waitForEvent('download')
  await chosen.getByRole('button', { name: 'Export', exact: true }).click()
  const one = (await readFile(await (await download).path())).toString('latin1')
  expect([one.includes('crypto/tides/'), one.includes('web/shop/files/shop.zip')]).toEqual([false, true])

  await using fresh = await openSite()
  const owner = await fresh.contest.admin(ALL_RIGHTS)
  const there = await fresh.visitor({ team: owner })
  await there.goto('/admin/challenges')
  const empty = await openImport(there, archive)
  await empty.getByText('2 new, 0 changed, 0 unchanged.').waitFor()
  await empty.getByRole('button', { name: 'Import 2 challenges' }).click()
  await there.getByRole('link', { name: /^Tides/ }).waitFor()
  const copy = await readOne(fresh, owner.token, 'shop')
  expect(copy).toEqual(await readOne(site, token, 'shop'))
  expect(await (await fetch(fresh.contest.url + copy.files[0]?.url)).text()).toBe('the file')
  expect([...site.complaints, ...fresh.complaints]).toEqual([])
})

test('an archive with problems shows each of them and cannot be imported', async () => {
  await using site = await openSite()
  const admin = await site.contest.admin(ALL_RIGHTS)
  const page = await site.visitor({ team: admin })
  await page.goto('/admin/challenges')
  const dialog = await openImport(
    page,
    zipOf([
      { name: 'web/a/challenge.yaml', content: 'points: { min: 5, max: 1 }\nhiden: true' },
      { name: 'web/b/challenge.yaml', content: 'name: B\nfiles: [b.zip]' },
      { name: 'web/c/challenge.yaml', content: 'name: C' },
      { name: 'web/c/solution.py', content: '' },
    ]),
  )
  await dialog.getByRole('alert').getByText('3 problems').waitFor()
  await dialog.getByRole('row', { name: /web\/a\/challenge\.yaml .*hiden/ }).waitFor()
  await dialog
    .getByRole('row', { name: 'web/b/challenge.yaml files: b.zip: there is no such file' })
    .waitFor()
  await dialog.getByText('1 file is not imported').click()
  await dialog.getByText('web/c/solution.py').waitFor()
  expect(await dialog.getByRole('button', { name: /^Import \d/ }).count()).toBe(0)

  // Only with the keyboard: another file by its button, and back to where the dialog was opened.
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  const other = dialog.getByRole('button', { name: 'Choose another file' })
  await other.focus()
  await page.keyboard.press('Enter')
  await dialog.getByText('An archive of challenges (.zip)').waitFor()
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'broken.zip',
    mimeType: 'application/zip',
    buffer: Buffer.from('not a zip'),
  })
  await dialog.getByRole('row', { name: /^Archive is not a zip archive/ }).waitFor()
  await expect.poll(focused).toContain('is not a zip archive')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Import')
  const all = await site.contest.call(listAdminChallengesV2, { token: admin.token })
  expect(all.data).toEqual([])
  expect(site.complaints).toEqual([])
})

test('pictures of other sites are named, and those that cannot be stored do not stop the import', async () => {
  await using site = await openSite()
  const admin = await site.contest.admin(ALL_RIGHTS)
  const page = await site.visitor({ team: admin })
  await page.goto('/admin/challenges')
  // The server refuses its own network.
  const description = '![](http://127.0.0.1/a.png) ![](http://127.0.0.1/b.png)'
  const dialog = await openImport(
    page,
    zipOf([{ name: 'web/far/challenge.yaml', content: `description: "${description}"\n` }]),
  )
  const named = dialog.getByRole('region', { name: '2 pictures of other sites' })
  await named.getByText('far: 127.0.0.1 (2)').waitFor()
  const choice = named.getByRole('checkbox', { name: 'Fetch these pictures and store them here' })
  expect(await choice.isChecked()).toBe(false)
  await choice.check()
  await dialog.getByRole('button', { name: 'Import 1 challenge' }).click()
  await dialog.getByRole('alert').getByText('The import is done.').waitFor()
  await dialog.getByText('http://127.0.0.1/b.png: This is no address of a site on the internet.').waitFor()
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await readOne(site, admin.token, 'far')).toMatchObject({ description })
  expect(site.complaints).toEqual([])
})

test('an archive is dropped onto the dialog', async () => {
  await using site = await openSite()
  const admin = await site.contest.admin(ALL_RIGHTS)
  const page = await site.visitor({ team: admin })
  await page.goto('/admin/challenges')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const area = page.getByRole('group', { name: 'Archive or challenge file' })
  const bytes = [...zipOf([{ name: 'web/dropped/challenge.yaml', content: 'name: Dropped' }])]
  const dataTransfer = await page.evaluateHandle((content) => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([new Uint8Array(content)], 'challenges.zip'))
    return transfer
  }, bytes)
  await area.dispatchEvent('drop', { dataTransfer })
  await page.getByRole('button', { name: 'Import 1 challenge' }).click()
  await page.getByRole('link', { name: /^Dropped/ }).waitFor()
  expect(site.complaints).toEqual([])
})

test('someone who may only read challenges can export and not import them', async () => {
  await using site = await openSite()
  await site.addChallenge('shop', { name: 'Shop' })
  const reader = await site.contest.admin(1)
  const page = await site.visitor({ team: reader })
  await page.goto('/admin/challenges')
  const archive = await downloadFrom(page, 'Export all challenges')
  expect(archive.toString('latin1')).toContain('web/shop/challenge.yaml')
  expect(await page.getByRole('button', { name: 'Import', exact: true }).count()).toBe(0)
  expect(site.complaints).toEqual([])
})

test.each([
  { locale: 'en', colorScheme: 'dark', viewport: { width: 1440, height: 800 } },
  { locale: 'de', colorScheme: 'light', viewport: { width: 360, height: 800 } },
] as const)('the dialog is accessible in every step: $locale, $colorScheme', async (options) => {
  await using site = await openSite()
  await site.addChallenge('shop', { name: 'Shop' })
  const admin = await site.contest.admin(ALL_RIGHTS)
  const page = await site.visitor({ team: admin, ...options })
  await page.goto('/admin/challenges')
  await page.locator('button[aria-label^="Import"]').click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[type=file]').waitFor({ state: 'attached' })
  expect(await violationsOf(page)).toEqual([])
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'challenges.zip',
    mimeType: 'application/zip',
    buffer: zipOf([
      { name: 'web/shop/challenge.yaml', content: 'name: Shop\nauthor: ann' },
      { name: 'web/new/challenge.yaml', content: 'name: New' },
      { name: 'web/wrong/challenge.yaml', content: 'hiden: true' },
      { name: 'web/new/solution.py', content: '' },
    ]),
  })
  await dialog.getByRole('table').first().waitFor()
  expect(await violationsOf(page)).toEqual([])
  const excess = 'document.documentElement.scrollWidth - innerWidth'
  expect(await inPage(page, excess)).toBeLessThanOrEqual(0)
  expect(site.complaints).toEqual([])
})
