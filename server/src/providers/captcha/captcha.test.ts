import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { recordLog } from '../../../test/log.ts'
import { solveCaptcha } from '../../../test/solve-captcha.ts'
import { createDatabaseMarkers } from '../../kv/database-markers.ts'
import { captchaProviders } from './all.ts'
import type { Captcha, CaptchaContext } from './captcha.ts'

// One test suite for every provider. A local server replaces the external services; it knows one valid code
// and the secret, as they do.

interface ReceivedRequest {
  readonly fields: Record<string, string>
  readonly type: string | undefined
}

let url = ''
let asked: ReceivedRequest[] = []
let behaviour: 'verdict' | 'failure' | 'nonsense' | 'elsewhere' | 'nothing' = 'verdict'

const service = createServer(async (request, response) => {
  const fields = fieldsOf(request, await text(request))
  asked.push({ fields, type: request.headers['content-type'] })
  if (behaviour === 'nothing') return request.socket.destroy()
  if (behaviour === 'elsewhere') return response.writeHead(307, { location: `${url}/other` }).end()
  if (behaviour === 'nonsense') return response.end('<html>')
  response.statusCode = behaviour === 'failure' ? 500 : 200
  const success = fields['secret'] === 'secret' && fields['response'] === 'good'
  return response.end(JSON.stringify({ success, 'error-codes': success ? [] : ['invalid-input-response'] }))
})

function fieldsOf({ headers }: IncomingMessage, body: string): Record<string, string> {
  return headers['content-type'] === 'application/json'
    ? (JSON.parse(body) as Record<string, string>)
    : Object.fromEntries(new URLSearchParams(body))
}

let database: TestDatabase

beforeAll(async () => {
  database = await openTestDatabase()
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
})
beforeEach(() => {
  asked = []
  behaviour = 'verdict'
})
afterAll(async () => {
  service.close()
  await database[Symbol.asyncDispose]()
})

function openContext(fetchInstead: typeof fetch = fetch) {
  const { log, lines } = recordLog()
  const markers = createDatabaseMarkers(database.db, () => 0)
  const context: CaptchaContext = {
    fetch: fetchInstead,
    log,
    now: () => 0,
    dataDir: '.',
    markers,
    signingKey: Buffer.alloc(32, 'key'),
  }
  return { context, lines }
}

/** The required options of each provider, besides the service's address. */
const OPTIONS: Readonly<Record<string, object>> = {
  'captcha/static': { siteKey: 'site', code: 'good' },
  'captcha/proof-of-work': { difficulty: 50 },
}
const isLocal = (name: string) => name in OPTIONS

/** A valid code, as a visitor would have it. */
const goodCode = (captcha: Captcha) => (captcha.issue ? solveCaptcha(captcha.issue()) : 'good')

async function start(name: string, options: object = {}) {
  const found = captchaProviders.find((candidate) => candidate.name === name)
  if (!found) throw new Error(`no provider ${name}`)
  const own = OPTIONS[name] ?? { siteKey: 'site', secretKey: 'secret', verifyUrl: url }
  const { context, lines } = openContext()
  const captcha = await found.start(found.options.parse({ ...own, ...options }), context)
  return { captcha, lines }
}

describe.each(captchaProviders.map(({ name }) => name))('%s', (name) => {
  test('accepts only a valid code', async () => {
    const { captcha } = await start(name)
    expect(await captcha.verify(goodCode(captcha), '203.0.113.7')).toBe(true)
    expect(await captcha.verify('bad', '203.0.113.7')).toBe(false)
    expect(await captcha.verify('', '203.0.113.7')).toBe(false)
  })

  test('gives the site the options it needs and no secret', async () => {
    const { captcha } = await start(name)
    expect(captcha.publicOptions).toEqual(
      name === 'captcha/proof-of-work'
        ? { kind: 'proof-of-work', difficulty: '50', route: '/api/v2/integrations/captcha/challenge' }
        : { siteKey: 'site' },
    )
    expect(JSON.stringify(captcha)).not.toMatch(/secret|good|keykey/)
  })

  test('refuses missing or misspelt options', () => {
    const { options } = captchaProviders.find((candidate) => candidate.name === name)!
    expect(options.safeParse({ siteKey: 'site' }).success).toBe(false)
    expect(options.safeParse({ siteKey: 'site', secretKey: 's', code: 'c', sitekey: 'x' }).success).toBe(
      false,
    )
  })
})

describe.each(captchaProviders.map(({ name }) => name).filter((name) => !isLocal(name)))('%s', (name) => {
  test('sends the secret, the code and the address of the visitor', async () => {
    const { captcha } = await start(name)
    await captcha.verify('good', '203.0.113.7')
    expect(asked).toMatchObject([{ fields: { secret: 'secret', response: 'good', remoteip: '203.0.113.7' } }])
    const type = name === 'captcha/turnstile' ? 'application/json' : 'application/x-www-form-urlencoded'
    expect(asked[0]?.type).toBe(type)
  })

  test('omits an unknown address', async () => {
    const { captcha } = await start(name)
    expect(await captcha.verify('good', 'unknown')).toBe(true)
    expect(asked[0]?.fields).toEqual({ secret: 'secret', response: 'good' })
  })

  test.each(['failure', 'nonsense', 'elsewhere', 'nothing'] as const)(
    'treats %s as a refusal',
    async (kind) => {
      const { captcha } = await start(name)
      behaviour = kind
      expect(await captcha.verify('good', '203.0.113.7')).toBe(false)
      expect(asked).toHaveLength(1)
    },
  )

  test('logs an unreachable service without the secret or the code', async () => {
    const { captcha, lines } = await start(name, { verifyUrl: 'http://127.0.0.1:9/' })
    expect(await captcha.verify('good', '203.0.113.7')).toBe(false)
    expect(lines).toMatchObject([{ level: 'warn', fields: { provider: name } }])
    expect(inspect(lines, { depth: null })).not.toMatch(/secret|good/)
  })

  test('waits for the service no longer than the timeout', async () => {
    const found = captchaProviders.find((candidate) => candidate.name === name)!
    const signals: (AbortSignal | null | undefined)[] = []
    const refuse: typeof fetch = (_url, init) => {
      signals.push(init?.signal)
      return Promise.reject(new Error('refused'))
    }
    const { context } = openContext(refuse)
    const captcha = await found.start(found.options.parse({ siteKey: 'site', secretKey: 'secret' }), context)
    expect(await captcha.verify('good', '203.0.113.7')).toBe(false)
    expect(signals).toEqual([expect.any(AbortSignal)])
  })

  test('uses the public service by default', () => {
    const { options } = captchaProviders.find((candidate) => candidate.name === name)!
    expect(options.parse({ siteKey: 'site', secretKey: 'secret' })).toMatchObject({
      verifyUrl: expect.stringMatching(/^https:\/\/.+\/siteverify$/),
    })
  })
})
