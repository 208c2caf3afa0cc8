import { afterEach, describe, expect, test, vi } from 'vitest'
import { startHttpService, type Answering } from '../../../test/http-service.ts'
import { keepLog } from '../../../test/log.ts'
import { analyticsProviders } from './all.ts'

const ends: AsyncDisposable[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end[Symbol.asyncDispose]()
})

const kinds = [
  { name: 'analytics/google', options: { siteTag: 'a&b' }, query: 'id=a%26b' },
  { name: 'analytics/cloudflare', options: { token: 'a&b' }, query: 'token=a%26b' },
]

test('every provider is held to the promises', () => {
  expect(kinds.map(({ name }) => name)).toEqual(analyticsProviders.map(({ name }) => name))
})

describe.each(kinds)('$name', ({ name, options, query }) => {
  const found = analyticsProviders.find((listed) => listed.name === name)!

  async function start(answer: Answering) {
    const vendor = await startHttpService(answer)
    ends.push(vendor)
    const world = { fetch, log: keepLog().log, now: () => 0, dataDir: '' }
    const scriptUrl = `${vendor.url}/script.js?v=1`
    return { vendor, analytics: await found.start(found.options.parse({ ...options, scriptUrl }), world) }
  }

  test('fetches the script of the site that it is told', async () => {
    const { vendor, analytics } = await start((_, response) => void response.end('count()'))
    expect(String(await analytics.fetchScript())).toBe('count()')
    expect(vendor.asked.map(({ method, url }) => `${method} ${url}`)).toEqual([`GET /script.js?v=1&${query}`])
  })

  test('makes its site known, and nothing else', async () => {
    const { analytics } = await start(() => {})
    expect(analytics.publicOptions).toEqual(options)
  })

  test('names what it loads and where it reports to, encrypted both', async () => {
    const { contentSources } = (await start(() => {})).analytics
    expect(Object.keys(contentSources)).toEqual(['script-src', 'connect-src'])
    for (const source of Object.values(contentSources).flat()) expect(source).toMatch(/^https:\/\/[\w.*-]+$/)
  })

  test.each([403, 500, 204])('takes no script from an answer with status %i', async (status) => {
    const { analytics } = await start((_, response) => void response.writeHead(status).end())
    await expect(analytics.fetchScript()).rejects.toThrow(/script/)
  })

  test('takes no script that has no end', async () => {
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

  test('asks the public service unless told otherwise, and refuses what it does not know', () => {
    expect(found.options.parse(options)).toMatchObject({
      scriptUrl: expect.stringMatching(/^https:\/\/.+\.com\/.+js$/),
    })
    expect(found.options.safeParse({}).success).toBe(false)
    expect(found.options.safeParse({ ...options, scripturl: 'https://x' }).success).toBe(false)
  })
})
