import { afterEach, expect, test } from 'vitest'
import { getAnalyticsScript } from '@pennant/contract/analytics.ts'
import { getClientConfigV1, getClientConfigV2 } from '@pennant/contract/client-config.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { startContest, type Contest } from '../../../../test/harness.ts'
import { startHttpService, type RequestResponder } from '../../../../test/http-service.ts'

const ends: AsyncDisposable[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end[Symbol.asyncDispose]()
})

const sendScript: RequestResponder = (_, response) =>
  void response.writeHead(200, { 'content-type': 'text/javascript', 'set-cookie': 'a=b' }).end('count("ü")')

async function start(respond: RequestResponder = sendScript) {
  const vendor = await startHttpService(respond)
  ends.push(vendor)
  const options = { siteTag: 'G-1 &', scriptUrl: `${vendor.url}/gtag/js?v=2` }
  const contest = await startContest({
    config: { analytics: { provider: { name: 'analytics/google', options } } },
  })
  ends.push(contest)
  return { contest, vendor }
}

const ask = ({ url }: Contest, headers: Record<string, string> = {}) =>
  fetch(url + getAnalyticsScript.path, { headers })

test('relays the script unchanged with a cache lifetime of an hour, and forwards no request headers', async () => {
  const { contest, vendor } = await start()
  const response = await ask(contest, {
    authorization: 'Bearer secret',
    cookie: 'x',
    'user-agent': 'visitor',
  })
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/javascript',
    'cache-control': 'public, max-age=3600',
    'x-content-type-options': 'nosniff',
  })
  expect(response.headers.get('set-cookie')).toBeNull()
  expect(await response.text()).toBe('count("ü")')
  expect(vendor.asked[0]?.url).toBe('/gtag/js?v=2&id=G-1+%26')
  expect(JSON.stringify(vendor.asked[0]?.headers)).not.toMatch(/secret|cookie|visitor/)
  const etag = response.headers.get('etag') ?? ''
  expect((await ask(contest, { 'if-none-match': etag })).status).toBe(304)
})

test('one fetch serves all concurrent requests and all others within an hour', async () => {
  const { contest, vendor } = await start()
  const read = () => contest.call(getAnalyticsScript, {})
  const responses = await Promise.all(Array.from({ length: 20 }, read))
  expect(new Set(responses.map(({ data }) => data))).toEqual(new Set(['count("ü")']))
  contest.clock.advance(HOUR_MS - 1)
  await read()
  expect(vendor.asked).toHaveLength(1)
  contest.clock.advance(1)
  await read()
  expect(vendor.asked).toHaveLength(2)
})

test('a vendor failure is a 502 in plain text: it is not cached, and no old copy is sent', async () => {
  let status = 200
  const { contest } = await start((_, response) => void response.writeHead(status).end('script'))
  const read = async () => (await contest.call(getAnalyticsScript, {})).kind
  expect(await read()).toBe('goodAnalyticsScript')
  contest.clock.advance(HOUR_MS)
  status = 404
  expect(await read()).toBe('errorAnalyticsScript')
  const response = await ask(contest)
  expect([response.status, response.headers.get('content-type')]).toEqual([502, 'text/plain; charset=utf-8'])
  expect(response.headers.get('cache-control')).toBe('no-store')
  status = 200
  expect(await read()).toBe('goodAnalyticsScript')
})

test('responds 502 if the vendor is unreachable or sends an endless response', async () => {
  const endless = Buffer.alloc(1024 * 1024, 32)
  const { contest, vendor } = await start(async (_, response, raw) => {
    while (!raw.socket.destroyed) await new Promise((resolve) => response.write(endless, resolve))
  })
  const read = async () => (await contest.call(getAnalyticsScript, {})).kind
  expect(await read()).toBe('errorAnalyticsScript')
  await vendor[Symbol.asyncDispose]()
  expect(await read()).toBe('errorAnalyticsScript')
})

test('without analytics there is no script, and the client configuration has no provider', async () => {
  const contest = await startContest()
  ends.push(contest)
  const response = await ask(contest)
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
    404,
    'text/plain; charset=utf-8',
    'Not Found',
  ])
  expect((await contest.call(getAnalyticsScript, {})).kind).toBe('badAnalyticsScript')
  expect((await contest.call(getClientConfigV2, {})).data).toMatchObject({ analytics: null })
})

test('the deprecated site tag is sent to clients of version 1 even with another provider', async () => {
  const analytics = { provider: { name: 'analytics/cloudflare', options: { token: 't' } } }
  const contest = await startContest({ config: { globalSiteTag: 'G-3', analytics } })
  ends.push(contest)
  expect((await contest.call(getClientConfigV1, {})).data).toMatchObject({ globalSiteTag: 'G-3' })
  expect((await contest.call(getClientConfigV2, {})).data).toMatchObject({
    analytics: { provider: 'analytics/cloudflare' },
  })
})

test('the client configuration names the provider, in its own field in V1, and the page may run its script', async () => {
  const contest = await startContest({ config: { globalSiteTag: 'G-2' } })
  ends.push(contest)
  const [v1, v2] = [await contest.call(getClientConfigV1, {}), await contest.call(getClientConfigV2, {})]
  expect(v1.data).toMatchObject({ globalSiteTag: 'G-2' })
  expect(v2.data).toMatchObject({
    analytics: { provider: 'analytics/google', publicOptions: { siteTag: 'G-2' } },
  })
  const policy = (await fetch(contest.url)).headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/script-src 'self' https:\/\/\*\.googletagmanager\.com;/)
  expect(policy).toContain('https://*.google-analytics.com')
})
