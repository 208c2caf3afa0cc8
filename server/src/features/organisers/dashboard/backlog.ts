// State of the queues as read from the database, for the rules that evaluate it.

/** Emails or messages in the outbox. */
export interface OutboxState {
  readonly kind: string
  readonly pending: number
  /** Rows that failed more than once and will be retried, and when the oldest was added. */
  readonly failing: number
  readonly failingSince: Date | null
  /** Rows that were given up in the last day, and when the first one was. */
  readonly givenUp: number
  readonly givenUpSince: Date | null
}

export interface QueueState {
  readonly verifications: number
  readonly waitingRegistrations: number
  /** Those created in the last 10 minutes. */
  readonly newVerifications: number
  readonly botQueued: number
  readonly botRunning: number
  readonly botOldestAt: Date | null
  /** When the worker's lease expired; null while there is a worker, and if there never was one. */
  readonly workerLostAt: Date | null
  readonly hasWorker: boolean
}
