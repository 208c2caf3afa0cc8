import sql from 'sql-template-tag'
import type { Queries } from '../db/database.ts'
import type { Log } from '../lib/log.ts'
import { createWakeSignal } from './wake-signal.ts'

// States of a process for one lease:
// - waiting: another process holds it. Left for leading when `claim` succeeds: the lease expired or was released.
// - leading: renews it three times per term. Left when a renewal finds another holder, when the term ends without a renewal (the
//   database does not respond), or when the process stops; the work is aborted, and the lease deleted after it.
// - ended: the signal aborted.

export interface LeaseOptions {
  readonly db: Queries
  readonly log: Log
  readonly name: string
  /** Identifies this process; never reused. */
  readonly holder: string
  /** How long the lease lasts without renewal: the maximum time without a leader after a crash. */
  readonly ttlMs: number
}

/** Renewed three times per term, so that one lost renewal does no harm. */
const RENEWALS_PER_TERM = 3
/** Between two attempts of a process that does not hold the lease. */
const MIN_PAUSE_MS = 50

/**
 * Leader election: runs the work while this process holds the lease, until the signal. The work's own signal aborts
 * when the lease is lost or the process stops; the lease is released after the work has ended. The lease is a row
 * with an expiry on the database's clock, because session locks do not work behind transaction poolers.
 */
export async function whileLeading(
  options: LeaseOptions,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { log, name, ttlMs } = options
  const stop = createWakeSignal()
  signal.addEventListener('abort', stop.wake)
  let isReachable = true
  // The signal ends the loop and its pause.
  while (!signal.aborted) {
    const term = createTerm(options, signal)
    let waitMs = ttlMs / RENEWALS_PER_TERM
    try {
      if (await term.take()) {
        log.info({ lease: name }, 'this process is the leader')
        await term.during(work)
        log.info({ lease: name }, 'this process is no longer the leader')
      } else waitMs = Math.min(waitMs, await expiresInMs(options))
      isReachable = true
    } catch (error) {
      if (isReachable) log.warn({ err: error, lease: name }, 'could not renew the lease')
      isReachable = false
    }
    term.end()
    if (!signal.aborted) await stop.wait(waitMs)
  }
  signal.removeEventListener('abort', stop.wake)
}

function createTerm(options: LeaseOptions, signal: AbortSignal) {
  const { db, name, holder, ttlMs } = options
  const over = new AbortController()
  const finish = () => over.abort()
  signal.addEventListener('abort', finish)
  const renewal = createWakeSignal()
  const done = new AbortController()
  let expiry: NodeJS.Timeout | undefined

  async function take(): Promise<boolean> {
    // The term counts from before the request, so that the work ends before another process can get the lease.
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
      await renewal.wait(ttlMs / RENEWALS_PER_TERM)
      if (done.signal.aborted) return
      // If the database does not respond, the term continues until it expires.
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
        renewal.wake()
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

/** Shorter than the pause between attempts if the holder does not renew: it may have crashed. */
async function expiresInMs({ db, name }: LeaseOptions): Promise<number> {
  const [row] = await db.query<{ ms: number }>(sql`
    select ceil(extract(epoch from expires_at - clock_timestamp()) * 1000)::float8 as ms
    from leases where name = ${name}`)
  return Math.max(row?.ms ?? 0, MIN_PAUSE_MS)
}
