import { readAdminChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openSection, sectionLink } from './editor-sections.ts'
import { announced, openSite } from './harness.ts'

const ALL_RIGHTS = 63
const MAY_READ = 1

async function edit(page: Page, field: string, value: string) {
  await page.getByRole('textbox', { name: field, exact: true }).fill(value)
}

async function save(page: Page) {
  const written = page.waitForResponse((response) => response.request().method() === 'PUT')
  await page.keyboard.press('Control+s')
  await written
}

test('two organisers change one challenge: different fields are merged, a conflict is resolved by hand', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor', author: 'ann' })
  const [ann, ben] = [await site.contest.admin(ALL_RIGHTS), await site.contest.admin(ALL_RIGHTS)]
  const [first, second] = [await site.visitor({ team: ann }), await site.visitor({ team: ben })]
  for (const page of [first, second]) {
    await page.goto('/admin/challenges/anchor')
    await page.getByRole('heading', { level: 2, name: 'Anchor' }).first().waitFor()
  }
  await edit(first, 'Name', 'Heavy anchor')
  await save(first)
  await announced(first, 'Saved').waitFor()

  await edit(second, 'Author', 'ben')
  await save(second)
  await second.getByText('Someone else also changed: Name.').waitFor()
  expect(await second.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Heavy anchor')

  await edit(first, 'Author', 'ann and friends')
  await edit(first, 'Name', 'Anchor of iron')
  await first.getByRole('button', { name: 'Save' }).click()
  const question = first.getByRole('dialog', { name: 'Someone else changed the same fields' })
  const author = question.getByRole('region', { name: 'Author' })
  await author.getByText('ann and friends').first().waitFor()
  await author.getByRole('button', { name: 'Use theirs' }).click()
  expect(await author.getByLabel('Result').inputValue()).toBe('ben')
  await author.getByLabel('Result').fill('ann and ben')
  expect(await question.getByRole('region', { name: 'Name' }).count()).toBe(0)
  await question.getByRole('button', { name: 'Save result' }).click()
  await first.getByText('2 unsaved changes').waitFor({ state: 'detached' })

  const params = { id: 'anchor' }
  const stored = await site.contest.call(readAdminChallengeV2, { token: ann.token, params })
  expect(stored.data).toMatchObject({ name: 'Anchor of iron', author: 'ann and ben' })
  expect(site.complaints).toEqual([])
})

test('leaving unsaved changes asks for confirmation, and the draft is offered after the tab was closed', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor' })
  await site.addChallenge('buoy', { name: 'Buoy' })
  const page = await site.visitor({ team: await site.contest.admin(ALL_RIGHTS) })
  await page.goto('/admin/challenges/anchor')
  await edit(page, 'Author', 'ann')
  await page.getByText('1 unsaved change').waitFor()
  await expect.poll(() => page.title()).toMatch(/^• Edit Anchor/)
  await page.getByRole('link', { name: /^Buoy/ }).click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Stay' }).click()
  await question.waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => localStorage.getItem('pennant.drafts'))).toContain('ann')

  const again = await page.context().newPage()
  await again.goto('/admin/challenges/anchor')
  await again.getByText(/^You have an unsaved draft from/).waitFor()
  expect(await again.getByRole('textbox', { name: 'Author' }).inputValue()).toBe('')
  await again.getByRole('button', { name: 'Restore draft' }).click()
  expect(await again.getByRole('textbox', { name: 'Author' }).inputValue()).toBe('ann')
  expect(site.complaints).toEqual([])
})

test('a refused save is shown in its section, focuses the field, and nothing is lost', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor' })
  const page = await site.visitor({ team: await site.contest.admin(ALL_RIGHTS) })
  await page.goto('/admin/challenges/anchor?tab=scoring')
  await page.getByLabel('Minimum points').fill('600')
  await page.getByRole('button', { name: 'Save' }).click()
  await page
    .getByRole('alert')
    .filter({ hasText: 'Minimum points must not exceed maximum points.' })
    .waitFor()
  await sectionLink(page, /Scoring.*has errors/).waitFor()
  const least = page.getByLabel('Minimum points')
  await expect.poll(() => least.evaluate((field) => field === document.activeElement)).toBe(true)
  expect(await least.inputValue()).toBe('600')
  await page.getByRole('spinbutton', { name: 'Maximum points' }).fill('700')
  await page.getByRole('img', { name: 'Points by solves' }).waitFor()
  await save(page)
  await announced(page, 'Saved').waitFor()
  expect(site.complaints).toEqual([])
})

test('a schedule without a time is not saved, and discarding changes clears the errors', async () => {
  await using site = await openSite()
  const releaseTime = site.contest.clock.now() + 86_400_000
  await site.addChallenge('anchor', { name: 'Anchor', releaseTime })
  const admin = await site.contest.admin(ALL_RIGHTS)
  const page = await site.visitor({ team: admin })
  await page.goto('/admin/challenges/anchor')
  const time = page.getByLabel('Release time')
  await time.fill('')
  await page
    .getByText('Enter a time. Without one, the challenge becomes visible immediately.')
    .first()
    .waitFor()
  await page.keyboard.press('Control+s')
  await page.getByRole('alert').filter({ hasText: 'Enter a time' }).waitFor()
  await sectionLink(page, /Details.*has errors/).waitFor()
  expect(await page.getByRole('radio', { name: 'Scheduled' }).isChecked()).toBe(true)
  await time.fill('2020-01-02T03:04')
  await page.getByText('This time has passed. The challenge becomes visible when you save.').waitFor()
  expect(await page.getByRole('alert').filter({ hasText: 'Enter a time' }).count()).toBe(0)

  await time.fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').filter({ hasText: 'Enter a time' }).waitFor()
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('button', { name: 'Press again to confirm' }).click()
  await page.getByText('1 unsaved change').waitFor({ state: 'detached' })
  expect(await time.inputValue()).not.toBe('')
  expect(await page.getByText('Enter a time').count()).toBe(0)
  const stored = await site.contest.call(readAdminChallengeV2, {
    token: admin.token,
    params: { id: 'anchor' },
  })
  expect(stored.data).toMatchObject({ hidden: false, releaseTime })
  expect(site.complaints).toEqual([])
})

test('invalid JSON is neither saved nor lost, and leaving asks for confirmation', async () => {
  await using site = await openSite()
  const flags = [{ provider: 'flags/regex', config: { pattern: 'flag\\{a+\\}' } }]
  await site.addChallenge('anchor', { name: 'Anchor', flag: undefined, flags })
  await site.addChallenge('buoy', { name: 'Buoy' })
  const page = await site.visitor({ team: await site.contest.admin(ALL_RIGHTS) })
  await page.goto('/admin/challenges/anchor?tab=flags')
  const settings = page.getByRole('group', { name: 'Flag 1 settings' })
  await settings.getByRole('button', { name: 'Raw JSON' }).click()
  await settings.getByRole('textbox').fill('{"pattern": ')
  await sectionLink(page, /Flags.*has errors/).waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').filter({ hasText: 'This is not valid JSON.' }).waitFor()
  // The form cannot show invalid JSON: the button says why, and the text stays.
  const form = settings.getByRole('button', { name: 'Form' })
  expect(await form.getAttribute('title')).toBe('This is not valid JSON.')
  await form.press('Enter')
  expect(await settings.getByRole('textbox').inputValue()).toBe('{"pattern": ')
  await page.getByRole('link', { name: /^Buoy/ }).click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Stay' }).click()
  await question.waitFor({ state: 'detached' })
  await settings.getByRole('textbox').fill('{"pattern": "other"}')
  await sectionLink(page, /Flags.*changed/).waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await announced(page, 'Saved').waitFor()
  expect(site.complaints).toEqual([])
})

test('with read permission only, nothing can be changed, and leaving does not ask', async () => {
  await using site = await openSite()
  const flags = [{ provider: 'flags/regex', config: { pattern: 'flag\\{a+\\}' } }]
  await site.addChallenge('anchor', { name: 'Anchor', flag: undefined, flags })
  const secret = 'a-secret-of-the-backend-of-this-buoy'
  const scoring = { kind: 'dynamic', source: { transport: 'webhook', secret } }
  await site.addChallenge('buoy', { name: 'Buoy', flag: undefined, flags: [], scoring })
  const page = await site.visitor({ team: await site.contest.admin(MAY_READ) })
  await page.goto('/admin/challenges/anchor')
  await page.getByText('You can view challenges but not edit them.').waitFor()
  expect(await page.getByRole('textbox', { name: 'Author', exact: true }).isEditable()).toBe(false)
  expect(await page.getByRole('radio', { name: 'Hidden' }).isDisabled()).toBe(true)
  expect(await page.getByRole('toolbar', { name: 'Formatting for Description' }).count()).toBe(0)
  await openSection(page, /Files/)
  expect(await page.getByRole('button', { name: 'Choose files' }).count()).toBe(0)
  await openSection(page, /Flags/)
  expect(await page.getByRole('button', { name: /^(Add|Remove)/ }).count()).toBe(0)
  // Testing, revealing and copying still work.
  await page.getByRole('textbox', { name: 'Test a submission' }).fill('flag{aaa}')
  await page.getByText('This would be accepted.').waitFor()
  await page.getByRole('link', { name: /^Buoy/ }).click()
  await page.getByRole('heading', { level: 2, name: 'Buoy' }).first().waitFor()
  await page.getByText('This challenge is scored live and needs no flag.').waitFor()
  expect(await page.getByText('Nobody can solve this').count()).toBe(0)
  await openSection(page, /Scoring/)
  await page.getByText('Only organisers who may edit challenges see the secret.').waitFor()
  expect(await page.content()).not.toContain(secret)
  expect(site.complaints).toEqual([])
})
