import { submitFlag } from '@pennant/contract/submissions.ts'
import { expect, test } from 'vitest'
import { openSite } from './harness.ts'
import { sendUntilRateLimited } from './rate-limited-flags.ts'

const FLAG_LIMIT_WAIT_MS = 60_000

test('a challenge is found by search, and its URL shows the same in another browser', async () => {
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
  const list = page.getByRole('navigation', { name: 'Challenge list' })
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
  expect(await other.getByRole('navigation', { name: 'Challenge list' }).getByRole('link').count()).toBe(1)
  expect(site.complaints).toEqual([])
})

test('wrong flags are reported, too many are rate-limited, and a correct one shows as solved everywhere', async () => {
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
  await said.filter({ hasText: 'You already tried this' }).waitFor()
  const held = await sendUntilRateLimited(page, send)
  site.contest.clock.advance(FLAG_LIMIT_WAIT_MS)
  expect(await box.inputValue()).toMatch(/^flag\{\d+\}$/)
  await held.waitFor({ state: 'detached' })
  await said.filter({ hasText: 'You can try again.' }).waitFor()
  await send(' flag{anchor} ')
  await said.filter({ hasText: 'Correct.' }).filter({ hasText: 'First blood' }).waitFor()
  const row = page.getByRole('navigation', { name: 'Challenge list' }).getByRole('link', { name: /Anchor/ })
  await row.getByRole('img', { name: 'Solved', exact: true }).waitFor()
  await page.getByRole('tab', { name: 'Solves' }).click()
  await page.getByRole('cell', { name: /Sailors/ }).waitFor()
  await page.reload()
  await said.filter({ hasText: 'Your team has already solved this.' }).waitFor()
  expect(site.complaints).toEqual([])
})

test('a solve shows its place, the points that the header counts, and the next challenge', async () => {
  await using site = await openSite()
  await site.addChallenge('anchor', { name: 'Anchor', category: 'pwn' })
  await site.addChallenge('winch', { name: 'Winch', category: 'pwn' })
  for (const name of ['Ants', 'Bees', 'Crabs']) {
    const { token } = await site.contest.team(name)
    const response = await site.contest.call(submitFlag, {
      token,
      params: { id: 'anchor' },
      body: { flag: 'flag{anchor}' },
    })
    expect(response.kind).toBe('goodFlag')
  }
  const page = await site.visitor({ team: await site.contest.team('Sailors') })
  await page.goto('/challenges/anchor')
  const box = page.getByRole('textbox', { name: 'Flag' })
  await box.fill('flag{anchor}')
  await box.press('Enter')
  const panel = page.getByRole('status').filter({ hasText: 'Correct.' })
  await panel.filter({ hasText: '4th team to solve this' }).waitFor()
  expect(await panel.evaluate((status) => status === document.activeElement)).toBe(true)
  const points = /\+([\d,]+)/.exec(await panel.innerText())?.[1] ?? 'none'
  await page.getByRole('banner').getByText(`${points} points`).waitFor()
  await page.getByRole('link', { name: /Next.*Winch/ }).click()
  await page.getByRole('heading', { name: 'Winch', level: 1 }).waitFor()
  expect(site.complaints).toEqual([])
})
