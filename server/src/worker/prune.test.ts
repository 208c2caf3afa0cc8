import { expect, test } from 'vitest'
import { pruneJob, pruneLength } from './prune.ts'

test('goes on while batches are full, and stops when told to', async () => {
  const sizes = [pruneLength, pruneLength, 3, pruneLength]
  let runs = 0
  const job = pruneJob('test', async () => sizes[runs++] ?? 0)
  const stop = new AbortController()
  await job.run(stop.signal)
  expect(runs).toBe(3)
  stop.abort()
  await job.run(stop.signal)
  expect(runs).toBe(3)
})
