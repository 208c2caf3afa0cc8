import { expect, test } from 'vitest'
import { isKindFixed, mergeInstancer } from './admin-rules.ts'

test('instancer settings are merged field by field over the stored ones and the defaults', () => {
  const defaults = { challengeIntegrationId: '', config: {}, expose: [], timeoutMilliseconds: 0 }
  expect(mergeInstancer(null, {})).toEqual(defaults)
  const stored = { ...defaults, config: { a: 1, b: 2 }, timeoutMilliseconds: 5000, extendable: false }
  expect(mergeInstancer(stored, { timeoutMilliseconds: 9000, extendable: undefined })).toEqual({
    ...stored,
    timeoutMilliseconds: 9000,
  })
  // Each field is replaced as a whole.
  expect(mergeInstancer(stored, { config: { c: 3 } })).toEqual({ ...stored, config: { c: 3 } })
})

test('solves fix whether points are shared or per team, and nothing else', () => {
  expect(isKindFixed('decay', 'static')).toBe(false)
  expect(isKindFixed('static', 'decay')).toBe(false)
  expect(isKindFixed('dynamic', 'dynamic')).toBe(false)
  expect(isKindFixed('decay', 'dynamic')).toBe(true)
  expect(isKindFixed('static', 'dynamic')).toBe(true)
  expect(isKindFixed('dynamic', 'decay')).toBe(true)
  expect(isKindFixed('dynamic', 'static')).toBe(true)
})
