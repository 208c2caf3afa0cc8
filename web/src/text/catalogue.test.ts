import { expect, test, vi } from 'vitest'

vi.stubGlobal('navigator', { languages: ['de'] })
vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }))
const { catalogue } = await import('./catalogue.ts')

test('another language is the same promise before and after it came, and then says what it holds', async () => {
  const words = catalogue({ yes: 'yes' }, { de: async () => ({ yes: 'ja' }) })
  const first = words.read('de')
  expect(await first).toEqual({ yes: 'ja' })
  expect(words.read('de')).toBe(first)
  expect(first).toMatchObject({ status: 'fulfilled', value: { yes: 'ja' } })
  expect(words.read('en')).toEqual({ yes: 'yes' })
})

test('a language that does not load leaves English', async () => {
  const words = catalogue({ yes: 'yes' }, { de: () => Promise.reject(new Error('offline')) })
  expect(await words.read('de')).toEqual({ yes: 'yes' })
})
