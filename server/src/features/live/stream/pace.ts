import { setTimer } from '../../../lib/set-timer.ts'

/** Runs work whenever it is requested, but not too often. */
export interface Pace {
  /** Runs the work now if the last run is long enough ago, otherwise then. */
  request(): void
  close(): void
}

/** What a run did. */
export interface Work {
  /** Milliseconds of processor time. */
  readonly busyMs: number
  /** Whether there was anything to do, so that the next run has to wait. */
  readonly isDone: boolean
}

export interface PaceOptions {
  readonly work: () => Promise<Work>
  /** A monotonic clock in milliseconds. */
  readonly elapsedMs: () => number
}

/** A solve is visible within a tenth of a second, also while others come in all the time. */
const MIN_GAP_MS = 75
/**
 * Share of the time that sending may take in the long run. Sending to 10,000 connections takes a tenth of a second or two,
 * and requests must be answered while solves come in all the time.
 */
const SHARE = 0.1
/** Two solves in a row are sent without waiting, also to 10,000 connections. */
const BURST_MS = 250

export function createPace({ work, elapsedMs }: PaceOptions): Pace {
  let isClosed = false
  let isRunning = false
  let isRequested = false
  let nextAt = 0
  /** Milliseconds of processor time that sending may take; negative after more than its share. */
  let creditMs = BURST_MS
  let countedAt = elapsedMs()
  let cancel: (() => void) | null = null

  async function run(): Promise<void> {
    isRunning = true
    isRequested = false
    let [busyMs, gapMs] = [0, MIN_GAP_MS]
    try {
      const done = await work()
      busyMs = done.busyMs
      if (!done.isDone) gapMs = 0
    } finally {
      isRunning = false
      const now = elapsedMs()
      creditMs = Math.min(BURST_MS, creditMs + (now - countedAt) * SHARE) - busyMs
      countedAt = now
      nextAt = now + Math.max(gapMs, -creditMs / SHARE)
    }
    if (isRequested) request()
  }

  function request(): void {
    isRequested = true
    if (isClosed || isRunning || cancel) return
    const waitMs = nextAt - elapsedMs()
    if (waitMs <= 0) return void run()
    cancel = setTimer(waitMs, () => {
      cancel = null
      void run()
    })
  }

  return {
    request,
    close() {
      isClosed = true
      cancel?.()
    },
  }
}
