import sql, { raw } from 'sql-template-tag'
import type { Queries } from '../db/database.ts'

export interface OutboxRow {
  readonly id: string
  readonly kind: string
  readonly payload: unknown
  readonly receiver: string
  /** Including this one. */
  readonly attempts: number
  /** Since it was added. */
  readonly ageMs: number
}

/** Rows of the same kind for the same destination. */
const RECEIVER = raw(`(kind || ' ' || coalesce(payload ->> 'destination', ''))`)

export interface Claim {
  readonly limit: number
  /** How long no other dispatcher gets the rows. */
  readonly holdMs: number
  /** Receivers whose rows are left out. */
  readonly except: readonly string[]
}

/** Claims due rows. No other dispatcher gets them until they are deleted or put back, or the claim expires. */
export function claimDueRows(db: Queries, { limit, holdMs, except }: Claim): Promise<OutboxRow[]> {
  return db.query<OutboxRow>(sql`
    with due as (
      select id from outbox
      where failed_at is null and due_at <= clock_timestamp() and ${RECEIVER} <> all(${except}::text[])
      order by due_at limit ${limit} for update skip locked
    )
    update outbox set attempts = attempts + 1, due_at = clock_timestamp() + ${holdMs}::float8 * interval '1 ms'
    from due where outbox.id = due.id
    returning outbox.id, kind, payload, attempts, ${RECEIVER} as receiver,
      (extract(epoch from clock_timestamp() - created_at) * 1000)::float8 as "ageMs"`)
}

/** Nothing was sent: makes the row due again and does not count this attempt. */
export async function release(db: Queries, { id }: OutboxRow, { error }: { error: string }): Promise<void> {
  await db.query(sql`
    update outbox set attempts = greatest(attempts - 1, 0), due_at = clock_timestamp(), last_error = ${error}
    where id = ${id}`)
}

/** Makes claimed rows due again, as if no one had claimed them. */
export async function unclaim(db: Queries, rows: readonly OutboxRow[]): Promise<void> {
  await db.query(sql`
    update outbox set attempts = greatest(attempts - 1, 0), due_at = clock_timestamp()
    where id = any(${rows.map(({ id }) => id)})`)
}

export async function removeSentRow(db: Queries, id: string): Promise<void> {
  await db.query(sql`delete from outbox where id = ${id}`)
}

/** Jitter of 20 % either way, so that rows that failed together are not retried together. */
export async function retryLater(db: Queries, { id }: OutboxRow, next: { delayMs: number; error: string }) {
  await db.query(sql`
    update outbox set last_error = ${next.error},
      due_at = clock_timestamp() + ${next.delayMs}::float8 * (0.8 + 0.4 * random()) * interval '1 ms'
    where id = ${id}`)
}

/**
 * The receiver is busy: delays all rows for it, and does not count this attempt. Rows for the same receiver may be postponed at
 * the same time, so only the own row is waited for: one statement for all of them would deadlock, or skip the own row.
 */
export async function postpone(db: Queries, row: OutboxRow, next: { delayMs: number; error: string }) {
  const { id, receiver } = row
  const dueAt = sql`clock_timestamp() + ${next.delayMs}::float8 * (1 + 0.2 * random()) * interval '1 ms'`
  await db.query(sql`
    update outbox set attempts = greatest(attempts - 1, 0), last_error = ${next.error}, due_at = ${dueAt}
    where id = ${id}`)
  await db.query(sql`
    with others as (
      select id from outbox
      where ${RECEIVER} = ${receiver} and failed_at is null and id <> ${id}
      for update skip locked
    )
    update outbox set due_at = greatest(due_at, ${dueAt}) from others where outbox.id = others.id`)
}

export async function giveUp(db: Queries, { id }: OutboxRow, { error }: { error: string }): Promise<void> {
  // The token signs someone in, and no one needs it any more.
  await db.query(sql`
    update outbox set payload = payload - 'token', last_error = ${error}, failed_at = clock_timestamp() where id = ${id}`)
}
