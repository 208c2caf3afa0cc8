import { expect, test } from 'vitest'
import { z } from 'zod'
import { provider } from '../providers/provider.ts'
import { listKeys } from './keys.ts'
import { oneOf } from './one-of.ts'

const plain = provider<string>()({ name: 'words/plain', options: z.strictObject({}), start: () => 'plain' })
const custom = provider<string>()({
  name: 'words/custom',
  options: z.strictObject({
    secretWord: z.string().min(1).describe('What to say.'),
    times: z.int().default(1),
  }),
  start: ({ secretWord, times }) => secretWord.repeat(times),
})
const shape = { words: z.strictObject({ provider: oneOf([plain, custom], 'Who speaks.') }).optional() }
const world = { fetch, log: console, now: () => 0, dataDir: '.' }

test('starts the selected provider with validated options', async () => {
  const { words } = z.strictObject(shape).parse({
    words: { provider: { name: 'words/custom', options: { secretWord: 'ha', times: 2 } } },
  })
  expect(await words?.provider.start(world)).toBe('haha')
})

test('a provider without options may be given by name only', () => {
  expect(z.strictObject(shape).parse({ words: { provider: 'words/plain' } }).words?.provider.name).toBe(
    'words/plain',
  )
})

test('reports a misspelt and a missing option with the full path', () => {
  const wrong = { words: { provider: { name: 'words/custom', options: { secretWrd: 'x' } } } }
  const issues = z
    .strictObject(shape)
    .safeParse(wrong)
    .error?.issues.map(({ path, code }) => [path.join('.'), code])
  expect(issues).toEqual([
    ['words.provider.options.secretWord', 'invalid_type'],
    ['words.provider.options', 'unrecognized_keys'],
  ])
})

test('the error for an unknown name lists the known names', () => {
  const issues = z.strictObject(shape).safeParse({ words: { provider: { name: 'words/plane' } } })
    .error?.issues
  expect(issues?.[0]?.path).toEqual(['words', 'provider', 'name'])
  expect(issues?.[0]?.message).toBe(
    'no such provider; did you mean words/plain?; there are words/plain, words/custom',
  )
})

test('options have environment variables', () => {
  expect(listKeys(shape).map(({ env, kind }) => [env, kind])).toEqual([
    ['PENNANT_WORDS', 'json'],
    ['PENNANT_WORDS_PROVIDER', 'mixed'],
    ['PENNANT_WORDS_PROVIDER_NAME', 'text'],
    ['PENNANT_WORDS_PROVIDER_OPTIONS_SECRET_WORD', 'text'],
    ['PENNANT_WORDS_PROVIDER_OPTIONS_TIMES', 'number'],
  ])
})
