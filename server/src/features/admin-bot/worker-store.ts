import sql from 'sql-template-tag'
import type { Queries } from '../../db/database.ts'
import type { BotEndpoint } from './store.ts'

export interface PulledJobRow {
  readonly id: string
  readonly challengeId: string
  readonly teamId: string
  readonly configRevision: string
  readonly flags: { provider: string; flag: string }[]
  readonly inputs: Record<string, string>
  readonly instancerInstances: BotEndpoint[]
  readonly createdAt: Date
}

/** A worker that overruns its limit as far as this is gone (contract, admin C). */
const LIFETIMES = 4

/**
 * Hands out the oldest queued job. Workers that pull at once skip each other's rows, so none gets the same. Before it,
 * what ran for too long is failed: its worker died, and the team may submit again.
 */
export async function pullJob(db: Queries, now: number): Promise<PulledJobRow | null> {
  const at = new Date(now)
  const [row] = await db.query<PulledJobRow>(sql`
    with stale as (
      update admin_bot_jobs set status = 'failed', updated_at = ${at}
      where status = 'running'
        and updated_at < ${at}::timestamptz - ${LIFETIMES} * timeout_ms * interval '1 millisecond'
    ), next as (
      select id from admin_bot_jobs where status = 'queued' order by seq limit 1 for update skip locked
    )
    update admin_bot_jobs job set status = 'running', updated_at = ${at}
    from next where job.id = next.id
    returning job.id, challenge_id as "challengeId", team_id as "teamId", config_revision as "configRevision", flags,
      inputs, instancer_instances as "instancerInstances", created_at as "createdAt"`)
  return row ?? null
}

export interface FinishedJob {
  readonly id: string
  readonly status: 'completed' | 'failed'
  readonly logs: string | undefined
  /** Unix milliseconds. */
  readonly at: number
  /** Logs kept of a team on a challenge. */
  readonly maxLogs: number
}

/** Ends a running job, and drops the oldest logs beyond those that are kept. Whether it was running. */
export async function finishJob(
  db: Queries,
  { id, status, logs, at, maxLogs }: FinishedJob,
): Promise<boolean> {
  const rows = await db.query(sql`
    with done as (
      update admin_bot_jobs set status = ${status}, updated_at = ${new Date(at)}
      where id = ${id} and status = 'running'
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
    select id from done`)
  return rows.length > 0
}

export interface SourceRow {
  readonly code: string
  readonly revision: string
}

/** The revision asked for, else the present one. */
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
