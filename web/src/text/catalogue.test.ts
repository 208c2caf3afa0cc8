import { expect, test } from 'vitest'
import { catalogue, createReader } from './catalogue.ts'

const answers = catalogue('answers', { yes: 'yes' })

test('returns the same promise before and after a language has loaded, then with its value', async () => {
  const read = createReader({ de: async () => ({ answers: async () => ({ yes: 'ja' }) }) })
  const first = read(answers, 'de')
  expect(await first).toEqual({ yes: 'ja' })
  expect(read(answers, 'de')).toBe(first)
  expect(first).toMatchObject({ status: 'fulfilled', value: { yes: 'ja' } })
  expect(read(answers, 'en')).toEqual({ yes: 'yes' })
})

test('falls back to English if a language does not load', async () => {
  const read = createReader({ de: async () => ({ answers: () => Promise.reject(new Error('offline')) }) })
  expect(await read(answers, 'de')).toEqual({ yes: 'yes' })
  const none = createReader({ de: () => Promise.reject(new Error('offline')) })
  expect(await none(answers, 'de')).toEqual({ yes: 'yes' })
})
