import { setTimeout as delay } from 'node:timers/promises'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { OUTBOX_CHANNEL } from '../db/outbox.ts'
import type { Queries } from '../db/database.ts'
import { TryLaterError, UnreachableError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { setTimer } from '../lib/set-timer.ts'
import type { Job } from './job.ts'
import {
  claimDueRows,
  giveUp,
  postpone,
  release,
  retryLater,
  removeSentRow,
  unclaim,
  type OutboxRow,
} from './outbox-rows.ts'

/** Sends one payload; the signal aborts at the timeout. Rejects when the payload was not sent. */
export type Sender = (payload: unknown, signal: AbortSignal) => Promise<void>

export type Senders = Readonly<Record<string, Sender>>

export interface OutboxOptions {
  readonly db: Queries
  readonly log: Log
  readonly senders: Senders
  /** How long a row is worth sending; unlimited by default. */
  readonly lifetimeMs?: (kind: string, payload: unknown) => number
  readonly concurrency?: number
  readonly sendLimitMs?: number
  readonly firstRetryMs?: number
}

/** 5 s, 12 s, 31 s … 13 h: twelve attempts within a day, the first ones while the recipient still waits for the mail. */
const DEFAULT_FIRST_RETRY_MS = 5000
const RETRY_GROWTH = 2.5
/** A message has five attempts in five minutes, which outlive several restarts of the receiver: 12 s, 30 s, 75 s and 188 s apart. */
const firstRetryOf: Readonly<Record<string, number>> = { message: 12_000 }
const MAX_ATTEMPTS = 12
/** Late messages are no longer news: docs/reference/providers.md#blood-messages */
const maxAttemptsOf: Readonly<Record<string, number>> = { message: 5, announcement: 6, question: 6 }
/** While a row is younger than this, a receiver that is busy or cannot be reached does not use up its attempts. */
const MAX_POSTPONED_MS = HOUR_MS

/** To one receiver: mail servers accept few concurrent connections, and a slow receiver must not delay the others. */
const DEFAULT_CONCURRENCY = 8
const DEFAULT_SEND_TIMEOUT_MS = 30_000
const MAX_ERROR_LENGTH = 500

export function retryDelayMs(attempts: number, firstMs: number): number {
  return firstMs * RETRY_GROWTH ** (attempts - 1)
}

/**
 * Sends the rows of the outbox, at least once: a row is deleted only after it was sent, so a crash in between sends it
 * again. Several dispatchers may run at once; each row is claimed by one of them.
 */
export function outboxJob(options: OutboxOptions): Job {
  const { db, concurrency = DEFAULT_CONCURRENCY, sendLimitMs = DEFAULT_SEND_TIMEOUT_MS } = options
  const running = createSendings(concurrency)
  return {
    name: 'outbox',
    channel: OUTBOX_CHANNEL,
    everyMs: 1000,

    async run(signal, wake = () => {}) {
      // Ends when no row is due that may be sent now, or with the signal; a row that fails is due later.
      while (!signal.aborted) {
        // The claim lasts twice the send timeout, enough to record the result. Claims only rows that start now.
        const rows = await claimDueRows(db, { ...running.room(), holdMs: 2 * sendLimitMs })
        if (rows.length === 0) return
        // The stop came during the claim: these rows are for the next process.
        if (signal.aborted) return await unclaim(db, rows)
        for (const row of rows) {
          const pause = (ms: number) => running.pause(row.receiver, ms, wake)
          running.add(row.receiver, deliver(row, options, pause), wake)
        }
      }
    },

    end: running.ended,
  }
}

/** What is being sent, with a limit for each receiver. */
function createSendings(limit: number) {
  const byReceiver = new Map<string, Set<Promise<void>>>()
  /** What ends their pauses early. */
  const paused = new Map<string, () => void>()
  return {
    /** Sends it nothing for a while, then calls `onEnd`. */
    pause(receiver: string, ms: number, onEnd: () => void) {
      if (paused.has(receiver)) return
      const cancel = setTimer(ms, () => {
        paused.delete(receiver)
        onEnd()
      })
      paused.set(receiver, cancel)
    },

    /** How many rows of any other receiver may be sent. */
    room() {
      const sizes = Array.from(byReceiver, ([receiver, { size }]) => ({ receiver, size }))
      const full = sizes.filter(({ size }) => size >= limit).map(({ receiver }) => receiver)
      const except = [...full, ...paused.keys()]
      const busiest = Math.max(0, ...sizes.filter(({ size }) => size < limit).map(({ size }) => size))
      return { limit: limit - busiest, except }
    },

    /** Calls `onRoom` when the receiver has room again. */
    add(receiver: string, sending: Promise<void>, onRoom: () => void) {
      const all = byReceiver.get(receiver) ?? new Set()
      byReceiver.set(receiver, all)
      const counted = sending.finally(() => {
        if (all.size >= limit) onRoom()
        all.delete(counted)
        if (all.size === 0) byReceiver.delete(receiver)
      })
      all.add(counted)
    },

    async ended() {
      await Promise.all(Array.from(byReceiver.values(), (all) => Promise.all(all)))
      for (const cancel of paused.values()) cancel()
    },
  }
}

async function deliver(
  row: OutboxRow,
  { db, log, senders, ...options }: OutboxOptions,
  pause: (ms: number) => void,
): Promise<void> {
  const {
    sendLimitMs = DEFAULT_SEND_TIMEOUT_MS,
    firstRetryMs = firstRetryOf[row.kind] ?? DEFAULT_FIRST_RETRY_MS,
  } = options
  const { id, kind, attempts } = row
  const timeLeftMs = (options.lifetimeMs?.(kind, row.payload) ?? Infinity) - row.ageMs
  try {
    if (timeLeftMs <= 0) throw new Error('expired before it could be sent')
    const send = senders[kind]
    if (!send) throw new Error(`no sender for the kind "${kind}"`)
    await within(sendLimitMs, (signal) => send(row.payload, signal))
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR_LENGTH)
    const isYoung = row.ageMs < MAX_POSTPONED_MS
    if (error instanceof UnreachableError && isYoung && error.afterMs < timeLeftMs) {
      pause(error.afterMs)
      // If this fails, the row is due again when the claim expires.
      return await release(db, row, { error: reason }).catch(() => {})
    }
    const isBusy = error instanceof TryLaterError && isYoung
    const delayMs = isBusy ? error.afterMs : retryDelayMs(attempts, firstRetryMs)
    const isTriedEnough = !isBusy && attempts >= (maxAttemptsOf[kind] ?? MAX_ATTEMPTS)
    const isLast = isTriedEnough || delayMs >= timeLeftMs
    log.warn({ id, kind, attempts, reason, isLast }, 'could not send an outbox message')
    const note = isLast ? giveUp : isBusy ? postpone : retryLater
    const noting = note(db, row, { delayMs, error: reason })
    // If this fails, the row is due again when the claim expires.
    await noting.catch((failure: unknown) =>
      log.warn({ err: failure, id }, 'could not record a failed delivery'),
    )
    return
  }
  await removeSent(row, { db, log })
}

async function within(limitMs: number, send: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const limit = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      limit.abort()
      reject(new Error(`not sent within ${limitMs} ms`))
    }, limitMs)
  })
  try {
    await Promise.race([send(limit.signal), tooLate])
  } finally {
    clearTimeout(timer)
  }
}

/** Retries for some seconds, because a row that is not deleted is sent twice. */
const MAX_REMOVALS = 6

async function removeSent(
  { id, kind }: OutboxRow,
  { db, log }: Pick<OutboxOptions, 'db' | 'log'>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await removeSentRow(db, id)
    } catch (error) {
      if (attempt === MAX_REMOVALS)
        return log.error(
          { err: error, id, kind },
          'could not delete a delivered outbox row; it will be sent again',
        )
    }
    await delay(200 * 2 ** attempt)
  }
}
