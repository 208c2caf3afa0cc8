import { expect, test } from 'vitest'
import { openSite } from './harness.ts'
import { sendUntilHeld } from './wrong-flags.ts'

// Stories 6 and 7 of the site specification.

const FLAG_LIMIT_WAIT_MS = 60_000

test('a challenge is found by search, and its address shows another browser the same', async () => {
  await using site = await openSite()
  await site.addChallenge('lighthouse', {
    name: 'Lighthouse',
    category: 'crypto',
    description: 'Blinks *slowly*.',
  })
  await site.addChallenge('anchor', { name: 'Anchor' })
  const page = await site.visitor()
  await page.goto('/challenges')
  await page
    .getByRole('link', { name: /Anchor/ })
    .first()
    .waitFor()
  await page.getByRole('searchbox', { name: 'Search' }).fill('slowly crypto')
  const list = page.getByRole('navigation', { name: 'List of challenges' })
  await list.getByRole('link', { name: /Anchor/ }).waitFor({ state: 'detached' })
  await list.getByRole('link', { name: /Lighthouse/ }).click()
  await page.getByRole('heading', { name: 'Lighthouse' }).waitFor()
  await page.getByText('slowly', { exact: true }).waitFor()
  await expect.poll(() => page.title()).toMatch(/^Lighthouse · /)

  const other = await site.visitor()
  await other.goto(page.url())
  await other.getByRole('heading', { name: 'Lighthouse' }).waitFor()
  await other.getByRole('link', { name: 'Sign in to submit' }).waitFor()
  expect(await other.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('slowly crypto')
  expect(await other.getByRole('navigation', { name: 'List of challenges' }).getByRole('link').count()).toBe(
    1,
  )
  expect(site.complaints).toEqual([])
})

test('wrong flags are told, too many are held back, and the right one is solved everywhere', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor' })
  const page = await site.visitor({ team: await site.contest.team('Sailors') })
  await page.goto('/challenges/anchor')
  const box = page.getByRole('textbox', { name: 'Flag' })
  const said = page.getByRole('status').filter({ hasText: /./ })
  const send = async (flag: string) => {
    await box.fill(flag)
    await box.press('Enter')
  }
  await send('flag{0}')
  await said.filter({ hasText: 'Wrong flag' }).waitFor()
  expect(await box.inputValue()).toBe('flag{0}')
  await page.getByRole('img', { name: '4 tries left' }).waitFor()
  await box.press('Enter')
  await said.filter({ hasText: 'You tried this already' }).waitFor()
  const held = await sendUntilHeld(page, send)
  site.contest.clock.advance(FLAG_LIMIT_WAIT_MS)
  expect(await box.inputValue()).toMatch(/^flag\{\d+\}$/)
  await held.waitFor({ state: 'detached' })
  await said.filter({ hasText: 'You may try again.' }).waitFor()
  await send(' flag{anchor} ')
  await said.filter({ hasText: 'Correct.' }).filter({ hasText: 'First blood' }).waitFor()
  const row = page
    .getByRole('navigation', { name: 'List of challenges' })
    .getByRole('link', { name: /Anchor/ })
  await row.getByRole('img', { name: 'Solved', exact: true }).waitFor()
  await page.getByRole('tab', { name: 'Solves' }).click()
  await page.getByRole('cell', { name: /Sailors/ }).waitFor()
  await page.reload()
  await said.filter({ hasText: 'Your team has solved this.' }).waitFor()
  expect(site.complaints).toEqual([])
})
