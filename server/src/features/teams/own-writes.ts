import { badRateLimit } from '@pennant/contract/replies.ts'
import { createKeyedSlots } from '../../lib/keyed-slots.ts'

/** What a team writes about itself. One team that floods these holds only so many of the database's connections. */
export interface OwnWrites {
  /** Runs the write when its turn comes; rejects as unavailable when too many of the team wait already. */
  run<T>(teamId: string, write: () => Promise<T>): Promise<T>
  /** The refusal of one write more, where the route has one. */
  refusal(teamId: string): ReturnType<typeof badRateLimit> | null
}

/** More of one team at once are the second device of a person who clicks twice. */
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
