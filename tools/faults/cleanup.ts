import { constants } from 'node:os'

/** What a run has to undo, whether it finishes, fails or is interrupted. */
export interface Cleanups extends AsyncDisposable {
  /** Undone at once if the run is ending already, which then throws. */
  add(cleanup: () => Promise<void> | void): Promise<void>
  /** Processes that end from now on were meant to. */
  isEnding(): boolean
}

export function createCleanups(): Cleanups {
  const cleanups: (() => Promise<void> | void)[] = []
  let ended: Promise<void> | null = null
  const end = async () => {
    // In reverse order: a folder is deleted after the processes that use it ended.
    for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) await undo(cleanup)
  }
  return {
    async add(cleanup) {
      if (ended === null) return void cleanups.push(cleanup)
      await undo(cleanup)
      throw new Error('the run is ending')
    },
    isEnding: () => ended !== null,
    [Symbol.asyncDispose]: () => (ended ??= end()),
  }
}

async function undo(cleanup: () => Promise<void> | void): Promise<void> {
  try {
    await cleanup()
  } catch (error) {
    // The others are still necessary.
    console.error('cleaning up:', error)
    process.exitCode = 1
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Cleans up before the process ends because of a signal or of an error that no one handles. */
export function cleanUpOnExit(cleanups: Cleanups): void {
  let isInterrupted = false
  const end = async (status: number) => {
    isInterrupted = true
    await cleanups[Symbol.asyncDispose]()
    process.exit(status)
  }
  for (const name of SIGNALS) process.on(name, () => void end(128 + constants.signals[name]))
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error) => {
      // After a signal, what waits for a process that has ended fails.
      if (!isInterrupted) console.error(error)
      void end(1)
    })
}
