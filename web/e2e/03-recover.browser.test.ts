import { expect, test } from 'vitest'
import { openSite } from './harness.ts'
import { mailed, registerByMail } from './register.ts'

test('recovery gives the same response for known and unknown addresses', async () => {
  await using site = await openSite(mailed)
  const page = await site.visitor()
  const link = await registerByMail(site, page, { name: 'Rowers', email: 'rowers@ctf.example' })
  await page.goto(link)
  await page.getByRole('button', { name: 'Create team' }).click()
  await page.getByRole('heading', { level: 1, name: 'Save your team token' }).waitFor()

  const texts: (string | null)[] = []
  for (const address of ['rowers@ctf.example', 'nobody@ctf.example']) {
    const visitor = await site.visitor()
    await visitor.goto('/recover')
    await visitor.getByLabel('Email address').fill(address)
    await visitor.getByLabel('Email address').press('Enter')
    await visitor.getByRole('main').getByRole('status').filter({ hasText: address }).waitFor()
    texts.push((await visitor.getByRole('main').textContent())?.replaceAll(address, 'ADDRESS') ?? null)
  }
  expect(texts[0]).toBe(texts[1])
  // Only a registered address receives an email.
  await expect.poll(() => site.contest.mails.length).toBe(2)

  // The token is in the fragment, which no server sees, and is removed from the URL immediately.
  const mail = JSON.stringify(site.contest.mails[1])
  const fragment = /\/verify(#token=[^\s"<\\]+)/.exec(mail)?.[1] ?? ''
  expect(mail).not.toContain('?token=')
  const token = fragment.slice('#token='.length)
  for (const address of [`/verify${fragment}`, `/verify?token=${token}`]) {
    const visitor = await site.visitor()
    const asked: string[] = []
    visitor.on('request', (request) => asked.push(request.url()))
    await visitor.goto(address)
    await visitor.getByRole('main').getByText('Rowers').waitFor()
    expect(await visitor.evaluate(() => location.href)).toMatch(/\/verify$/)
    // Older links send the token once, in the request for the page.
    const leaks = asked.filter((url) => new URL(url).search.includes(token))
    expect(leaks).toHaveLength(address.includes('?') ? 1 : 0)
    await visitor.getByRole('button', { name: 'Sign in' }).click()
    await visitor.waitForURL(({ pathname }) => pathname === '/')
  }
  for (const address of [`/login${fragment}`, `/login?token=${token}&next=%2Fscores`]) {
    const visitor = await site.visitor()
    await visitor.goto(address)
    await expect
      .poll(() => visitor.getByLabel('Team token').first().inputValue())
      .toBe(decodeURIComponent(token))
    expect(await visitor.evaluate(() => location.href)).not.toContain('token')
  }
  expect(site.complaints).toEqual([])
})

test('after too many attempts the button counts down and blocks requests', async () => {
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
  await page.getByRole('alert').filter({ hasText: 'Too many attempts.' }).waitFor()
  const button = page.getByRole('button', { name: /^Try again in \d+ s$/ })
  const first = await button.textContent()
  expect(await button.getAttribute('aria-disabled')).toBe('true')
  await address.press('Enter')
  await expect.poll(() => button.textContent()).not.toBe(first)
  expect(tries).toBe(1)
})
