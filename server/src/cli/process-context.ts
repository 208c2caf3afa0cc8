import type { Environment } from '../config/environment.ts'

/** The program's access to its environment. Only main.ts creates one. */
export interface ProcessContext {
  readonly env: Environment
  /** Starts this program again: Node, its options and the program's path. */
  readonly command: readonly [node: string, ...args: string[]]
  readonly now: () => number
  /** Whether the output is a terminal. */
  readonly isTerminal: boolean
  /** Prints a line to standard output. */
  print(line: string): void
  /** Prints a line to standard error. */
  complain(line: string): void
  /** Replaces the last line of a terminal; absent where standard error is none. */
  readonly progress?: (text: string) => void
  /** Prints a question and returns the next line of standard input; null at its end. */
  ask(question: string): Promise<string | null>
  /** Handles SIGINT and SIGTERM: the first one aborts the signal, the second exits at once. */
  catchSignals(): AbortSignal
  /** Exits without waiting for anything. */
  exit(status: number): never
}
