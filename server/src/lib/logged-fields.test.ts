import { describe, expect, test } from 'vitest'
import { isPartial, loggedChange, loggedJson, loggedLimits } from './logged-fields.ts'

describe('a logged change', () => {
  test('has only the fields that differ, or all of something new or gone', () => {
    const [old, next] = [
      { name: 'a', points: { min: 1 } },
      { name: 'b', points: { min: 1 } },
    ]
    expect(loggedChange(old, next)).toEqual({ before: { name: 'a' }, after: { name: 'b' } })
    expect(loggedChange(null, next)).toEqual({ before: null, after: next })
    expect(loggedChange(old, null)).toEqual({ before: old, after: null })
    expect(loggedChange({ name: 'a' }, {})).toEqual({ before: { name: 'a' }, after: { name: null } })
  })

  test('has no secret, and shows whether there was one', () => {
    const flags = (flag: string) => ({ flags: [{ config: { flag } }], key: 'key-1' })
    const change = loggedChange(flags('flag{one}'), { ...flags('flag{two}'), key: null }, ['flags', 'key'])
    expect(JSON.stringify(change)).not.toMatch(/flag\{|key-1/)
    const hash = { secret: expect.stringMatching(/^[0-9a-f]{16}$/) }
    expect(change).toEqual({ before: { flags: hash, key: hash }, after: { flags: hash, key: null } })
    expect(change.before?.['flags']).not.toEqual(change.after?.['flags'])
    // The hash of the same secret is another one in the next entry, so no one can try values until one fits.
    const again = loggedChange(null, flags('flag{one}'), ['flags'])
    expect(again.after?.['flags']).not.toEqual(change.before?.['flags'])
    expect(loggedChange(null, { flags: [], key: '' }, ['flags', 'key']).after).toEqual({ flags: [], key: '' })
  })

  test('is bounded, and what was cut is named with its size and hash', () => {
    const long = 'x'.repeat(loggedLimits.bytes)
    const text = loggedJson({ name: 'a', long }) ?? ''
    expect(Buffer.byteLength(text)).toBeLessThan(loggedLimits.bytes)
    expect(JSON.parse(text)).toEqual({
      name: 'a',
      long: {
        truncated: 'x'.repeat(loggedLimits.shown),
        bytes: loggedLimits.bytes,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    })
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`field ${n}`, 'value']))
    const all = loggedJson(many) ?? ''
    expect(Buffer.byteLength(all)).toBeLessThan(loggedLimits.bytes)
    expect(JSON.parse(all)).toMatchObject({ all: { bytes: JSON.stringify(many).length } })
    expect(loggedJson(null)).toBe(null)
  })

  test('cannot be restored if it is incomplete', () => {
    expect(isPartial({ name: 'a', tags: ['b'], none: null, sponsors: [{ secret: 1 }] })).toBe(false)
    expect(isPartial(JSON.parse(loggedJson({ long: 'x'.repeat(100_000) }) ?? '{}'))).toBe(true)
    expect(isPartial(loggedChange(null, { key: 'k' }, ['key']).after ?? {})).toBe(true)
  })
})
