import { expect, test } from 'vitest'
import { catalogue, createReader } from './catalogue.ts'
import { common } from './de/common.ts'
import { commonTexts } from './en/common.ts'

const answers = catalogue('answers', { yes: 'yes', save: 'Keep' })
const german = { common: async () => common, answers: async () => ({ yes: 'ja', save: 'Behalten' }) }

test('returns the same promise before and after a language has loaded, then with its value', async () => {
  const read = createReader({ de: async () => german })
  const first = read(answers, 'de')
  expect(await first).toMatchObject({ yes: 'ja' })
  expect(read(answers, 'de')).toBe(first)
  expect(first).toMatchObject({ status: 'fulfilled', value: { yes: 'ja' } })
  expect(read(answers, 'en')).toMatchObject({ yes: 'yes' })
  expect(read(answers, 'en')).toBe(read(answers, 'en'))
})

test('a catalogue has the common texts of its language, and its own one where both have one', async () => {
  const read = createReader({ de: async () => german })
  expect(read(answers, 'en')).toEqual({ ...commonTexts, yes: 'yes', save: 'Keep' })
  expect(await read(answers, 'de')).toEqual({ ...common, yes: 'ja', save: 'Behalten' })
})

test('falls back to English if a language does not load', async () => {
  const broken = { ...german, answers: () => Promise.reject(new Error('offline')) }
  expect(await createReader({ de: async () => broken })(answers, 'de')).toMatchObject({ yes: 'yes' })
  const none = createReader({ de: () => Promise.reject(new Error('offline')) })
  expect(await none(answers, 'de')).toMatchObject({ yes: 'yes' })
})
