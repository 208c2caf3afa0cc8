import { setTimer } from '../../lib/set-timer.ts'

/** Runs work whenever it is requested, but not too often. */
export interface Pace {
  /** Runs the work now if the last run is long enough ago, otherwise then. */
  request(): void
  close(): void
}

export interface PaceOptions {
  /** Resolves to the milliseconds of processor time that it took. */
  readonly work: () => Promise<number>
  /** A monotonic clock in milliseconds. */
  readonly elapsedMs: () => number
}

/** At most four times a second. */
const MIN_GAP_MS = 250
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
    let busyMs = 0
    try {
      busyMs = await work()
    } finally {
      isRunning = false
      const now = elapsedMs()
      creditMs = Math.min(BURST_MS, creditMs + (now - countedAt) * SHARE) - busyMs
      countedAt = now
      nextAt = now + Math.max(MIN_GAP_MS, -creditMs / SHARE)
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
