import { expect, test } from 'vitest'
import { answerJson, startHttpService, type Answering } from '../../../test/http-service.ts'
import { keepLog } from '../../../test/log.ts'
import { startSourceChecker } from '../../../test/stand-in-worker.ts'
import { browserBot } from './browser.ts'

const secretKey = 'bot-secret-77ab'
const derived = {
  inputs: { url: { pattern: '^https?://', flags: 'i' }, note: { pattern: '.' } },
  timeoutMilliseconds: 20_000,
  requireInstancerInstancesRunning: true,
}

async function startBot(endpoint: string, options: object = {}) {
  const { log, lines } = keepLog()
  const world = { fetch, log, now: () => 0, dataDir: '.' }
  const bot = await browserBot.start(browserBot.options.parse({ endpoint, secretKey, ...options }), world)
  return { bot, lines }
}

/** What derive says when the worker answers in its own way, and what the log has of it. */
async function deriveFrom(answer: Answering, options: object = {}) {
  await using service = await startHttpService(answer)
  const { bot, lines } = await startBot(service.url, options)
  return { result: await bot.derive('code'), lines: JSON.stringify(lines) }
}

test('a source is sent with the secret, and what the worker derives comes back in its order', async () => {
  await using service = await startSourceChecker(secretKey)
  const { bot } = await startBot(`${service.url}/`)
  const result = await bot.derive(JSON.stringify(derived))
  expect(result).toEqual({ value: derived })
  expect(Object.keys('value' in result ? result.value.inputs : {})).toEqual(['url', 'note'])
  expect(service.asked).toMatchObject([{ method: 'POST', url: '/v1/test' }])
})

test("the worker's objection reaches the author without the secret", async () => {
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
])('an answer with %s is none', async (_name, answer) => {
  const { result } = await deriveFrom((_, response) => answerJson(response, 200, answer as object))
  expect(result).toEqual({ error: 'The admin-bot worker gave no usable answer.' })
})

test.each<[string, Answering, string]>([
  ['fails', (_, response) => answerJson(response, 500, derived), 'gave no usable answer'],
  ['speaks HTML', (_, response) => void response.end('<html>'), 'gave no usable answer'],
  ['hangs up', (_, response) => void response.destroy(), 'cannot be reached'],
  ['says nothing', () => {}, 'did not answer in time'],
  [
    'sends elsewhere',
    (_, response) => void response.writeHead(307, { location: '/x' }).end(),
    'cannot be reached',
  ],
])('a worker that %s gives the author a sentence and the log no secret', async (_name, answer, text) => {
  const { result, lines } = await deriveFrom(answer, { callTimeout: 100 })
  expect(result).toEqual({ error: `The admin-bot worker ${text}.` })
  expect(lines).toContain(text)
  expect(lines).not.toContain(secretKey)
})

test('only the secret itself is the secret', async () => {
  const { bot } = await startBot('http://worker.test')
  expect(bot.isWorker(secretKey)).toBe(true)
  for (const wrong of ['', secretKey.slice(1), `${secretKey} `, secretKey.toUpperCase()])
    expect(bot.isWorker(wrong)).toBe(false)
})
