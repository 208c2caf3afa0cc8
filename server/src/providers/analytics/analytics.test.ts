import { afterEach, describe, expect, test, vi } from 'vitest'
import { startHttpService, type RequestResponder } from '../../../test/http-service.ts'
import { recordLog } from '../../../test/log.ts'
import { analyticsProviders } from './all.ts'

const ends: AsyncDisposable[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end[Symbol.asyncDispose]()
})

const kinds = [
  { name: 'analytics/google', options: { siteTag: 'a&b' }, query: 'id=a%26b' },
  { name: 'analytics/cloudflare', options: { token: 'a&b' }, query: 'token=a%26b' },
]

test('the tests cover every provider', () => {
  expect(kinds.map(({ name }) => name)).toEqual(analyticsProviders.map(({ name }) => name))
})

describe.each(kinds)('$name', ({ name, options, query }) => {
  const found = analyticsProviders.find((listed) => listed.name === name)!

  async function start(respond: RequestResponder) {
    const vendor = await startHttpService(respond)
    ends.push(vendor)
    const context = { fetch, log: recordLog().log, now: () => 0, dataDir: '' }
    const scriptUrl = `${vendor.url}/script.js?v=1`
    return { vendor, analytics: await found.start(found.options.parse({ ...options, scriptUrl }), context) }
  }

  test('fetches the script of the configured site', async () => {
    const { vendor, analytics } = await start((_, response) => void response.end('count()'))
    expect(String(await analytics.fetchScript())).toBe('count()')
    expect(vendor.asked.map(({ method, url }) => `${method} ${url}`)).toEqual([`GET /script.js?v=1&${query}`])
  })

  test('publishes only its site', async () => {
    const { analytics } = await start(() => {})
    expect(analytics.publicOptions).toEqual(options)
  })

  test('declares its script and reporting origins, all encrypted', async () => {
    const { contentSources } = (await start(() => {})).analytics
    expect(Object.keys(contentSources)).toEqual(['script-src', 'connect-src'])
    for (const source of Object.values(contentSources).flat()) expect(source).toMatch(/^https:\/\/[\w.*-]+$/)
  })

  test.each([403, 500, 204])('rejects a script from a response with status %i', async (status) => {
    const { analytics } = await start((_, response) => void response.writeHead(status).end())
    await expect(analytics.fetchScript()).rejects.toThrow(/script/)
  })

  test('rejects a script that never ends', async () => {
    const mebibyte = Buffer.alloc(1024 * 1024, 32)
    const { analytics } = await start(async (_, response, raw) => {
      while (!raw.socket.destroyed) await new Promise((resolve) => response.write(mebibyte, resolve))
    })
    await expect(analytics.fetchScript()).rejects.toThrow('larger than')
  })

  test('waits ten seconds at most', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    const { analytics } = await start((_, response) => void response.end('count()'))
    await analytics.fetchScript()
    expect(timeout.mock.calls).toEqual([[10_000]])
    timeout.mockRestore()
  })

  test('uses the public service by default and rejects unknown options', () => {
    expect(found.options.parse(options)).toMatchObject({
      scriptUrl: expect.stringMatching(/^https:\/\/.+\.com\/.+js$/),
    })
    expect(found.options.safeParse({}).success).toBe(false)
    expect(found.options.safeParse({ ...options, scripturl: 'https://x' }).success).toBe(false)
  })
})
