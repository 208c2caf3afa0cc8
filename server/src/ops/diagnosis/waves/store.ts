import sql from 'sql-template-tag'
import { recordAdminAction, type ActionBy } from '../../../db/admin-actions.ts'
import type { Database, Queries } from '../../../db/database.ts'
import type { Diagnosis } from '../check.ts'

// Table `wave_checks`: the last run of each wave.

export interface CheckedChallenge {
  readonly id: string
  /** Of the challenge as it was checked: `fingerprintOf`. */
  readonly fingerprint: string
  readonly checks: readonly Diagnosis[]
}

export interface WaveCheckRow {
  readonly startedAt: number
  readonly finishedAt: number | null
  /** Its process has not written for a while, or said that it stops. */
  readonly isDead: boolean
  readonly results: readonly CheckedChallenge[]
}

/** A run writes more often than this, unless its process was killed or cannot reach the database. */
const DEAD_AFTER_SECONDS = 60

/** By the clock of the database, which all processes share. */
const isDead = sql`alive_at < clock_timestamp() - make_interval(secs => ${DEAD_AFTER_SECONDS})`

export interface NewRun {
  readonly waveId: string
  readonly runId: string
  /** Unix milliseconds. */
  readonly at: number
  readonly by: ActionBy
}

/** Begins a run, unless one is alive in any process; then returns its wave. */
export async function beginRun(
  db: Database,
  { waveId, runId, at, by }: NewRun,
): Promise<'begun' | 'missing' | { readonly busyWith: string }> {
  // The change lock decides between two requests.
  return await db.change(async (tx) => {
    const [wave] = await tx.query(sql`select from waves where id = ${waveId}`)
    if (!wave) return 'missing'
    const [alive] = await tx.query<{ waveId: string }>(sql`
      select wave_id as "waveId" from wave_checks where finished_at is null and not ${isDead} limit 1`)
    if (alive) return { busyWith: alive.waveId }
    await tx.query(sql`
      insert into wave_checks (wave_id, run_id, started_at, alive_at)
      values (${waveId}, ${runId}, ${new Date(at)}, clock_timestamp())
      on conflict (wave_id) do update set run_id = excluded.run_id, started_at = excluded.started_at,
        alive_at = excluded.alive_at, finished_at = null, results = '[]'`)
    await tx.query(recordAdminAction({ ...by, action: 'wave.check', target: waveId }))
    return 'begun'
  })
}

/** Returns false if the run was replaced or its wave deleted. */
export async function keepAlive(db: Queries, runId: string): Promise<boolean> {
  const rows = await db.query(sql`
    update wave_checks set alive_at = clock_timestamp()
    where run_id = ${runId} and finished_at is null returning wave_id`)
  return rows.length > 0
}

export async function addResult(db: Queries, runId: string, result: CheckedChallenge): Promise<void> {
  await db.query(sql`
    update wave_checks set results = results || ${JSON.stringify([result])}::jsonb where run_id = ${runId}`)
}

export async function finishRun(db: Queries, runId: string, at: number): Promise<void> {
  await db.query(sql`update wave_checks set finished_at = ${new Date(at)} where run_id = ${runId}`)
}

/** The process stops; no one has to wait until the run counts as dead. */
export async function abandonRun(db: Queries, runId: string): Promise<void> {
  await db.query(sql`
    update wave_checks set alive_at = '-infinity' where run_id = ${runId} and finished_at is null`)
}

export async function findRun(db: Queries, waveId: string): Promise<WaveCheckRow | null> {
  const [row] = await db.query<WaveCheckRow>(sql`
    select (extract(epoch from started_at) * 1000)::float8 as "startedAt",
      (extract(epoch from finished_at) * 1000)::float8 as "finishedAt", ${isDead} as "isDead", results
    from wave_checks where wave_id = ${waveId}`)
  return row ?? null
}
