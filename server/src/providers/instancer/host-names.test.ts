import { randomBytes } from 'node:crypto'
import { assert, property, stringMatching } from 'fast-check'
import { expect, test } from 'vitest'
import { hostIdOf, hostLabelOf } from './host-names.ts'

const parts = ['pennant', 'team-1', 'web', 'first start']

test('an id requires the key and differs between starts', () => {
  const key = randomBytes(32)
  const id = hostIdOf(key, parts)
  expect(hostIdOf(key, parts)).toBe(id)
  expect(hostIdOf(randomBytes(32), parts)).not.toBe(id)
  expect(hostIdOf(key, [...parts.slice(0, -1), 'second start'])).not.toBe(id)
})

test('an id has 100 random bits: each character takes all 32 values', () => {
  const key = randomBytes(32)
  const ids = Array.from({ length: 1_000 }, (_, n) => hostIdOf(key, [String(n)]))
  expect(ids.every((id) => /^[a-z2-7]{20}$/.test(id))).toBe(true)
  for (let at = 0; at < 20; at++) expect(new Set(ids.map((id) => id[at])).size).toBe(32)
})

test('prefixes result in valid DNS labels, different ones for different prefixes', () => {
  const id = hostIdOf(randomBytes(32), parts)
  const prefix = stringMatching(/^[a-z0-9][a-z0-9-]{0,62}$/)
  assert(
    property(prefix, prefix, (one, other) => {
      expect(hostLabelOf(one, id)).toMatch(/^[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/)
      expect(hostLabelOf(one, id) === hostLabelOf(other, id)).toBe(one === other)
    }),
  )
  const long = 'a'.repeat(60)
  expect(hostLabelOf(`${long}1`, id)).not.toBe(hostLabelOf(`${long}2`, id))
})
