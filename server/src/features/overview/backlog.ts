// What waits, as the database tells it: for the rules that judge it.

/** Mails or messages on their way. */
export interface OutboxState {
  readonly kind: string
  readonly pending: number
  /** Those that failed more than once and will be tried again, and when the oldest of them was added. */
  readonly failing: number
  readonly failingSince: Date | null
  /** Those that were given up within a day, and when the first of them was. */
  readonly givenUp: number
  readonly givenUpSince: Date | null
}

export interface QueueState {
  readonly verifications: number
  readonly botQueued: number
  readonly botRunning: number
  readonly botOldestAt: Date | null
  /** When nobody was the worker any more; null while somebody is, and when nobody ever was. */
  readonly workerLostAt: Date | null
  readonly hasWorker: boolean
}
