import { expect, test } from 'vitest'
import { openSite } from './harness.ts'
import { mailed, registerByMail } from './register.ts'

// Story 3 of the site specification.

test('recovering says the same of a known and of an unknown address', async () => {
  await using site = await openSite(mailed)
  const page = await site.visitor()
  const link = await registerByMail(site, page, { name: 'Rowers', email: 'rowers@ctf.example' })
  await page.goto(link)
  await page.getByRole('button', { name: 'Create the team' }).click()
  await page.getByRole('heading', { level: 1, name: 'Keep your team token' }).waitFor()

  const told: (string | null)[] = []
  for (const address of ['rowers@ctf.example', 'nobody@ctf.example']) {
    const visitor = await site.visitor()
    await visitor.goto('/recover')
    await visitor.getByLabel('Email address').fill(address)
    await visitor.getByLabel('Email address').press('Enter')
    await visitor.getByRole('main').getByRole('status').filter({ hasText: address }).waitFor()
    told.push((await visitor.getByRole('main').textContent())?.replaceAll(address, 'ADDRESS') ?? null)
  }
  expect(told[0]).toBe(told[1])
  // Only who has a team gets a letter.
  await expect.poll(() => site.contest.mails.length).toBe(2)
  expect(site.complaints).toEqual([])
})

test('after too many tries the button counts down to the next one, and lets none out before', async () => {
  await using site = await openSite(mailed)
  const page = await site.visitor()
  let tries = 0
  await page.route('**/api/v2/auth/recover', async (route) => {
    tries += 1
    const refused = { kind: 'badRateLimit', message: 'Too fast.', data: { timeLeft: 60_000 } }
    await route.fulfill({ status: 429, json: refused })
  })
  await page.goto('/recover')
  const address = page.getByLabel('Email address')
  await address.fill('rowers@ctf.example')
  await address.press('Enter')
  await page.getByRole('alert').filter({ hasText: 'Too often in a short time.' }).waitFor()
  const button = page.getByRole('button', { name: /^Again in \d+ s$/ })
  const first = await button.textContent()
  expect(await button.getAttribute('aria-disabled')).toBe('true')
  await address.press('Enter')
  await expect.poll(() => button.textContent()).not.toBe(first)
  expect(tries).toBe(1)
})
