import { expect, test } from 'vitest'
import { connectionsWithin, describeFewFiles } from './open-files.ts'

test.each([
  [512, 256],
  [1024, 512],
  [4096, 3584],
  [Infinity, Infinity],
])('%s open files leave room for %s connections', (files, connections) => {
  expect(connectionsWithin(files)).toBe(connections)
})

test('a limit that is too low for the configured connections is described with both numbers', () => {
  expect(describeFewFiles(16_384, 1024)).toBe(
    'This process may open 1024 files, so it accepts at most 512 of 16384 connections.',
  )
  expect(describeFewFiles(512, 1024)).toBeNull()
  expect(describeFewFiles(16_384, Infinity)).toBeNull()
})
