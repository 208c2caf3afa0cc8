import sql from 'sql-template-tag'
import type { Queries } from '../db/database.ts'
import type { Log } from '../lib/log.ts'
import { createBell } from './bell.ts'

export interface LeaseOptions {
  readonly db: Queries
  readonly log: Log
  readonly name: string
  /** Names this process, among all that ever asked. */
  readonly holder: string
  /** How long the lease lasts when it is not renewed: the longest time in which nobody works after a crash. */
  readonly ttlMs: number
}

/** Renewed three times while it lasts, so that one lost renewal does no harm. */
const renewalsPerTerm = 3

/**
 * Does the work whenever this process holds the lease, until the signal. The work's own signal tells that the lease
 * is lost or that all is to end; the lease is kept until the work has ended, then given up. A row and the database's
 * clock decide, since a session's lock does not survive transaction poolers.
 */
export async function whileLeading(
  options: LeaseOptions,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { log, name, ttlMs } = options
  const stop = createBell()
  signal.addEventListener('abort', stop.ring)
  let isReachable = true
  // Ends with the signal, which also ends the pause.
  while (!signal.aborted) {
    const term = createTerm(options, signal)
    try {
      if (await term.take()) {
        log.info({ lease: name }, 'this process leads')
        await term.during(work)
        log.info({ lease: name }, 'this process leads no longer')
      }
      isReachable = true
    } catch (error) {
      if (isReachable) log.warn({ err: error, lease: name }, 'the lease cannot be held')
      isReachable = false
    }
    term.end()
    if (!signal.aborted) await stop.wait(ttlMs / renewalsPerTerm)
  }
  signal.removeEventListener('abort', stop.ring)
}

function createTerm(options: LeaseOptions, signal: AbortSignal) {
  const { db, name, holder, ttlMs } = options
  const over = new AbortController()
  const finish = () => over.abort()
  signal.addEventListener('abort', finish)
  const renewal = createBell()
  const done = new AbortController()
  let expiry: NodeJS.Timeout | undefined

  async function take(): Promise<boolean> {
    // Counted from before the request, so that the work ends before the database lets another process begin.
    const nextExpiry = setTimeout(finish, ttlMs)
    const isOurs = await claim(options).catch((error: unknown) => {
      clearTimeout(nextExpiry)
      throw error
    })
    clearTimeout(isOurs ? expiry : nextExpiry)
    if (isOurs) expiry = nextExpiry
    return isOurs
  }

  async function keepRenewing(): Promise<void> {
    // Ends with the work, or when another process has the lease.
    while (!done.signal.aborted) {
      await renewal.wait(ttlMs / renewalsPerTerm)
      if (done.signal.aborted) return
      // Without an answer the term goes on until it expires.
      const isOurs = await take().catch(() => null)
      if (isOurs === false) return finish()
    }
  }

  return {
    take,
    async during(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
      const renewing = keepRenewing()
      try {
        if (!signal.aborted) await work(over.signal)
      } finally {
        done.abort()
        renewal.ring()
        await renewing
      }
      await db.query(sql`delete from leases where name = ${name} and holder = ${holder}`)
    },
    end() {
      clearTimeout(expiry)
      signal.removeEventListener('abort', finish)
    },
  }
}

async function claim({ db, name, holder, ttlMs }: LeaseOptions): Promise<boolean> {
  const rows = await db.query(sql`
    insert into leases (name, holder, expires_at)
    values (${name}, ${holder}, clock_timestamp() + ${ttlMs}::float8 * interval '1 millisecond')
    on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
      where leases.holder = excluded.holder or leases.expires_at <= clock_timestamp()
    returning holder`)
  return rows.length === 1
}
