import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { reply, route } from '@pennant/contract/route.ts'
import { bareServer } from '../../../../test/bare-server.ts'
import { startContest } from '../../../../test/harness.ts'
import { exchange } from '../../../../test/raw-exchange.ts'
import { on } from '../../../http/handler.ts'
import { StartError } from '../../../lib/errors.ts'
import { openSite, type SiteOptions } from './plugin.ts'
import { securityHeaders } from './security-headers.ts'

const open: (() => unknown)[] = []

afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

/** Creates a temporary folder with these files, which is deleted after the test. */
function folder(files: Record<string, string>): string {
  const directory = mkdtempSync(join(tmpdir(), 'pennant-site-'))
  open.push(() => rmSync(directory, { recursive: true }))
  mkdirSync(join(directory, 'assets'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  return directory
}

const goodThing = reply(200, 'goodThing', 'A thing.')
const thing = route({
  method: 'GET',
  path: '/api/v2/thing',
  summary: 'A thing.',
  auth: 'public',
  limits: [],
  replies: [goodThing],
})

/** Returns what sends requests to the site. */
async function serve(options: SiteOptions) {
  const app = bareServer({ endpoints: [on(thing, () => goodThing())], files: openSite(options) })
  open.push(() => app.close())
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return async (path: string, init: Parameters<typeof exchange>[1] = {}) => {
    const response = await exchange(url + path, init)
    return { ...response, bytes: Buffer.from(response.body, 'latin1') }
  }
}

const small = { 'index.html': '<!doctype html><title>Index</title>', 'assets/app-1.js': 'export {}' }

describe('the site', () => {
  test('is served with content types, and the index page at the root', async () => {
    const ask = await serve({ directory: folder(small) })
    const index = await ask('/')
    expect([index.status, index.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(index.body).toBe(small['index.html'])
    const script = await ask('/assets/app-1.js?v=1')
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  })

  test('returns the index page for every unknown path, which the site routes itself', async () => {
    const ask = await serve({ directory: folder(small) })
    for (const path of [
      '/challenges',
      '/profile/1',
      '/verify?token=a%2Bb',
      '/apiary',
      '/challenges/web.php',
      '/admin/challenges/web.php',
    ]) {
      const page = await ask(path)
      expect([path, page.status, page.body]).toEqual([path, 200, small['index.html']])
    }
  })

  test('returns 404 for missing files', async () => {
    const ask = await serve({ directory: folder(small) })
    for (const path of [
      '/wp-login.php',
      '/cgi-bin/test.CGI',
      '/favicon.ico',
      '/assets/app-0.js',
      '/assets/none',
      '/.well-known/none',
      '/.git/config',
      '/.env',
      '/..%2f..%2fetc/passwd.txt',
    ])
      expect([path, (await ask(path)).status]).toEqual([path, 404])
  })

  test('reads assets when they are requested, and returns 404 for one that a later build deleted', async () => {
    const directory = folder(small)
    const ask = await serve({ directory })
    rmSync(join(directory, 'assets/app-1.js'))
    rmSync(join(directory, 'index.html'))
    expect((await ask('/assets/app-1.js')).status).toBe(404)
    writeFileSync(join(directory, 'assets/app-1.js'), 'again')
    for (let times = 0; times < 2; times += 1) {
      expect((await ask('/assets/app-1.js')).body).toBe('again')
      rmSync(join(directory, 'assets/app-1.js'), { force: true })
    }
    expect((await ask('/scores')).body).toBe(small['index.html'])
  })

  test('does not handle the paths of the API and of uploads, or other methods', async () => {
    const ask = await serve({ directory: folder(small) })
    expect((await ask('/api/v2/thing')).body).toContain('goodThing')
    for (const path of ['/api', '/api/', '/api/v2/none', '/uploads', '/uploads/none']) {
      expect([path, (await ask(path)).status]).toEqual([path, 404])
    }
    expect((await ask('/challenges', { method: 'POST' })).status).toBe(404)
  })

  test('must be revalidated and returns 304 while unchanged', async () => {
    const ask = await serve({ directory: folder(small) })
    const first = await ask('/scores')
    expect(first.headers['cache-control']).toBe('no-cache')
    const headers = { 'if-none-match': String(first.headers['etag']) }
    const again = await ask('/scores', { headers })
    expect([again.status, again.body, again.headers['etag']]).toEqual([304, '', first.headers['etag']])
    expect(again.headers['content-security-policy']).toBe(first.headers['content-security-policy'])
  })

  test('responds to HEAD with the headers of GET and no body', async () => {
    const ask = await serve({ directory: folder(small) })
    const get = await ask('/')
    const head = await ask('/', { method: 'HEAD' })
    expect([head.status, head.body]).toEqual([200, ''])
    expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' })
  })

  test('is compressed if the caller accepts it, with a separate ETag', async () => {
    const text = `<!doctype html>${'<p>same</p>'.repeat(500)}`
    const ask = await serve({ directory: folder({ ...small, 'index.html': text }) })
    const zipped = await ask('/', { headers: { 'accept-encoding': 'gzip' } })
    expect(zipped.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(zipped.bytes).toString()).toBe(text)
    expect(zipped.headers['etag']).not.toBe((await ask('/')).headers['etag'])
  })

  test('sends files that the build compressed, and does not serve them under their own names', async () => {
    const text = `<!doctype html>${'<p>same</p>'.repeat(500)}`
    const copy = gzipSync(text, { level: 1 })
    const directory = folder({ ...small, 'index.html': text })
    writeFileSync(join(directory, 'index.html.gz'), copy)
    const ask = await serve({ directory })
    const zipped = await ask('/', { headers: { 'accept-encoding': 'gzip' } })
    expect(zipped.bytes.equals(copy)).toBe(true)
    // Not compressed by the build, so compressed on request.
    const other = await ask('/', { headers: { 'accept-encoding': 'br' } })
    expect(brotliDecompressSync(other.bytes).toString()).toBe(text)
    expect((await ask('/index.html.gz')).status).toBe(404)
  })

  test("serves the operator's colours instead of the empty ones", async () => {
    const directory = folder({ ...small, 'theme.css': '' })
    const themeFile = join(folder({ 'own.css': ':root{--pn-accent:red}' }), 'own.css')
    const own = await (await serve({ directory, themeFile }))('/theme.css')
    expect([own.headers['content-type'], own.body]).toEqual([
      'text/css; charset=utf-8',
      ':root{--pn-accent:red}',
    ])
    const none = await (await serve({ directory, themeFile: `${themeFile}.none` }))('/theme.css')
    expect([none.status, none.body]).toEqual([200, ''])
  })

  test("asks for the operator's style sheet only if there is one", async () => {
    const link = '<link rel="stylesheet" href="/theme.css">'
    const page = (head: string) => `<!doctype html><head>${head}</head>${'<p>same</p>'.repeat(500)}`
    const files = { ...small, 'index.html': page(link), 'theme.css': '' }
    const directory = folder(files)
    writeFileSync(join(directory, 'index.html.gz'), gzipSync(files['index.html']))
    const pages = async (themeFile: string) => {
      const ask = await serve({ directory, themeFile })
      const zipped = await ask('/', { headers: { 'accept-encoding': 'gzip' } })
      return [(await ask('/')).body, gunzipSync(zipped.bytes).toString()]
    }
    const themeFile = join(folder({ 'own.css': ':root{--pn-accent:red}' }), 'own.css')
    expect(await pages(themeFile)).toEqual([page(link), page(link)])
    expect(await pages(`${themeFile}.none`)).toEqual([page(''), page('')])
    const edited = await serve({ directory: folder({ ...files, 'theme.css': ':root{}' }) })
    expect((await edited('/')).body).toBe(page(link))
  })

  test('serves the page of a folder with and without a slash', async () => {
    const directory = folder(small)
    mkdirSync(join(directory, 'about'))
    writeFileSync(join(directory, 'about/index.html'), 'about')
    const ask = await serve({ directory })
    for (const path of ['/about', '/about/', '/about?x=1']) {
      expect((await ask(path)).body).toBe('about')
    }
    expect((await ask('/about/more')).body).not.toBe('about')
  })

  test('does not start without an index page or with a missing folder', () => {
    expect(() => openSite({ directory: folder({ 'other.html': '' }) })).toThrow(StartError)
    expect(() => openSite({ directory: '/nowhere/at/all' })).toThrow('cannot be read')
  })

  test('explains how to build it if it has not been built', async () => {
    const page = await (await serve({ directory: null }))('/challenges')
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.body).toContain('npm run build')
  })

  test('does not serve files whose names begin with a dot, or files in such folders', async () => {
    const directory = folder({ ...small, '.env': 'SECRET=1' })
    for (const name of ['.vite', '.well-known']) {
      mkdirSync(join(directory, name))
      writeFileSync(join(directory, name, 'file.txt'), name)
    }
    const ask = await serve({ directory })
    for (const path of ['/.env', '/.vite/file.txt']) {
      expect((await ask(path)).status).toBe(404)
    }
    expect((await ask('/.well-known/file.txt')).body).toBe('.well-known')
  })
})

describe('the security headers', () => {
  test('are on every response of the site', async () => {
    const ask = await serve({ directory: folder(small) })
    for (const path of ['/', '/assets/app-1.js', '/none']) {
      const { headers } = await ask(path)
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; " +
          "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
          "require-trusted-types-for 'script'; trusted-types dompurify pennant-worker",
      )
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['referrer-policy']).toBe('no-referrer')
      expect(headers['x-frame-options']).toBe('DENY')
      expect(headers['cross-origin-opener-policy']).toBe('same-origin')
    }
  })

  test('include configured sources, and omit trusted types with third-party scripts', () => {
    const policy = securityHeaders([
      { 'script-src': ['https://captcha.test'], 'frame-src': ['https://captcha.test'] },
      { 'default-src': ["'self'"], 'script-src': ['https://captcha.test'] },
    ])['content-security-policy']
    expect(policy).toContain("script-src 'self' https://captcha.test;")
    expect(policy).toContain('frame-src https://captcha.test')
    expect(policy).toMatch(/^default-src 'self';/)
    expect(policy).not.toContain('trusted-types')
  })

  test('include configured Trusted Types policies, except with third-party scripts', () => {
    const own = { 'trusted-types': ['house'] }
    expect(securityHeaders([own])['content-security-policy']).toMatch(
      /; require-trusted-types-for 'script'; trusted-types dompurify pennant-worker house$/,
    )
    const foreign = { 'script-src': ['https://analytics.test'] }
    expect(securityHeaders([own, foreign])['content-security-policy']).not.toContain('trusted-types')
  })

  test('refuse a source that would start another directive', () => {
    expect(() => securityHeaders([{ 'img-src': ["x; script-src 'unsafe-inline'"] }])).toThrow('csp.img-src')
  })
})

describe('the site in the complete service', () => {
  test('is served together with the API', async () => {
    await using contest = await startContest()
    const page = await fetch(`${contest.url}/verify?token=1`)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const head = await fetch(`${contest.url}/scores`, { method: 'HEAD' })
    expect([head.status, head.headers.get('etag')]).toEqual([200, page.headers.get('etag')])
    for (const path of ['/api', '/api/v2/none', '/api/v2/challs/', '/api/V2/challs']) {
      const response = await fetch(contest.url + path)
      expect([path, response.status, await response.json()]).toEqual([
        path,
        404,
        expect.objectContaining({ kind: 'badEndpoint' }),
      ])
    }
  })
})

describe('files for programs', () => {
  test('robots.txt keeps search engines away from the API and from accounts', async () => {
    await using contest = await startContest()
    const robots = await fetch(`${contest.url}/robots.txt`)
    expect([robots.status, robots.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    const text = await robots.text()
    expect(text).toMatch(/^User-agent: \*\nDisallow: \/api\n/)
    expect(text).not.toMatch(/challenges|scores/)
    expect((await fetch(`${contest.url}/.well-known/security.txt`)).status).toBe(404)
  })

  test('security.txt names the configured contacts and has not expired', async () => {
    const security = {
      contacts: ['mailto:security@ctf.example', 'https://ctf.example/report'],
      policyUrl: 'https://ctf.example/policy',
    }
    await using contest = await startContest({ config: { security } })
    const text = await (await fetch(`${contest.url}/.well-known/security.txt`)).text()
    const fields = text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(': ', 2))
    expect(fields.map(([name]) => name)).toEqual(['Contact', 'Contact', 'Expires', 'Policy', 'Canonical'])
    expect(fields[0]).toEqual(['Contact', 'mailto:security@ctf.example'])
    const expires = Date.parse(fields[2]?.[1] ?? '')
    expect(expires - contest.clock.now()).toBeGreaterThan(0)
    expect(expires - contest.clock.now()).toBeLessThan(365 * 86_400_000)
  })
})
