import { afterAll, beforeAll, expect, test } from 'vitest'
import { startHttpService, type HttpService } from '../../server/test/http-service.ts'
import { startPages } from './pages.ts'
import { codeOf, startStage, visit, type Stage } from './stage.ts'

let stage: Stage
let pages: HttpService
/** An internal service of the operators, at an address that no visit may reach. */
let inside: HttpService

beforeAll(async () => {
  pages = await startPages()
  inside = await startHttpService((_, response) => void response.end('internal'))
  stage = await startStage({ env: { ALLOW_PRIVATE: new URL(pages.url).host } })
  const seen = `result?.status() + ' ' + (await page.content()).slice(0, 2_000)`
  const body = `const page = await browserContext.newPage()
    const result = await page.goto(input.url, { timeout: 5_000 })
    await page.waitForTimeout(500)
    output.info('seen', ${seen})`
  const inputs = `inputs: { url: { pattern: '.' } },`
  await stage.addChallenge('look', codeOf(body, inputs))
  // One visit for many addresses, because starting a browser takes longer than all the rest.
  const tour = `for (const [at, url] of JSON.parse(input.urls).entries()) {
      const page = await browserContext.newPage()
      try {
        const result = await page.goto(url, { timeout: 5_000 })
        output.info('visit ' + at, 'seen: ' + ${seen})
      } catch (error) {
        output.error('visit ' + at, error.message.split('\\n')[0])
      }
      await page.close()
    }`
  await stage.addChallenge('tour', codeOf(tour, `inputs: { urls: { pattern: '.' } },`))
  const rules = `restrictDomains: {
      host: { allowRegex: [/^127\\.0\\.0\\.1$/] },
      url: { disallowRegex: ['.*'] },
    },`
  await stage.addChallenge('walled', codeOf(body, `${inputs} ${rules}`))
  const deny = `restrictDomains: { url: { allowRegex: ['/plain$'], disallowRegex: [/^http:/] } },`
  await stage.addChallenge('by url', codeOf(body, `${inputs} ${deny}`))
})

afterAll(async () => {
  await stage[Symbol.asyncDispose]()
  await inside[Symbol.asyncDispose]()
  await pages[Symbol.asyncDispose]()
})

async function readPage(url: string, id = 'look'): Promise<string> {
  const { lines } = await visit(stage, id, { inputs: { url } })
  return lines.map(({ prefix, line }) => `${prefix}: ${line}`).join('\n')
}

/** What one visit that opens all these addresses reports of each. */
async function visitAll(urls: readonly string[]): Promise<Map<string, string>> {
  const { status, lines } = await visit(stage, 'tour', { inputs: { urls: JSON.stringify(urls) } })
  expect(status).toBe('completed')
  const textOf = (at: number) => lines.find(({ prefix }) => prefix === `visit ${at}`)?.line ?? 'nothing'
  return new Map(urls.map((url, at) => [url, textOf(at)]))
}

const REFUSED = 'The admin bot may not visit this address.'

test('allowed pages are visible', async () => {
  expect(await readPage(`${pages.url}/plain`)).toMatch(/^seen: 200 .*hello/s)
})

const OTHER_SCHEMES = [
  'file:///etc/passwd',
  'FILE:///etc/passwd',
  ' file:///etc/passwd',
  'view-source:file:///etc/passwd',
  'chrome://version/',
  'devtools://devtools/bundled/inspector.html',
  'ftp://127.0.0.1/',
  'javascript:alert(1)',
]
const SCHEME_REFUSED = 'The admin bot only visits http and https URLs.'

test('refuses every scheme other than http and https', async () => {
  const expected = OTHER_SCHEMES.map((url) => [url, SCHEME_REFUSED])
  expect([...(await visitAll(OTHER_SCHEMES))]).toEqual(expected)
})

test('fails a visit whose handler does not catch the refusal', async () => {
  expect(await readPage('file:///etc/passwd')).toBe(`admin-bot: ${SCHEME_REFUSED}`)
})

test('redirects and pages cannot open files or browser pages', async () => {
  const redirects = ['file:///etc/passwd', 'chrome://version/'].map(
    (to) => `${pages.url}/redirect?to=${encodeURIComponent(to)}`,
  )
  const led = await visitAll(redirects)
  for (const url of redirects) expect(led.get(url), url).toMatch(/^(?:page|frame)\.goto: net::ERR_/)
  const framed = await readPage(`${pages.url}/frames`)
  expect(framed).toMatch(/^seen: 200 /)
  expect(framed).not.toContain('root:')
  expect(pages.asked.map(({ url }) => url)).toContain('/asked?by=image')
})

test('refuses internal addresses in every notation', async () => {
  const { port } = new URL(inside.url)
  const urls = [
    inside.url,
    `http://localhost:${port}/`,
    `http://2130706433:${port}/`,
    `http://[::ffff:127.0.0.1]:${port}/`,
    `http://0.0.0.0:${port}/`,
    `http://x.localhost:${port}/`,
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://[::1]/',
    `${pages.url}/redirect?to=${encodeURIComponent(inside.url)}`,
  ]
  const tunnelled = `https://127.0.0.1:${port}/`
  const seen = await visitAll([...urls, tunnelled])
  for (const url of urls) {
    // A name that does not resolve here is unreachable, which is just as good.
    expect(seen.get(url), url).toMatch(/^seen: (?:403 .*may not visit|502 .*cannot reach)/s)
  }
  expect(seen.get(tunnelled)).toContain('ERR_TUNNEL_CONNECTION_FAILED')
  expect(inside.asked).toEqual([])
})

test('scripts, sockets, workers and frames of a page are subject to the same rules', async () => {
  const { host } = new URL(inside.url)
  const script = `<script>
    const to = '${host}'
    new WebSocket('ws://' + to + '/socket')
    fetch('http://' + to + '/fetch', { mode: 'no-cors' }).catch(() => {})
    navigator.sendBeacon('http://' + to + '/beacon')
    new EventSource('http://' + to + '/events')
    document.write('<iframe src="http://' + to + '/frame"></iframe><link rel=preconnect href="http://' + to + '">')
    window.open('http://' + to + '/popup')
    const code = 'fetch("http://' + to + '/worker", { mode: "no-cors" })'
    new Worker(URL.createObjectURL(new Blob([code])))
    new SharedWorker(URL.createObjectURL(new Blob([code])))
    const peer = new RTCPeerConnection({ iceServers: [{ urls: 'turn:' + to + '?transport=tcp', username: 'a', credential: 'b' }] })
    peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer))
  </script>`
  const page = await startHttpService(
    (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(script),
  )
  await using _page = page
  await using own = await startStage({ env: { ALLOW_PRIVATE: new URL(page.url).host } })
  const code = codeOf(`const tab = await browserContext.newPage()
    await tab.goto('${page.url}/')
    await tab.waitForTimeout(1_500)
    output.info('done', 'yes')`)
  await own.addChallenge('probe', code)
  const { status, lines } = await visit(own, 'probe')
  expect(status).toBe('completed')
  expect(inside.asked).toEqual([])
  expect(lines.map(({ line }) => line)).toContain(`The admin bot may not visit http://${host}.`)
})

test('an author can restrict where a visit may go', async () => {
  expect(await readPage(`${pages.url}/plain`, 'walled')).toMatch(/^seen: 200 .*hello/ms)
  expect(await readPage('http://example.com/', 'walled')).toContain(REFUSED)
  // The browser also requests an icon, which the rules refuse.
  expect(await readPage(`${pages.url}/plain`, 'by url')).toMatch(/^seen: 200 .*hello/ms)
  expect(await readPage(`${pages.url}/talk`, 'by url')).toContain(REFUSED)
})
