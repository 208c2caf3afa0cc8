import type { Environment } from '../config/environment.ts'

/** What the program may know and do of the world around it. Only main.ts makes one. */
export interface Outside {
  readonly env: Environment
  readonly now: () => number
  /** Whether someone reads along. */
  readonly isTerminal: boolean
  /** A line on standard output. */
  print(line: string): void
  /** A line on standard error. */
  complain(line: string): void
  /** Takes over SIGINT and SIGTERM: the first aborts the signal, a second one ends the process at once. */
  catchSignals(): AbortSignal
  /** Ends the process without waiting for anything. */
  exit(status: number): never
}
