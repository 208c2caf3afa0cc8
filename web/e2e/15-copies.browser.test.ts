import { readFile } from 'node:fs/promises'
import { deleteChallenge, listAdminChallengesV2 } from '@pennant/contract/admin-challenges.ts'
import { expect, test } from 'vitest'
import { accepted, openSite } from './harness.ts'

const ALL_RIGHTS = 63

test('a challenge is exported, deleted by typing its ID, imported with a missing file, and duplicated', async () => {
  await using site = await openSite()
  const files = [{ name: 'a.txt', url: `/uploads/${'0f'.repeat(32)}/a.txt`, size: 3 }]
  await site.addChallenge('anchor', { name: 'Anchor', files, description: 'Heavy.' })
  const admin = await site.contest.admin(ALL_RIGHTS)
  const page = await site.visitor({ team: admin })
  await page.goto('/admin/challenges/anchor')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const saved = await readFile(await (await download).path())
  expect(JSON.parse(saved.toString())).toMatchObject({ id: 'anchor', name: 'Anchor' })

  // Unsaved changes are deleted with the challenge, without a prompt.
  await page.getByRole('textbox', { name: 'Author', exact: true }).fill('ann')
  await page.getByText('1 unsaved change').waitFor()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Delete Anchor?' })
  await question.getByText('Nobody has solved it.').waitFor()
  await question.getByRole('textbox').fill('anchor')
  await question.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('No challenges yet.').waitFor()

  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import challenges' })
  const choose = (name: string, buffer: Buffer) =>
    dialog.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer })
  await choose('anchor.json', saved)
  await dialog.getByText('1 attached file is not on this server yet:').waitFor()
  await choose('b.txt', Buffer.from('abc'))
  await dialog.getByText('b.txt is not one of the missing files.').waitFor()
  await choose('a.txt', Buffer.from('abc'))
  await dialog.getByText('This is a new challenge.').waitFor()
  await dialog.getByRole('row', { name: /Description.*Heavy\./ }).waitFor()
  await dialog.getByRole('button', { name: 'Import' }).click()
  await page.getByRole('heading', { level: 2, name: 'Anchor' }).first().waitFor()

  await page.getByRole('button', { name: 'Duplicate' }).click()
  await page.waitForURL('**/admin/challenges/anchor-2')
  await page.getByRole('heading', { level: 2, name: 'Copy of Anchor' }).first().waitFor()
  const all = await site.contest.call(listAdminChallengesV2, { token: admin.token })
  expect(all.data).toMatchObject([
    { id: 'anchor-2', hidden: true, files: [{ name: 'a.txt', size: 3 }] },
    { id: 'anchor', hidden: false, description: 'Heavy.', files: [{ name: 'a.txt', size: 3 }] },
  ])
  expect(site.complaints).toEqual([])
})

test('an exported challenge is imported although its pictures of other sites cannot be stored', async () => {
  await using site = await openSite()
  const description = '![](http://127.0.0.1/a.png)'
  const buffer = Buffer.from(JSON.stringify({ id: 'anchor', name: 'Anchor', description }))
  const admin = await site.contest.admin(ALL_RIGHTS)
  const page = await site.visitor({ team: admin })
  await page.goto('/admin/challenges')
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import challenges' })
  await dialog.locator('input[type=file]').setInputFiles({ name: 'a.json', mimeType: 'text/plain', buffer })
  const named = dialog.getByRole('region', { name: '1 picture of another site' })
  await named.getByText('127.0.0.1 (1)').waitFor()
  await named.getByRole('checkbox', { name: 'Fetch these pictures and store them here' }).check()
  await dialog.getByRole('button', { name: 'Import' }).click()
  await page.getByText('Readers do not see these pictures: http://127.0.0.1/a.png.').waitFor()
  const all = await site.contest.call(listAdminChallengesV2, { token: admin.token })
  expect(all.data).toMatchObject([{ id: 'anchor', description }])
  expect(site.complaints).toEqual([])
})

test('challenges are reordered with the keyboard, undone, and shown and hidden together', async () => {
  await using site = await openSite()
  for (const id of ['anchor', 'buoy', 'compass']) await site.addChallenge(id, { name: id })
  const admin = await site.contest.admin(ALL_RIGHTS)
  const page = await site.visitor({ team: admin })
  const order = async () => {
    const { data } = await site.contest.call(listAdminChallengesV2, { token: admin.token })
    return (data as { id: string }[]).map(({ id }) => id).join(' ')
  }
  await page.goto('/admin/challenges')
  // Without sort weights, challenges are in descending order of their IDs.
  expect(await order()).toBe('compass buoy anchor')
  const anchor = page.getByRole('link', { name: /^anchor/ })
  await anchor.waitFor()
  // Undone while the list is still reloading after the move.
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/api/v2/admin/challs', async (route) => {
    await released
    await route.continue()
  })
  await anchor.press('Alt+ArrowUp')
  await page.getByText('Moved anchor.').waitFor()
  await expect.poll(order).toBe('compass anchor buoy')
  await page.getByRole('button', { name: 'Undo' }).click()
  release()
  await expect.poll(order).toBe('compass buoy anchor')

  // A second click before the first is saved counts too; at the end the button says why it is disabled.
  const up = page.getByRole('button', { name: 'Move anchor up' })
  await up.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect.poll(order).toBe('anchor compass buoy')
  await expect.poll(() => up.evaluate((button) => button === document.activeElement)).toBe(true)
  await expect.poll(() => up.getAttribute('title')).toBe('Already first.')

  accepted(await site.contest.call(deleteChallenge, { token: admin.token, params: { id: 'compass' } }))
  await page.reload()
  for (const name of ['anchor', 'buoy']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await page.getByRole('button', { name: 'Hide', exact: true }).click()
  const progress = page.getByRole('dialog', { name: 'Hiding challenges' })
  await progress.getByText('2 of 2 done').waitFor()
  await progress.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('link', { name: /^anchor hidden/ }).waitFor()

  // An open editor follows changes made in the list and keeps its own.
  await page.getByRole('link', { name: /^buoy/ }).click()
  await page.getByRole('radio', { name: 'Hidden', checked: true }).waitFor()
  await page.getByRole('textbox', { name: 'Author', exact: true }).fill('ann')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Show to teams now?' })
  await question.getByText('Teams see 2 challenges as soon as you confirm.').waitFor()
  await question.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByRole('dialog', { name: 'Showing challenges' }).getByText('2 of 2 done').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('radio', { name: 'Visible', checked: true }).waitFor()
  expect(await page.getByRole('textbox', { name: 'Author', exact: true }).inputValue()).toBe('ann')
  await page.getByText('1 unsaved change').waitFor()
  expect(site.complaints).toEqual([])
})
