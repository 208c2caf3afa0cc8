import sql from 'sql-template-tag'
import type { Queries, Statement } from '../../../db/database.ts'
import type { OutboxState, QueueState } from './backlog.ts'
import { REGISTRATION_WINDOW_MS } from './registrations.ts'

/** The database clock, which dates the audit. Unix milliseconds. */
export async function readClock(db: Queries): Promise<number> {
  const [row] = await db.query<{ at: number }>(
    sql`select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as at`,
  )
  return row?.at ?? 0
}

/**
 * Submissions per minute, numbered since 1970. Reads the rows from the given time on, using the index on
 * created_at.
 */
export function minuteCounts(fromMs: number): Statement {
  return sql`
    select floor(extract(epoch from created_at) / 60)::int as minute, count(*)::int as count,
      (count(*) filter (where result = 'correct'))::int as correct
    from submissions where created_at >= ${new Date(fromMs)} group by 1`
}

export function activeTeams(fromMs: number): Statement {
  return sql`
    select count(distinct team_id)::int as count from submissions where created_at >= ${new Date(fromMs)}`
}

export function readOutbox(db: Queries): Promise<OutboxState[]> {
  return db.query<OutboxState>(sql`
    with tried as (
      select *, failed_at is null and last_error is not null
          and (attempts > 1 or created_at < clock_timestamp() - interval '15 seconds') as is_failing,
        failed_at > clock_timestamp() - interval '1 day' as is_given_up
      from outbox
    )
    select kind, count(*) filter (where failed_at is null)::int as pending,
      count(*) filter (where is_failing)::int as failing,
      min(created_at) filter (where is_failing) as "failingSince",
      count(*) filter (where is_given_up)::int as "givenUp",
      min(failed_at) filter (where is_given_up) as "givenUpSince"
    from tried group by kind`)
}

export async function readQueues(db: Queries, now: number): Promise<QueueState> {
  const [row] = await db.query<QueueState>(sql`
    select
      (select count(*)::int from pending_registrations where expires_at > ${new Date(now)} and perms = 0)
        as verifications,
      (select count(*)::int from registration_requests where state = 'waiting') as "waitingRegistrations",
      (select count(*)::int from pending_registrations
        where created_at > ${new Date(now - REGISTRATION_WINDOW_MS)} and perms = 0) as "newVerifications",
      (select count(*)::int from admin_bot_jobs where status = 'queued') as "botQueued",
      (select count(*)::int from admin_bot_jobs where status = 'running') as "botRunning",
      (select min(created_at) from admin_bot_jobs where status = 'queued') as "botOldestAt",
      (select expires_at from leases where name = 'worker' and expires_at <= clock_timestamp()) as "workerLostAt",
      exists (select from leases where name = 'worker' and expires_at > clock_timestamp()) as "hasWorker"`)
  if (!row) throw new Error('a select without a table returned no row')
  return row
}
