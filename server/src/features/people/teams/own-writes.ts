import { badRateLimit } from '@pennant/contract/replies.ts'
import { createKeyedSlots } from '../../../lib/keyed-slots.ts'

/** Limits the concurrent writes of a team, so that one team cannot use up the database connections. */
export interface OwnWrites {
  /** Runs the write when its turn comes. Rejects as unavailable if the team's queue is full. */
  run<T>(teamId: string, write: () => Promise<T>): Promise<T>
  /** The rate-limit response if the queue is full, for routes that define one; otherwise null. */
  refusal(teamId: string): ReturnType<typeof badRateLimit> | null
}

/** Two allow for a second device. More concurrent writes of one team are usually double clicks. */
const SLOTS = 2
const MAX_QUEUE = 16
const RETRY_MS = 1_000

export function createOwnWrites(): OwnWrites {
  const slots = createKeyedSlots({ slots: SLOTS, maxQueue: MAX_QUEUE })
  return {
    run: slots.run,
    refusal: (teamId) => (slots.isFull(teamId) ? badRateLimit({ timeLeft: RETRY_MS }) : null),
  }
}
