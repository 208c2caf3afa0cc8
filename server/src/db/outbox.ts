import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Queries, Statement } from './database.ts'

/** Channel that wakes the worker after rows were added. */
export const OUTBOX_CHANNEL = 'outbox'

/** `file`: an uploaded file to delete. */
type OutboxKind = 'mail' | 'mailing' | 'message' | 'file' | 'question'

/** Adds a row to the outbox, in the transaction that causes it; the worker sends it after the commit. */
export function addToOutbox(kind: OutboxKind, payload: object): Statement {
  return sql`insert into outbox (id, kind, payload) values (${randomUUID()}, ${kind}, ${JSON.stringify(payload)})`
}

/** Adds several rows in one statement. */
export function addAllToOutbox(kind: OutboxKind, payloads: readonly object[]): Statement {
  const ids = payloads.map(() => randomUUID())
  const texts = payloads.map((payload) => JSON.stringify(payload))
  return sql`
    insert into outbox (id, kind, payload)
    select id, ${kind}, payload::jsonb from unnest(${ids}::uuid[], ${texts}::text[]) as t (id, payload)`
}

/** Number of rows that are neither sent nor failed. Scheduled ones do not count before their time. */
export async function countPending(db: Queries): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from outbox where failed_at is null and created_at <= clock_timestamp()`)
  return row?.count ?? 0
}
