import { expect, test } from 'vitest'
import { sendJson, startHttpService, type RequestResponder } from '../../../test/http-service.ts'
import { recordLog } from '../../../test/log.ts'
import { startSourceChecker } from '../../../test/fake-worker.ts'
import { browserBot } from './browser.ts'

const secretKey = 'bot-secret-77ab'
const derived = {
  inputs: { url: { pattern: '^https?://', flags: 'i' }, note: { pattern: '.' } },
  timeoutMilliseconds: 20_000,
  requireInstancerInstancesRunning: true,
}

async function startBot(endpoint: string, options: object = {}) {
  const { log, lines } = recordLog()
  const context = { fetch, log, now: () => 0, dataDir: '.' }
  const bot = await browserBot.start(browserBot.options.parse({ endpoint, secretKey, ...options }), context)
  return { bot, lines }
}

/** The result of `derive` for a given worker response, and the log. */
async function deriveFrom(respond: RequestResponder, options: object = {}) {
  await using service = await startHttpService(respond)
  const { bot, lines } = await startBot(service.url, options)
  return { result: await bot.derive('code'), lines: JSON.stringify(lines) }
}

test("sends the source with the secret and returns the derived settings in the worker's order", async () => {
  await using service = await startSourceChecker(secretKey)
  const { bot } = await startBot(`${service.url}/`)
  const result = await bot.derive(JSON.stringify(derived))
  expect(result).toEqual({ value: derived })
  expect(Object.keys('value' in result ? result.value.inputs : {})).toEqual(['url', 'note'])
  expect(service.asked).toMatchObject([{ method: 'POST', url: '/v1/test' }])
})

test("the worker's error message reaches the author without the secret", async () => {
  await using service = await startSourceChecker(secretKey)
  const { bot } = await startBot(service.url)
  expect(await bot.derive('not a challenge')).toEqual({ error: 'line 1: no challenge in it; …' })
})

test.each([
  ['nothing', null],
  ['no inputs', { ...derived, inputs: undefined }],
  ['a list of inputs', { ...derived, inputs: ['a'] }],
  ['a rule without pattern', { ...derived, inputs: { a: {} } }],
  ['no timeout', { ...derived, timeoutMilliseconds: 0 }],
  ['a timeout of a day', { ...derived, timeoutMilliseconds: 86_400_000 }],
  ['text for yes', { ...derived, requireInstancerInstancesRunning: 'yes' }],
])('a response with %s is unusable', async (_name, value) => {
  const { result } = await deriveFrom((_, response) => sendJson(response, 200, value as object))
  expect(result).toEqual({ error: 'The admin-bot worker returned an unusable response.' })
})

test.each<[string, RequestResponder, string]>([
  ['fails', (_, response) => sendJson(response, 500, derived), 'returned an unusable response'],
  ['speaks HTML', (_, response) => void response.end('<html>'), 'returned an unusable response'],
  ['hangs up', (_, response) => void response.destroy(), 'cannot be reached'],
  ['says nothing', () => {}, 'did not respond in time'],
  [
    'sends elsewhere',
    (_, response) => void response.writeHead(307, { location: '/x' }).end(),
    'cannot be reached',
  ],
])(
  'a worker that %s results in a message for the author and no secret in the log',
  async (_name, respond, text) => {
    const { result, lines } = await deriveFrom(respond, { callTimeout: 100 })
    expect(result).toEqual({ error: `The admin-bot worker ${text}.` })
    expect(lines).toContain(text)
    expect(lines).not.toContain(secretKey)
  },
)

test('accepts only the exact secret', async () => {
  const { bot } = await startBot('http://worker.test')
  expect(bot.isWorker(secretKey)).toBe(true)
  for (const wrong of ['', secretKey.slice(1), `${secretKey} `, secretKey.toUpperCase()])
    expect(bot.isWorker(wrong)).toBe(false)
})
