import type { Job } from './job.ts'

/** Maximum rows per DELETE statement, so that locks stay short. */
export const PRUNE_BATCH_SIZE = 10_000

/** Deletes one batch of at most `PRUNE_BATCH_SIZE` rows and returns how many it deleted. */
export type Prune = () => Promise<number>

/** Maximum batches per minute; the remaining rows wait for the next minute. */
const MAX_BATCHES = 50

export function pruneJob(name: string, prune: Prune): Job {
  return {
    name,
    everyMs: 60_000,
    async run(signal) {
      for (let batch = 0; batch < MAX_BATCHES && !signal.aborted; batch += 1)
        if ((await prune()) < PRUNE_BATCH_SIZE) return
    },
  }
}
