import { expect, test } from 'vitest'
import { pruneJob, PRUNE_BATCH_SIZE } from './prune.ts'

test('continues while batches are full, and stops on the signal', async () => {
  const sizes = [PRUNE_BATCH_SIZE, PRUNE_BATCH_SIZE, 3, PRUNE_BATCH_SIZE]
  let runs = 0
  const job = pruneJob('test', async () => sizes[runs++] ?? 0)
  const stop = new AbortController()
  await job.run(stop.signal)
  expect(runs).toBe(3)
  stop.abort()
  await job.run(stop.signal)
  expect(runs).toBe(3)
})
