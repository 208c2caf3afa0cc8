import sql from 'sql-template-tag'
import type { Queries } from '../../../db/database.ts'
import type { BotEndpoint, JobOwner } from './store.ts'

export interface PulledJobRow {
  readonly id: string
  readonly challengeId: string
  readonly teamId: string
  readonly configRevision: string
  readonly flags: { provider: string; flag: string }[]
  readonly inputs: Record<string, string>
  readonly instancerInstances: BotEndpoint[]
  readonly createdAt: Date
  /** Null if the worker did not request a lease. */
  readonly leaseToken: string | null
}

/** A worker counts as lost after this many time limits: docs/reference/providers.md#jobs-of-lost-workers */
const LIFETIMES = 4

/**
 * Allows three renewals, so a lost one does no harm. It is also the longest time a team waits for a dead
 * worker.
 */
export const LEASE_MS = 30_000
/** After this many dead workers, the job itself is considered the cause. */
const MAX_ATTEMPTS = 3
/** Time to start and stop a browser, in addition to the visit itself. */
const VISIT_MARGIN_MS = 120_000

/** Requeues jobs whose lease expired, or fails them after the last attempt. Returns how many there were. */
export async function returnExpired(db: Queries, now: number): Promise<number> {
  const rows = await db.query(sql`
    update admin_bot_jobs
    set status = case when attempts < ${MAX_ATTEMPTS} then 'queued' else 'failed' end,
      lease_token = null, updated_at = ${new Date(now)}
    where status = 'running' and lease_token is not null and lease_ends_at < ${new Date(now)}
    returning 1`)
  return rows.length
}

export interface Pull {
  /** Unix milliseconds. */
  readonly at: number
  /** Lease of the new attempt; null for a worker that does not renew. */
  readonly leaseToken: string | null
}

/**
 * Assigns the oldest queued job to a worker. `skip locked` ensures that concurrent pulls get different jobs.
 * First fails jobs without a lease that have run too long: their worker died, and the team may submit again.
 */
export async function pullJob(db: Queries, { at: now, leaseToken }: Pull): Promise<PulledJobRow | null> {
  const at = new Date(now)
  await returnExpired(db, now)
  const [row] = await db.query<PulledJobRow>(sql`
    with stale as (
      update admin_bot_jobs set status = 'failed', updated_at = ${at}
      where status = 'running' and lease_token is null
        and updated_at < ${at}::timestamptz - ${LIFETIMES} * timeout_ms * interval '1 millisecond'
    ), next as (
      select id from admin_bot_jobs where status = 'queued' order by seq limit 1 for update skip locked
    )
    update admin_bot_jobs job set status = 'running', updated_at = ${at}, pulled_at = ${at},
      attempts = attempts + 1, lease_token = ${leaseToken}::text,
      lease_ends_at = case when ${leaseToken}::text is not null then ${new Date(now + LEASE_MS)}::timestamptz end
    from next where job.id = next.id
    returning job.id, challenge_id as "challengeId", team_id as "teamId", config_revision as "configRevision", flags,
      inputs, instancer_instances as "instancerInstances", created_at as "createdAt",
      lease_token as "leaseToken"`)
  return row ?? null
}

export interface Renewal {
  readonly id: string
  readonly lease: string
  /** Unix milliseconds. */
  readonly at: number
}

/**
 * Whether the worker still owns the job. A visit that has run far too long is not renewed, because its worker
 * hangs.
 */
export async function renewLease(db: Queries, { id, lease, at }: Renewal): Promise<boolean> {
  const rows = await db.query(sql`
    update admin_bot_jobs set updated_at = ${new Date(at)}, lease_ends_at = ${new Date(at + LEASE_MS)}
    where id = ${id} and status = 'running' and lease_token = ${lease}
      and lease_ends_at >= ${new Date(at)}
      and pulled_at > ${new Date(at - VISIT_MARGIN_MS)}::timestamptz
        - ${LIFETIMES} * timeout_ms * interval '1 millisecond'
    returning 1`)
  return rows.length > 0
}

export interface FinishedJob {
  readonly id: string
  readonly status: 'completed' | 'failed'
  readonly logs: string | undefined
  /** Lease token of the worker, if it has one. An expired lease cannot finish the job. */
  readonly lease: string | undefined
  /** Unix milliseconds. */
  readonly at: number
  /** Number of logs kept per team and challenge. */
  readonly maxLogs: number
}

/** Finishes a running job and deletes logs beyond the limit. Returns whose it was; null if it was not running. */
export async function finishJob(
  db: Queries,
  { id, status, logs, lease, at, maxLogs }: FinishedJob,
): Promise<JobOwner | null> {
  const [owner = null] = await db.query<JobOwner>(sql`
    with done as (
      update admin_bot_jobs set status = ${status}, updated_at = ${new Date(at)}
      where id = ${id} and status = 'running'
        and lease_token is not distinct from ${lease ?? null}::text
      returning id, team_id, challenge_id
    ), kept as (
      insert into admin_bot_logs (job_id, logs)
      select id, ${logs ?? null} from done where ${logs ?? null}::text is not null
      returning job_id
    ), dropped as (
      delete from admin_bot_logs where job_id in (
        select earlier.job_id from kept, done
          join admin_bot_jobs job using (team_id, challenge_id)
          join admin_bot_logs earlier on earlier.job_id = job.id
        -- The statement does not see the row that it adds.
        order by job.seq desc offset ${maxLogs - 1}
      )
    )
    select challenge_id as "challengeId", team_id as "teamId" from done`)
  return owner
}

export interface SourceRow {
  readonly code: string
  readonly revision: string
}

/** The requested revision if it exists, otherwise the current one. */
export async function findSource(db: Queries, challengeId: string, revision = ''): Promise<SourceRow | null> {
  const [row] = await db.query<SourceRow>(sql`
    select code, revision from (
      select code, revision, 0 as preference from admin_bot_sources
      where challenge_id = ${challengeId} and revision = ${revision}
      union all
      select admin_bot_config ->> 'code', admin_bot_config ->> 'revision', 1 from challenges
      where id = ${challengeId} and admin_bot_config is not null
    ) as sources
    order by preference limit 1`)
  return row ?? null
}

export async function countQueued(db: Queries): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count from admin_bot_jobs where status = 'queued'`)
  return row?.count ?? 0
}
