import sql from 'sql-template-tag'
import type { Database, Queries } from '../db/database.ts'
import { endedSessionRows } from '../features/people/persons/rows.ts'
import { PRUNE_BATCH_SIZE, type Prune } from './prune.ts'

/** Prunes expired one-time markers of deployments without Redis. Readers ignore expired rows anyway. */
export function pruneMarkers(db: Queries, now: () => number): Prune {
  return async () => {
    const rows = await db.query(sql`
      delete from markers where key in (
        select key from markers where expires_at <= to_timestamp(${now()}::float8 / 1000) limit ${PRUNE_BATCH_SIZE}
      ) and expires_at <= to_timestamp(${now()}::float8 / 1000) returning 1`)
    return rows.length
  }
}

/** Prunes registrations whose verification has expired. */
export function pruneRegistrations(db: Queries, now: () => number): Prune {
  return async () => {
    const rows = await db.query(sql`
      delete from pending_registrations where id in (
        select id from pending_registrations
        where expires_at <= to_timestamp(${now()}::float8 / 1000) limit ${PRUNE_BATCH_SIZE}
      ) and expires_at <= to_timestamp(${now()}::float8 / 1000) returning 1`)
    return rows.length
  }
}

/** Prunes registrations that were decided a month ago. Until then, the link of the applicant shows the reason. */
export function pruneDecidedRegistrations(db: Queries): Prune {
  return async () => {
    const rows = await db.query(sql`
      delete from registration_requests where id in (
        select id from registration_requests
        where state <> 'waiting' and decided_at < clock_timestamp() - interval '30 days' limit ${PRUNE_BATCH_SIZE}
      ) returning 1`)
    return rows.length
  }
}

/** Prunes sessions of people that have expired, ended ones among them, which processes then forget. */
export function pruneSessions(db: Database, now: () => number): Prune {
  return () =>
    db.change(async (tx) => {
      const rows = await tx.query<{ id: string; wasEnded: boolean }>(sql`
        delete from person_sessions where id in (
          select id from person_sessions
          where expires_at <= to_timestamp(${now()}::float8 / 1000) limit ${PRUNE_BATCH_SIZE}
        ) returning id, ended_at is not null as "wasEnded"`)
      const ended = rows.flatMap(({ id, wasEnded }) => (wasEnded ? [id] : []))
      if (ended.length > 0) tx.changed(endedSessionRows, ended)
      return rows.length
    })
}

/** Prunes mails and messages that failed for good, after some days in which an organiser can look up the reason. */
export function pruneOutbox(db: Queries): Prune {
  return async () => {
    const rows = await db.query(sql`
      delete from outbox where id in (
        select id from outbox where failed_at < clock_timestamp() - interval '14 days' limit ${PRUNE_BATCH_SIZE}
      ) returning 1`)
    return rows.length
  }
}
