import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { uploadFilesV2 } from '@pennant/contract/uploads.ts'
import { expect, test } from 'vitest'
import { openSite, type Site } from './harness.ts'

// The built site as the server sends it: compression, caching and docs/reference/site.md#security-headers

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
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

test('the proof-of-work captcha runs in a worker', async () => {
  await using site = await openSite(captchaOf('captcha/proof-of-work', { difficulty: 3000 }))
  expect(await policyOf(site)).toBe(`${POLICY}; ${TRUSTED}`)
  const page = await site.visitor()
  const workers: string[] = []
  page.on('worker', (worker) => workers.push(new URL(worker.url()).pathname))
  await page.goto('/register')
  await page.getByLabel('Team name').fill('Diggers')
  await page.getByLabel('Email address').fill('diggers@ctf.example')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('heading', { level: 1, name: 'Save your team token' }).waitFor()
  // The browser may report a worker more than once.
  expect([...new Set(workers)]).toEqual([expect.stringMatching(/^\/assets\/solve\.worker-/)])
  expect(site.complaints).toEqual([])
})

test("a provider's captcha adds its sources to the policy and removes Trusted Types", async () => {
  await using site = await openSite(captchaOf('captcha/turnstile', { siteKey: 'site', secretKey: 'secret' }))
  const policy = await policyOf(site)
  const provider = 'https://challenges.cloudflare.com'
  const open = POLICY.replace("script-src 'self'", `script-src 'self' ${provider}`)
  expect(policy).toBe(`${open}; frame-src ${provider}`)
})

test('files are precompressed and immutable, and the page is revalidated', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'pennant-theme-'))
  try {
    await writeFile(join(dataDir, 'theme.css'), ':root { --pn-bg: #123456; }')
    await using site = await openSite({ dataDir })
    expect(await policyOf(site)).toBe(`${POLICY}; ${TRUSTED}`)
    const { url } = site.contest
    const first = await fetch(`${url}/scores`)
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const script = /src="(\/assets\/site-[^"]+\.js)"/.exec(await first.text())?.[1] ?? ''
    const asset = await fetch(url + script, { headers: { 'accept-encoding': 'br' } })
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(asset.headers.get('content-encoding')).toBe('br')
    // The production build has no React warnings, regardless of NODE_ENV.
    expect(await asset.text()).not.toContain('Consider moving this call to a scheduler task')
    const tag = first.headers.get('etag') ?? ''
    const again = await fetch(`${url}/scores`, { headers: { 'if-none-match': tag } })
    expect([again.status, await again.text()]).toEqual([304, ''])

    const page = await site.visitor()
    await page.goto('/')
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    const colour = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect(colour).toBe('rgb(18, 52, 86)')
    expect(site.complaints).toEqual([])
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})

/** A string, because the test's transform would change an `import` in a function. */
const attempt = (urls: object) => `(async () => {
  const urls = ${JSON.stringify(urls)}
  const load = (url) => import(url).then(() => 'ran', () => 'refused')
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: urls.style })
  const styled = new Promise((resolve) => {
    link.onload = () => resolve('applied')
    link.onerror = () => resolve('refused')
  })
  document.head.append(link)
  return { own: await load(urls.own), script: await load(urls.script), style: await styled }
})()`

test("an uploaded script, style sheet or page does not run on the site's origin", async () => {
  await using site = await openSite()
  const { contest } = site
  const { token } = await contest.admin()
  const form = new FormData()
  form.append('files', new File(['globalThis.ran = true'], 'a.js'))
  form.append('files', new File(['* { color: red }'], 'a.css'))
  form.append('files', new File(['<script>localStorage.ran = 1</script>'], 'a.html'))
  const { data } = await contest.call(uploadFilesV2, { token, form })
  const [script, style, html] = (data as { url: string }[]).map(({ url }) => url)
  const page = await site.visitor()
  await page.goto('/')
  const own = await page.locator('script[src^="/assets/"]').first().getAttribute('src')
  const outcome = await page.evaluate(attempt({ own, script, style }))
  // The site's own module proves that the attempt works.
  expect(outcome).toEqual({ own: 'ran', script: 'refused', style: 'refused' })
  const download = page.waitForEvent('download')
  await page.goto(html ?? '').catch(() => {})
  expect((await download).suggestedFilename()).toBe('a.html')
  expect(await page.evaluate(() => localStorage.getItem('ran'))).toBeNull()
})
