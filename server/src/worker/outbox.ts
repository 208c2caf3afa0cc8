import { setTimeout as delay } from 'node:timers/promises'
import { outboxChannel } from '../db/outbox.ts'
import type { Queries } from '../db/database.ts'
import { TryLaterError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import type { Job } from './job.ts'
import { claimDueRows, giveUp, postpone, putBack, removeSentRow, type OutboxRow } from './outbox-rows.ts'

/** Sends one payload; the signal tells that its time is over. Rejects when it was not sent. */
export type Sender = (payload: unknown, signal: AbortSignal) => Promise<void>

export type Senders = Readonly<Record<string, Sender>>

export interface OutboxOptions {
  readonly db: Queries
  readonly log: Log
  readonly senders: Senders
  /** How long a row is worth sending; for ever unless told. */
  readonly lifetimeMs?: (kind: string, payload: unknown) => number
  readonly concurrency?: number
  readonly sendLimitMs?: number
  readonly firstRetryMs?: number
}

/** 5 s, 12 s, 31 s … 13 h: twelve attempts within a day, the first ones while whoever waits for the mail still does. */
const firstRetryMsByDefault = 5000
const retryGrowth = 2.5
const mostAttempts = 12
/** A blood message is news for a moment (contract, admin 5.5). */
const mostAttemptsOf: Readonly<Record<string, number>> = { message: 3 }
/** A receiver that is busy does not use up the tries of a row for as long as the row is this young. */
const mostPostponedMs = 3_600_000

/** Mail servers admit few connections at once. */
const concurrencyByDefault = 8
const sendLimitMsByDefault = 30_000
const errorLength = 500

export function retryDelayMs(attempts: number, firstMs: number): number {
  return firstMs * retryGrowth ** (attempts - 1)
}

/**
 * Sends what the outbox holds. A row stays until it was sent: a crash in between sends it again, nothing loses it.
 * Several dispatchers may run at once; none of them gets a row that another has.
 */
export function outboxJob(options: OutboxOptions): Job {
  const { db, concurrency = concurrencyByDefault, sendLimitMs = sendLimitMsByDefault } = options
  const running = new Set<Promise<void>>()
  return {
    name: 'outbox',
    channel: outboxChannel,
    everyMs: 1000,

    async run(signal) {
      // Ends with the rows that are due, or with the signal; a row that fails is due later.
      while (!signal.aborted) {
        if (running.size >= concurrency) {
          await Promise.race(running)
          continue
        }
        // Held twice as long as a sending may take: enough to write down how it went. Only as many as start now.
        const rows = await claimDueRows(db, concurrency - running.size, 2 * sendLimitMs)
        if (rows.length === 0) return
        for (const row of rows) {
          const sending: Promise<void> = deliver(row, options).finally(() => running.delete(sending))
          running.add(sending)
        }
      }
    },

    async end() {
      await Promise.all(running)
    },
  }
}

async function deliver(row: OutboxRow, { db, log, senders, ...options }: OutboxOptions): Promise<void> {
  const { sendLimitMs = sendLimitMsByDefault, firstRetryMs = firstRetryMsByDefault } = options
  const { id, kind, attempts } = row
  const timeLeftMs = (options.lifetimeMs?.(kind, row.payload) ?? Infinity) - row.ageMs
  try {
    if (timeLeftMs <= 0) throw new Error('it came too late to be of use')
    const send = senders[kind]
    if (!send) throw new Error(`nothing here sends "${kind}"`)
    await within(sendLimitMs, (signal) => send(row.payload, signal))
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, errorLength)
    const isBusy = error instanceof TryLaterError && row.ageMs < mostPostponedMs
    const delayMs = isBusy ? error.afterMs : retryDelayMs(attempts, firstRetryMs)
    const isTriedEnough = !isBusy && attempts >= (mostAttemptsOf[kind] ?? mostAttempts)
    const isLast = isTriedEnough || delayMs >= timeLeftMs
    log.warn({ id, kind, attempts, reason, isLast }, 'something could not be sent')
    const note = isLast ? giveUp : isBusy ? postpone : putBack
    const noting = note(db, row, { delayMs, error: reason })
    // Without the note it is due again when the claim ends.
    await noting.catch((failure: unknown) => log.warn({ err: failure, id }, 'a failed sending was not noted'))
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

/** Tried for some seconds: a row that stays is sent twice. */
const mostRemovals = 6

async function removeSent(
  { id, kind }: OutboxRow,
  { db, log }: Pick<OutboxOptions, 'db' | 'log'>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await removeSentRow(db, id)
    } catch (error) {
      if (attempt === mostRemovals)
        return log.error({ err: error, id, kind }, 'a sent row stays and will be sent again')
    }
    await delay(200 * 2 ** attempt)
  }
}
