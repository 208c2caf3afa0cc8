import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSite, type Site } from './harness.ts'

// The site as a server hands it out, and the policy that it hands out with it (site specification 4.2 and 4.4).

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob: https:; font-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
const TRUSTED = "require-trusted-types-for 'script'; trusted-types dompurify pennant-worker"

const captchaOf = (name: string, options: object) => ({
  captcha: { provider: { name, options }, protectedEndpoints: ['register'] },
})

async function policyOf({ contest }: Site): Promise<string | null> {
  const { headers } = await fetch(contest.url)
  expect([headers.get('referrer-policy'), headers.get('x-content-type-options')]).toEqual([
    'no-referrer',
    'nosniff',
  ])
  return headers.get('content-security-policy')
}

test('the captcha that computes does so in a worker', async () => {
  await using site = await openSite(captchaOf('captcha/proof-of-work', { difficulty: 3000 }))
  expect(await policyOf(site)).toBe(`${POLICY}; ${TRUSTED}`)
  const page = await site.visitor()
  const workers: string[] = []
  page.on('worker', (worker) => workers.push(new URL(worker.url()).pathname))
  await page.goto('/register')
  await page.getByLabel('Team name').fill('Diggers')
  await page.getByLabel('Email address').fill('diggers@ctf.example')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('heading', { level: 1, name: 'Keep your team token' }).waitFor()
  // The browser may tell of a worker more than once.
  expect([...new Set(workers)]).toEqual([expect.stringMatching(/^\/assets\/solve\.worker-/)])
  expect(site.complaints).toEqual([])
})

test('the captcha of a provider adds its sources, and Trusted Types fall away', async () => {
  await using site = await openSite(captchaOf('captcha/turnstile', { siteKey: 'site', secretKey: 'secret' }))
  const policy = await policyOf(site)
  const provider = 'https://challenges.cloudflare.com'
  const open = POLICY.replace("script-src 'self'", `script-src 'self' ${provider}`)
  expect(policy).toBe(`${open}; frame-src ${provider}`)
})

test('files come compressed by the build and are kept for good, the page itself is asked for each time', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'pennant-theme-'))
  try {
    await writeFile(join(dataDir, 'theme.css'), ':root { --pn-bg: #123456; }')
    await using site = await openSite({ dataDir })
    expect(await policyOf(site)).toBe(`${POLICY}; ${TRUSTED}`)
    const { url } = site.contest
    const first = await fetch(`${url}/scores`)
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(await first.text())?.[1] ?? ''
    const asset = await fetch(url + script, { headers: { 'accept-encoding': 'br' } })
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(asset.headers.get('content-encoding')).toBe('br')
    // React's warnings are not in the program for readers, whatever NODE_ENV its build was called with.
    expect(await asset.text()).not.toContain('Consider moving this call to a scheduler task')
    const tag = first.headers.get('etag') ?? ''
    const again = await fetch(`${url}/scores`, { headers: { 'if-none-match': tag } })
    expect([again.status, await again.text()]).toEqual([304, ''])

    const page = await site.visitor()
    await page.goto('/')
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    const colour = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    expect(colour).toBe('rgb(18, 52, 86)')
    expect(site.complaints).toEqual([])
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})
