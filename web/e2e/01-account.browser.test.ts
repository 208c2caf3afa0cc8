import { expect, test } from 'vitest'
import { openSite } from './harness.ts'
import { mailed, registerByMail } from './register.ts'

// Scenarios 1 and 2 of docs/reference/site.md#browser-test-scenarios

test('a team registers, saves its token, signs out, and signs in with it in another browser', async () => {
  await using site = await openSite()
  const page = await site.visitor()
  await page.goto('/')
  await page.getByRole('main').getByRole('link', { name: 'Register' }).click()
  await page.getByRole('heading', { level: 1, name: 'Register' }).waitFor()
  await page.getByLabel('Team name').fill('x')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('alert').filter({ hasText: '2 fields need your attention' }).waitFor()
  await page.getByLabel('Team name').fill('Sailors')
  await page.getByLabel('Email address').fill('sailors@ctf.example')
  await page.getByRole('button', { name: 'Register' }).click()
  const heading = page.getByRole('heading', { level: 1, name: 'Save your team token' })
  await heading.waitFor()
  expect(await heading.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.getByRole('button', { name: 'Reveal' }).click()
  const token = await page.getByRole('group', { name: 'Team token' }).locator('code').textContent()
  expect(token).toMatch(/^\S{20,}$/)
  const goOn = page.getByRole('button', { name: 'Continue' })
  expect(await goOn.getAttribute('aria-disabled')).toBe('true')
  await page.getByRole('checkbox', { name: 'I have saved it' }).check()
  await goOn.click()
  await page.waitForURL('**/challenges')
  await page.getByRole('button', { name: 'Team menu for Sailors' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
  // From the header, the first field of the form gets the focus.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toMatch(/INPUT|TEXTAREA/)

  const other = await site.visitor()
  await other.goto('/login?next=%2Fprofile')
  const field = other.getByLabel('Team token', { exact: false }).first()
  await field.fill('not-a-token')
  await field.press('Enter')
  await other.getByText('This link or token is invalid, used or expired.').waitFor()
  expect(await field.inputValue()).toBe('not-a-token')
  await field.fill(`  ${token}\n`)
  await field.press('Enter')
  await other.getByRole('heading', { level: 1, name: 'Sailors' }).waitFor()
  expect(new URL(other.url()).pathname).toBe('/profile')
  expect(site.complaints).toEqual([])
})

test('an email link says what it does and works once', async () => {
  await using site = await openSite(mailed)
  const page = await site.visitor()
  const link = await registerByMail(site, page, { name: 'Rowers', email: 'rowers@ctf.example' })
  for (const visitor of ['a scanner', 'the team']) {
    await page.goto(link)
    await page.getByText('This creates the team Rowers with the email address rowers@ctf.example.').waitFor()
    expect(new URL(page.url()).search, visitor).toBe('')
  }
  await page.getByRole('button', { name: 'Create team' }).click()
  await page.getByRole('heading', { level: 1, name: 'Save your team token' }).waitFor()
  const late = await site.visitor()
  await late.goto(link)
  await late.getByText('This link is invalid, used or expired.').waitFor()
  expect(site.complaints).toEqual([])
})
