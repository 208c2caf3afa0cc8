import sql, { raw } from 'sql-template-tag'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { recordAdminAction } from '../../../db/admin-actions.ts'
import type { Database, Queries } from '../../../db/database.ts'
import { loggedChange } from '../../../lib/logged-fields.ts'
import type { Log } from '../../../lib/log.ts'
import { millis } from '../../../world/rows.ts'
import { personalTables } from './declared.ts'
import { erase } from './erasure.ts'
import type { Retention } from './rules.ts'
import type { PersonalTable } from './table.ts'

// The erasure after the event. It runs once for each time that is set, on what is older, in batches that can be repeated.

/** Rows of a batch, so that locks stay short: every process reloads those of some tables. */
const BATCH_SIZE = 2_000
/** Batches of one run of the job; the rest waits for the next minute. */
const MAX_BATCHES = 500

export interface RetentionDeps {
  readonly db: Database
  readonly now: () => number
  readonly log: Log
  readonly retention: () => Retention
}

export interface RetentionRun {
  readonly startedAt: number
  readonly finishedAt: number | null
  readonly counts: Readonly<Record<string, number>>
}

export async function findRun(db: Queries, dueAt: number): Promise<RetentionRun | null> {
  const [row] = await db.query<RetentionRun>(sql`
    select ${millis('started_at')} as "startedAt", ${millis('finished_at')} as "finishedAt", counts
    from retention_runs where due_at = ${new Date(dueAt)}`)
  return row ?? null
}

/** A job of the worker. */
export function retentionJob(deps: RetentionDeps) {
  return {
    name: 'erasure of personal data',
    everyMs: MINUTE_MS,
    run: (signal: AbortSignal) => run(deps, signal),
  }
}

async function run({ db, now, log, retention }: RetentionDeps, signal: AbortSignal): Promise<void> {
  const { eraseAt, erasesMessages } = retention()
  if (eraseAt === null || now() < eraseAt) return
  const known = await findRun(db, eraseAt)
  if (known?.finishedAt != null) return
  if (!known) {
    await db.query(
      sql`insert into retention_runs (due_at) values (${new Date(eraseAt)}) on conflict do nothing`,
    )
    log.info({ eraseAt: new Date(eraseAt).toISOString() }, 'erasing personal data')
  }
  let batches = 0
  for (const table of erasable(erasesMessages)) {
    for (;;) {
      if (signal.aborted || ++batches > MAX_BATCHES) return
      if ((await eraseBatch(db, table, eraseAt)) < BATCH_SIZE) break
    }
  }
  await finish(db, eraseAt)
  log.info({}, 'personal data erased')
}

type Erasable = PersonalTable & Required<Pick<PersonalTable, 'retention'>>

function erasable(erasesMessages: boolean): Erasable[] {
  return personalTables.flatMap((table) => {
    const { retention } = table
    return retention && (erasesMessages || !retention.isOfMessages) ? [{ ...table, retention }] : []
  })
}

function dueRows({ retention: { where, at } }: Erasable, until: number) {
  return at ? sql`${where} and ${at} < ${new Date(until)}` : where
}

/** With its count, in one transaction. */
async function eraseBatch(db: Database, table: Erasable, eraseAt: number): Promise<number> {
  const { name, retention } = table
  const batch = sql`ctid = any(array(
    select ctid from ${raw(name)} where ${dueRows(table, eraseAt)} limit ${BATCH_SIZE} for update))`
  const work = async (tx: Queries) => {
    const count = await erase(tx, table, { rows: batch, erased: retention.erased })
    if (count > 0)
      await tx.query(sql`
        update retention_runs
        set counts = counts || jsonb_build_object(${name}::text, coalesce((counts ->> ${name})::int, 0) + ${count}::int)
        where due_at = ${new Date(eraseAt)}`)
    return count
  }
  return await (table.changed ? db.change(work) : db.transaction(work))
}

/** One entry in the action log for the whole run. */
async function finish(db: Database, eraseAt: number): Promise<void> {
  await db.transaction(async (tx) => {
    const [done] = await tx.query<{ counts: Record<string, number> }>(sql`
      update retention_runs set finished_at = clock_timestamp()
      where due_at = ${new Date(eraseAt)} and finished_at is null returning counts`)
    if (!done) return
    const by = { actorId: null, ip: null, actorName: 'retention' }
    const change = loggedChange(null, done.counts)
    await tx.query(recordAdminAction({ ...by, ...change, action: 'personal-data.erase', target: null }))
  })
}

/** How many rows of each table would be erased now. */
export async function previewOf(db: Queries, { erasesMessages }: Retention, now: number) {
  const counts: Record<string, number> = {}
  for (const table of erasable(erasesMessages)) {
    const [row] = await db.query<{ count: number }>(
      sql`select count(*)::int as count from ${raw(table.name)} where ${dueRows(table, now)}`,
    )
    if (row && row.count > 0) counts[table.name] = (counts[table.name] ?? 0) + row.count
  }
  return counts
}
