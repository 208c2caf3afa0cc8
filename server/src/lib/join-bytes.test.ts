import { expect, test } from 'vitest'
import { joinBytes } from './join-bytes.ts'

test('joins strings and bytes in order, as UTF-8', () => {
  expect(joinBytes(['a', 'ü', Buffer.from('✓'), Buffer.from('b'), 'c']).toString()).toBe('aü✓bc')
  expect(joinBytes([Buffer.from('only')]).toString()).toBe('only')
  expect(joinBytes([]).length).toBe(0)
})
