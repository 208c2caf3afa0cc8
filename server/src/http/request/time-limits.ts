import type { IncomingMessage, ServerResponse } from 'node:http'
import { MINUTE_MS } from '@pennant/contract/durations.ts'

/** Time limits for sending a request, so that slow clients cannot hold connections open. */
export interface TimeLimits {
  readonly headersMs: number
  readonly body: (cap: number, isForm: boolean) => BodyTime
  /** How long the rest of a rejected body is read and discarded, so that the client gets the response. */
  readonly discardMs: number
  /** Interval of the server's check for slow headers. */
  readonly checkMs: number
  /**
   * A connection without traffic is closed after this, for example if the client does not read its response, but not
   * while a request is handled (`keepOpen`).
   */
  readonly idleMs: number
}

/** The time limit of a body grows from `startMs` with every byte received, up to `maxMs`. */
export interface BodyTime {
  readonly startMs: number
  readonly minBytesPerS: number
  readonly maxMs: number
  /** Maximum time without a byte. */
  readonly stallMs: number
}

/** Slower than any usable connection. */
const MIN_BYTES_PER_S = 16 * 1024
/** Enough for a phone that switches networks. */
const START_MS = 10_000
const STALL_MS = 15_000
/** JSON is buffered, so a slow sender occupies memory. Forms are streamed to disk. */
const MAX_JSON_MS = MINUTE_MS

export const DEFAULT_TIME_LIMITS: TimeLimits = {
  headersMs: 20_000,
  body(cap, isForm) {
    const wholeMs = START_MS + Math.ceil((cap / MIN_BYTES_PER_S) * 1000)
    return {
      startMs: START_MS,
      minBytesPerS: MIN_BYTES_PER_S,
      maxMs: isForm ? wholeMs : Math.min(wholeMs, MAX_JSON_MS),
      stallMs: STALL_MS,
    }
  },
  discardMs: 5000,
  checkMs: 5000,
  idleMs: 120_000,
}

/** Closes the connection if the body arrives too slowly. A body that came with the headers needs no timer. */
export function abortSlowBody(raw: IncomingMessage, time: BodyTime, onLate: () => void = () => {}): void {
  if (raw.complete || raw.destroyed) return
  const { socket } = raw
  const startedAt = performance.now()
  const bytesBefore = socket.bytesRead
  let progress = { bytes: bytesBefore, at: startedAt }
  let timer: NodeJS.Timeout

  function check(): void {
    const now = performance.now()
    // A paused socket waits for this server's disk, not for the client.
    if (socket.bytesRead > progress.bytes || socket.isPaused())
      progress = { bytes: socket.bytesRead, at: now }
    const earnedMs = ((socket.bytesRead - bytesBefore) / time.minBytesPerS) * 1000
    const endsAt = startedAt + Math.min(time.startMs + earnedMs, time.maxMs)
    const remainingMs = Math.min(endsAt, progress.at + time.stallMs) - now
    if (remainingMs <= 0) {
      onLate()
      raw.destroy()
      return
    }
    timer = setTimeout(check, Math.ceil(remainingMs)).unref()
  }

  timer = setTimeout(check, Math.min(time.startMs, time.stallMs)).unref()
  const stop = () => clearTimeout(timer)
  raw.once('end', stop).once('close', stop)
}

/**
 * Keeps a connection open while its request is handled, although it has no traffic: storing an upload in a bucket or
 * starting an instance can take minutes.
 */
export function keepOpen(response: ServerResponse): void {
  // Without a listener Node closes the connection on timeout.
  response.on('timeout', () => {
    if (response.headersSent) response.socket?.destroy()
  })
}
