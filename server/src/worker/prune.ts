import type { Job } from './job.ts'

/** Deletes at most this many rows in a statement, so that no lock and no pause is long. */
export const pruneLength = 10_000

/** Deletes one batch of at most `pruneLength` rows and tells how many there were. */
export type Prune = () => Promise<number>

/** Batches of one minute; the rest waits for the next. */
const mostBatches = 50

export function pruneJob(name: string, prune: Prune): Job {
  return {
    name,
    everyMs: 60_000,
    async run(signal) {
      for (let batch = 0; batch < mostBatches && !signal.aborted; batch += 1)
        if ((await prune()) < pruneLength) return
    },
  }
}
