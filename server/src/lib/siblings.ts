import type { Bus } from './key-value.ts'

/** The other processes that `pennant serve --processes` runs on the same port. */
export interface Siblings {
  /** Notifies listeners in all of them, this process included. */
  readonly bus: Bus
  /** Whether this process prints the greeting. */
  readonly isFirst: boolean
  /**
   * Makes `read` available to the others, and returns a function that reads from all. A process that does not respond
   * within two seconds is left out. Called once.
   */
  gather<T>(read: () => Promise<T>): () => Promise<readonly OfProcess<T>[]>
}

export interface OfProcess<T> {
  /** From 1; a replacement of a process keeps its number. */
  readonly process: number
  readonly value: T
}
