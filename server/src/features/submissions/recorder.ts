import type { Queries } from '../../db/database.ts'
import { createBatcher } from '../../lib/batch.ts'
import type { Bus } from '../../lib/key-value.ts'
import type { Log } from '../../lib/log.ts'
import { worldChannel } from '../../world/follower.ts'
import { submitAll, type Outcome, type Submission } from './store.ts'

export interface RecorderDeps {
  readonly db: Queries
  readonly bus: Bus
  /** Resolves when this process's world holds what was committed before the call. */
  readonly caughtUp: () => Promise<void>
  readonly log: Log
}

/** Makes a submission durable and tells what became of it; a solve is in the world by then. */
export type Recorder = (submission: Submission) => Promise<Outcome>

/** Rows of one statement: beyond it a larger batch is no faster, and it holds the change lock for longer. */
const MAX_BATCH = 512

/** Less than a second's work: whoever comes later is told to try again. */
const MAX_QUEUE = 16_384

/** Group commit: submissions that arrive while a commit is under way share the next one. */
export function createRecorder({ db, bus, caughtUp, log }: RecorderDeps): Recorder {
  // A commit that was followed by a failure to tell of it is still a commit.
  const quietly = (what: string, work: Promise<void>) =>
    work.catch((error: unknown) => log.error({ err: error }, what))

  const submit = createBatcher<Submission, Outcome>({
    async run(submissions) {
      const outcomes = await submitAll(db, submissions)
      if (outcomes.includes('correct'))
        void quietly('could not tell other processes of a solve', bus.publish(worldChannel))
      return outcomes
    },
    maxBatch: MAX_BATCH,
    maxQueue: MAX_QUEUE,
  })

  return async (submission) => {
    const outcome = await submit(submission)
    // Outside the batch, so that the next commit does not wait for the standings.
    if (outcome === 'correct') await quietly('could not follow a solve at once', caughtUp())
    return outcome
  }
}
