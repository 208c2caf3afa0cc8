import { afterEach, describe, expect, test } from 'vitest'
import { sendJson, startHttpService, type HttpService } from '../../../test/http-service.ts'
import { recordLog } from '../../../test/log.ts'
import { ProviderError, type ProviderContext } from '../provider.ts'
import { moderationProviders } from './all.ts'

// One test suite for every provider. A local server replaces the service; it flags everything that contains
// the word bad.

type Behaviour = 'verdict' | 'failure' | 'busy' | 'nonsense' | 'empty' | 'elsewhere' | 'nothing'

const good = Buffer.from('a decent picture')
const bad = Buffer.from('a bad picture')
const names = moderationProviders.map(({ name }) => name)
const outside = names.filter((name) => name !== 'moderation/memory')

const services: HttpService[] = []
afterEach(async () => {
  for (const service of services.splice(0)) await service[Symbol.asyncDispose]()
})

async function startService(behaviour: Behaviour) {
  const service = await startHttpService(({ body }, response) => {
    if (behaviour === 'nothing') return void response.destroy()
    if (behaviour === 'elsewhere') return void response.writeHead(307, { location: '/other' }).end()
    if (behaviour === 'nonsense') return void response.end('<html>')
    if (behaviour === 'empty') return sendJson(response, 200, { results: [] })
    if (behaviour === 'busy')
      return sendJson(response, 429, { error: { message: 'secret-key is over its limit' } })
    if (behaviour === 'failure') return sendJson(response, 500, { results: [{ flagged: false }] })
    const { input } = JSON.parse(body.toString()) as { input: { image_url: { url: string } }[] }
    const [, data = ''] = input[0]?.image_url.url.split(',') ?? []
    const flagged = Buffer.from(data, 'base64').includes('bad')
    return sendJson(response, 200, { id: 'modr-1', results: [{ flagged, categories: {} }] })
  })
  services.push(service)
  return service
}

async function start(name: string, options: object, fetchInstead: typeof fetch = fetch) {
  const found = moderationProviders.find((candidate) => candidate.name === name)
  if (!found) throw new Error(`no provider ${name}`)
  const context: ProviderContext = { fetch: fetchInstead, log: recordLog().log, now: () => 0, dataDir: '.' }
  return await found.start(found.options.parse(options), context)
}

describe.each(names)('%s', (name) => {
  const optionsFor = async (verdict: 'allow' | 'refuse' | 'none') => {
    if (name === 'moderation/memory') return { verdict }
    const { url } = await startService(verdict === 'none' ? 'failure' : 'verdict')
    return { apiKey: 'secret-key', apiUrl: url }
  }

  test('accepts only a harmless picture', async () => {
    expect(await (await start(name, await optionsFor('allow'))).isAllowed(good)).toBe(true)
    expect(await (await start(name, await optionsFor('refuse'))).isAllowed(bad)).toBe(false)
  })

  test('rejects if there is no verdict', async () => {
    const moderation = await start(name, await optionsFor('none'))
    await expect(moderation.isAllowed(good)).rejects.toThrow(ProviderError)
  })

  test('refuses misspelt options', () => {
    const { options } = moderationProviders.find((candidate) => candidate.name === name)!
    expect(options.safeParse({ apiKey: 'key', verdict: 'allow', modell: 'x' }).success).toBe(false)
  })
})

describe.each(outside)('%s', (name) => {
  test('sends the picture as a data URI with its key', async () => {
    const service = await startService('verdict')
    await (await start(name, { apiKey: 'secret-key', apiUrl: `${service.url}/v1/` })).isAllowed(good)
    const [asked] = service.asked
    expect(asked).toMatchObject({ method: 'POST', url: '/v1/moderations' })
    expect(asked?.headers).toMatchObject({
      authorization: 'Bearer secret-key',
      'content-type': 'application/json',
    })
    expect(JSON.parse(asked?.body.toString() ?? '')).toEqual({
      model: 'omni-moderation-latest',
      input: [{ type: 'image_url', image_url: { url: `data:image/webp;base64,${good.toString('base64')}` } }],
    })
  })

  test('uses the configured model', async () => {
    const service = await startService('verdict')
    await (await start(name, { apiKey: 'k', model: 'other', apiUrl: service.url })).isAllowed(good)
    expect(JSON.parse(service.asked[0]?.body.toString() ?? '')).toMatchObject({ model: 'other' })
  })

  test.each(['failure', 'busy', 'nonsense', 'empty', 'elsewhere', 'nothing'] as const)(
    'treats %s as no verdict, and reveals neither key nor address',
    async (behaviour) => {
      const service = await startService(behaviour)
      const moderation = await start(name, { apiKey: 'secret-key', apiUrl: service.url })
      const failure = await moderation.isAllowed(good).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(ProviderError)
      expect(String((failure as Error).stack)).not.toMatch(/secret-key|127\.0\.0\.1/)
      expect(service.asked).toHaveLength(1)
    },
  )

  test('waits no longer than the timeout', async () => {
    const signals: (AbortSignal | null | undefined)[] = []
    const refuse: typeof fetch = (_url, init) => {
      signals.push(init?.signal)
      return Promise.reject(new Error('refused'))
    }
    const moderation = await start(name, { apiKey: 'secret-key' }, refuse)
    await expect(moderation.isAllowed(good)).rejects.toThrow(ProviderError)
    expect(signals).toEqual([expect.any(AbortSignal)])
  })

  test('uses the public service by default', () => {
    const { options } = moderationProviders.find((candidate) => candidate.name === name)!
    expect(options.parse({ apiKey: 'key' })).toMatchObject({ apiUrl: 'https://api.openai.com/v1' })
    expect(options.safeParse({ apiKey: 'key', apiUrl: 'ftp://files.example' }).success).toBe(false)
    expect(options.safeParse({}).success).toBe(false)
  })
})
