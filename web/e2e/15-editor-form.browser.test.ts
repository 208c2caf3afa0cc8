import { readAdminChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openSection, sectionLink } from './editor-sections.ts'
import { announced, openSite } from './harness.ts'

// The form of the editor.

const ALL_RIGHTS = 63
/** More Tab presses than the form has stops. */
const MAX_STOPS = 90

test('a visible challenge with a flag needs three clicks, and players can solve it', async () => {
  await using site = await openSite()
  const page = await site.visitor({ team: await site.contest.admin(ALL_RIGHTS) })
  await page.goto('/admin/challenges')
  await page.getByRole('link', { name: 'New challenge' }).first().click()
  await page
    .locator('input:focus')
    .and(page.getByRole('textbox', { name: /^Name/ }))
    .waitFor()
  await page.keyboard.type('Cabin')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Web')
  await page.getByRole('textbox', { name: 'Flag' }).fill('flag{cabin}')
  await page.getByRole('radio', { name: 'Visible' }).click()
  await page.getByRole('button', { name: 'Create challenge' }).click()
  await page.getByRole('heading', { level: 2, name: 'Cabin' }).first().waitFor()

  const player = await site.visitor({ team: await site.contest.team('Sailors') })
  await player.goto('/challenges/web-cabin')
  await player.getByRole('textbox', { name: 'Flag' }).fill('flag{cabin}')
  await player.getByRole('button', { name: 'Submit' }).click()
  await player.getByText(/Correct\./).waitFor()
  expect(site.complaints).toEqual([])
})

test('a challenge without flags has one ready to type into, and Enter saves it', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor', flag: undefined, flags: [] })
  const admin = await site.contest.admin(ALL_RIGHTS)
  const page = await site.visitor({ team: admin })
  await page.goto('/admin/challenges/anchor?tab=flags')
  const entry = page.getByRole('group', { name: 'Flag 1', exact: true })
  expect(await entry.locator('option:checked').textContent()).toBe('Exact text')
  const kinds = await entry.getByLabel('Type').locator('option').allTextContents()
  expect(kinds).toEqual(['Exact text', 'Pattern', 'Per team'])
  const flag = entry.getByRole('textbox', { name: 'Flag' })
  const readiness = page.getByRole('region', { name: 'Before it opens' })
  await readiness.getByText('No flag is set.').waitFor()
  await page.mouse.wheel(0, -10_000)
  await readiness.getByRole('link', { name: 'Flags' }).click()
  await page
    .locator('h3:focus')
    .and(page.getByRole('heading', { name: 'Flags' }))
    .waitFor()
  await flag.pressSequentially('fl')
  await page.getByText('1 unsaved change').waitFor()
  // An emptied field is no flag.
  await flag.fill('')
  await page.getByText('1 unsaved change').waitFor({ state: 'detached' })
  await flag.fill('anchor')
  await readiness.getByText('A flag does not have the format of the event.').waitFor()
  await flag.fill('flag{anchor}')
  await readiness.getByText('A flag does not have the format of the event.').waitFor({ state: 'detached' })
  await flag.press('Enter')
  await announced(page, 'Saved').waitFor()
  const flags = async () => {
    const params = { id: 'anchor' }
    const { data } = await site.contest.call(readAdminChallengeV2, { token: admin.token, params })
    return (data as { flags: unknown }).flags
  }
  expect(await flags()).toEqual([{ provider: 'flags/static', config: { flag: 'flag{anchor}' } }])
  // Emptied, it is removed, and the field stays to type into.
  await flag.fill('')
  await readiness.getByText('No flag is set.').waitFor()
  expect(await flag.evaluate((field) => field === document.activeElement)).toBe(true)
  await flag.press('Enter')
  await page.getByText('1 unsaved change').waitFor({ state: 'detached' })
  expect(await flags()).toEqual([])
  expect(site.complaints).toEqual([])
})

test('the addresses of the former tabs lead to their sections, and the index follows the scrolling', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor' })
  const page = await site.visitor({ team: await site.contest.admin(ALL_RIGHTS) })
  for (const name of ['Files', 'Instance', 'Admin bot', 'Solves', 'Raw']) {
    const id = name === 'Admin bot' ? 'bot' : name.toLowerCase()
    await page.goto(`/admin/challenges/anchor?tab=${id}`)
    await page.locator('h3:focus').and(page.getByRole('heading', { name })).waitFor()
    await expectCurrent(page, name)
    await expect.poll(() => isInView(page, name)).toBe(true)
  }
  await page.mouse.wheel(0, -10_000)
  await expectCurrent(page, 'Details')
  await openSection(page, /Scoring/)
  expect(new URL(page.url()).search).toBe('?tab=scoring')
  await expectCurrent(page, 'Scoring')
  // Again, after scrolling away.
  await page.mouse.wheel(0, -10_000)
  await expectCurrent(page, 'Details')
  await openSection(page, /Scoring/)
  await expect.poll(() => isInView(page, 'Scoring')).toBe(true)
  expect(site.complaints).toEqual([])
})

test('a button stays under the pointer while content above it grows', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor' })
  const page = await site.visitor({ team: await site.contest.admin(ALL_RIGHTS) })
  await page.goto('/admin/challenges/anchor?tab=hints')
  const add = page.getByRole('button', { name: 'Add hint' })
  await add.hover()
  await page.mouse.down()
  await page.evaluate(async () => {
    const section = document.querySelector<HTMLElement>('[data-section="bot"]')
    if (section) section.style.minHeight = `${section.offsetHeight + 90}px`
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
  })
  await page.mouse.up()
  await page.getByRole('form', { name: 'Hint' }).waitFor()
  expect(site.complaints).toEqual([])
})

test.each([360, 1280])(
  'neither the index nor the save bar covers the focused field or the cursor, at %i',
  async (width) => {
    await using site = await openSite()
    await site.addChallenge('anchor', { name: 'Anchor' })
    const team = await site.contest.admin(ALL_RIGHTS)
    const page = await site.visitor({ team, viewport: { width, height: 700 } })
    await page.goto('/admin/challenges/anchor')
    await page.getByRole('textbox', { name: 'Author', exact: true }).fill('ann')
    await page.getByText('1 unsaved change').waitFor()
    const save = page.getByRole('button', { name: 'Save', exact: true })
    const covered: string[] = []
    let stops = 0
    for (; stops < MAX_STOPS; stops += 1) {
      await page.keyboard.press('Tab')
      if ((await page.locator(':focus').and(save).count()) > 0) break
      const problem = await page.evaluate(findCover)
      if (problem) covered.push(problem)
    }
    expect(covered).toEqual([])
    expect(stops).toBeLessThan(MAX_STOPS)
    expect(stops).toBeGreaterThan(20)

    await page.getByRole('textbox', { name: 'Description' }).press('End')
    await page.keyboard.press('Enter')
    // The save bar has its height from here on.
    await page.getByText('2 unsaved changes').waitFor()
    for (let line = 0; line < 30; line += 1) await page.keyboard.press('Enter')
    await expect
      .poll(async () => {
        await page.keyboard.press('Enter')
        return isClear(page)
      })
      .toBe(true)
    expect(site.complaints).toEqual([])
  },
)

async function expectCurrent(page: Page, name: string): Promise<void> {
  await expect
    .poll(() => sectionLink(page, new RegExp(`^${name}`)).getAttribute('aria-current'))
    .toBe('location')
}

/** Whether the heading of a section is on the screen, below the index. */
async function isInView(page: Page, name: string): Promise<boolean> {
  const heading = await page.getByRole('heading', { level: 3, name }).boundingBox()
  const index = await page.getByRole('navigation', { name: 'Challenge sections' }).boundingBox()
  const height = page.viewportSize()?.height ?? 0
  return heading !== null && index !== null && heading.y >= index.y + index.height - 1 && heading.y < height
}

/** Whether the cursor of the description is on the screen, above the save bar. */
async function isClear(page: Page): Promise<boolean> {
  const cursor = await page.locator('.cm-cursor').first().boundingBox()
  const save = await page.getByRole('button', { name: 'Save', exact: true }).boundingBox()
  return cursor !== null && save !== null && cursor.y > 0 && cursor.y + cursor.height < save.y
}

/** Runs in the page: the focused field of the form if something that sticks covers its middle, or null. */
async function findCover(): Promise<string | null> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  const focused = document.activeElement
  if (!focused?.closest('[data-section]')) return null
  const { left, top, width, height } = focused.getBoundingClientRect()
  // Of a field higher than the screen, its start counts.
  const found = document.elementFromPoint(left + width / 2, top + Math.min(height, 40) / 2)
  return found?.closest('[data-section]') ? null : focused.outerHTML.slice(0, 120)
}
