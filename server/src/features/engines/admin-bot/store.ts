import type { Acting } from '../../../lib/acting-person.ts'
import { byColumns, byValues } from '../../../db/acting-columns.ts'
import type { JobStatus } from '@pennant/contract/admin-bot.ts'
import type { BotInstance } from '@pennant/contract/admin-bot-worker.ts'
import sql from 'sql-template-tag'
import type { z } from 'zod'
import { codeOf } from '../../../db/failures.ts'
import type { Queries } from '../../../db/database.ts'

type Inputs = Readonly<Record<string, string>>
export type BotEndpoint = Readonly<z.output<typeof BotInstance>>

/** Identifies the jobs of a team on one challenge. */
export interface JobOwner {
  readonly teamId: string
  readonly challengeId: string
}

/** A job to be queued. The server generates its ids. */
export interface NewJob extends JobOwner {
  readonly id: string
  readonly submissionId: string
  readonly ip: string
  readonly by: Acting
  readonly configRevision: string
  readonly inputs: Inputs
  readonly flags: readonly { readonly provider: string; readonly flag: string }[]
  readonly instancerInstances: readonly BotEndpoint[]
  readonly timeoutMs: number
  /** Unix milliseconds. */
  readonly at: number
}

/** `no_team`, `no_challenge`: deleted in the meantime, nothing was written. */
export type Queued = 'queued' | 'active_job' | 'no_team' | 'no_challenge'

/**
 * Queues the job and records the submission in one statement. The unique index lets only one of several
 * concurrent jobs through.
 */
export async function addJob(db: Queries, job: NewJob): Promise<Queued> {
  const { inputs, configRevision, instancerInstances } = job
  const refused = { inputs, configRevision }
  const at = new Date(job.at)
  try {
    const [row] = await db.query<{ result: Queued }>(sql`
      with job as (
        insert into admin_bot_jobs (id, challenge_id, team_id, config_revision, flags, inputs, instancer_instances,
          timeout_ms, created_at, updated_at)
        values (${job.id}, ${job.challengeId}, ${job.teamId}, ${configRevision}, ${JSON.stringify(job.flags)},
          ${JSON.stringify(inputs)}, ${JSON.stringify(instancerInstances)}, ${job.timeoutMs}, ${at}, ${at})
        on conflict (team_id, challenge_id) where status in ('queued', 'running') do nothing
        returning id
      )
      insert into submissions
        (id, kind, challenge_id, team_id, ip, result, details, related_id, created_at, ${byColumns})
      select ${job.submissionId}, 'admin_bot', ${job.challengeId}, ${job.teamId}, ${job.ip},
        case when job.id is null then 'active_job' else 'queued' end,
        case when job.id is null then ${JSON.stringify(refused)}::jsonb
          else ${JSON.stringify({ ...refused, instancerInstances })}::jsonb end,
        job.id, date_trunc('milliseconds', clock_timestamp()), ${byValues(job.by)}
      from (select) as always left join job on true
      returning result`)
    return row?.result ?? 'active_job'
  } catch (error) {
    if (codeOf(error) !== '23503') throw error
    return (error as { constraint?: string }).constraint?.includes('team') ? 'no_team' : 'no_challenge'
  }
}

/** A submission that was refused and created no job, for the audit. */
export interface RefusedSubmission extends JobOwner {
  readonly id: string
  readonly ip: string
  readonly by: Acting
  readonly result: 'active_job' | 'invalid_input' | 'bad_instancer_state'
  readonly details: object
}

export async function recordRefusal(db: Queries, refused: RefusedSubmission): Promise<void> {
  const { id, challengeId, teamId, ip, by, result, details } = refused
  await db.query(sql`
    insert into submissions (id, kind, challenge_id, team_id, ip, result, details, created_at, ${byColumns})
    values (${id}, 'admin_bot', ${challengeId}, ${teamId}, ${ip}, ${result}, ${JSON.stringify(details)},
      date_trunc('milliseconds', clock_timestamp()), ${byValues(by)})`)
}

export interface ActiveJobRow {
  readonly id: string
  readonly status: z.output<typeof JobStatus>
  readonly createdAt: Date
  readonly queuePosition: number | null
}

export async function findActiveJob(
  db: Queries,
  { teamId, challengeId }: JobOwner,
): Promise<ActiveJobRow | null> {
  const [row] = await db.query<ActiveJobRow>(sql`
    select id, status, created_at as "createdAt",
      case when status = 'queued' then 1 + (
        select count(*) from admin_bot_jobs earlier where earlier.status = 'queued' and earlier.seq < job.seq
      ) end as "queuePosition"
    from admin_bot_jobs job
    where team_id = ${teamId} and challenge_id = ${challengeId} and status in ('queued', 'running')`)
  return row ?? null
}

export interface FinishedJobRow {
  readonly id: string
  readonly status: z.output<typeof JobStatus>
  readonly createdAt: Date
  readonly hasLogs: boolean
}

/**
 * Jobs rarely end without logs, unless a source cannot be loaded. In that case the newest ones are enough.
 */
const MAX_HISTORY = 200

/** Finished jobs, newest first, back to the oldest one that still has logs. */
export function listFinishedJobs(db: Queries, { teamId, challengeId }: JobOwner): Promise<FinishedJobRow[]> {
  return db.query<FinishedJobRow>(sql`
    with finished as (
      select id, seq, status, created_at, logs.job_id is not null as has_logs
      from admin_bot_jobs job left join admin_bot_logs logs on logs.job_id = job.id
      where team_id = ${teamId} and challenge_id = ${challengeId} and status in ('completed', 'failed')
    )
    select id, status, created_at as "createdAt", has_logs as "hasLogs" from finished
    where seq >= (select min(seq) from finished where has_logs)
    order by seq desc limit ${MAX_HISTORY}`)
}

export interface JobKey extends JobOwner {
  readonly jobId: string
}

/** Null if the job does not belong to this team and challenge, or has no logs. */
export async function findLogs(db: Queries, { jobId, teamId, challengeId }: JobKey): Promise<string | null> {
  const [row] = await db.query<{ logs: string }>(sql`
    select logs from admin_bot_logs join admin_bot_jobs job on job.id = job_id
    where job_id = ${jobId} and team_id = ${teamId} and challenge_id = ${challengeId}`)
  return row?.logs ?? null
}
