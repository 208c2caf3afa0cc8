import type { Queries } from '../../../db/database.ts'
import { createBatcher } from '../../../lib/batch.ts'
import type { Bus } from '../../../lib/key-value.ts'
import type { Log } from '../../../lib/log.ts'
import { WORLD_CHANNEL } from '../../../world/sync/follower.ts'
import { submitAll, type Outcome, type Submission } from './store.ts'

export interface RecorderDeps {
  readonly db: Queries
  readonly bus: Bus
  /** Resolves once this process's world includes everything committed before the call. */
  readonly caughtUp: () => Promise<void>
  readonly log: Log
  /** Called after each commit with its rows and its duration, waiting for the change lock included. */
  readonly onCommit?: (rows: number, ms: number) => void
}

/** Stores a submission durably and returns its outcome. A solve is in the world by then. */
export type Recorder = (submission: Submission) => Promise<Outcome>

/** Rows per statement. Larger batches are not faster, and they hold the change lock longer. */
const MAX_BATCH = 512

/** Less than a second of work. Beyond that, requests are rejected and clients retry. */
const MAX_QUEUE = 16_384

/** Group commit: submissions that arrive while a commit is in flight are batched into the next one. */
export function createRecorder({ db, bus, caughtUp, log, onCommit }: RecorderDeps): Recorder {
  // The submission is committed, so a failure to notify about it is only logged.
  const quietly = (what: string, work: Promise<void>) =>
    work.catch((error: unknown) => log.error({ err: error }, what))

  const submit = createBatcher<Submission, Outcome>({
    async run(submissions) {
      const outcomes = await submitAll(db, submissions)
      if (outcomes.includes('correct'))
        void quietly('could not notify other processes of a solve', bus.publish(WORLD_CHANNEL))
      return outcomes
    },
    maxBatch: MAX_BATCH,
    maxQueue: MAX_QUEUE,
    ...(onCommit && { onRun: onCommit }),
  })

  return async (submission) => {
    const outcome = await submit(submission)
    // Outside the batch, so that the next commit does not wait for the standings.
    if (outcome === 'correct') await quietly('could not follow a solve at once', caughtUp())
    return outcome
  }
}
