import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { solveInSlices, solveProof } from './solve.ts'

test('the number whose digest is the target is found in any position', () => {
  for (const found of [0, 7, 1999]) {
    const target = createHash('sha256').update(`1.2000.abc.${found}`).digest('hex')
    expect(solveProof({ prefix: '1.2000.abc', target, difficulty: 2000 })).toBe(found)
  }
})

test('a task without a solution terminates', () => {
  expect(solveProof({ prefix: 'a', target: '0'.repeat(64), difficulty: 100 })).toBeNull()
})

test('slices find a solution beyond the first slice and stop when aborted', async () => {
  const target = createHash('sha256').update('p.5999').digest('hex')
  const task = { prefix: 'p', target, difficulty: 6000 }
  expect(await solveInSlices(task, new AbortController().signal)).toBe(5999)
  expect(await solveInSlices(task, AbortSignal.abort())).toBeNull()
})
