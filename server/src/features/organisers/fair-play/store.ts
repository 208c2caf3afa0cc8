import {
  defaultThresholds,
  FairPlayThresholds,
  signalTiers,
  type SignalKind,
  type SignalTier,
} from '@pennant/contract/fair-play.ts'
import sql, { join, type Sql } from 'sql-template-tag'
import { recordAdminAction, type ActionBy } from '../../../db/admin-actions.ts'
import type { Database, Queries } from '../../../db/database.ts'
import { definedOf } from '../../../lib/defined-of.ts'
import { loggedChange } from '../../../lib/logged-fields.ts'
import { millis } from '../../../world/rows.ts'
import { countKinds, type Computed, type KindCount } from './compute.ts'
import type { Signal } from './signals/signal.ts'

export interface Summary {
  readonly playing: number
  readonly attempts: number
  readonly isCut: boolean
  readonly kinds: readonly KindCount[]
}

export interface Desk {
  readonly thresholds: FairPlayThresholds
  readonly version: number
  readonly receiptsSince: number
  /** Null before the first computation. */
  readonly computedAt: number | null
  readonly summary: Summary | null
}

export async function readDesk(db: Queries): Promise<Desk> {
  const [row] = await db.query<Omit<Desk, 'thresholds'> & { thresholds: object }>(sql`
    select thresholds, version, ${millis('receipts_since')} as "receiptsSince", ${millis('computed_at')} as "computedAt",
      summary from fair_play`)
  if (!row) throw new Error('fair_play has no row')
  return { ...row, thresholds: withDefaults(row.thresholds) }
}

/** A threshold that this version does not know, or would refuse, has its usual value. */
function withDefaults(stored: object): FairPlayThresholds {
  const read = FairPlayThresholds.partial().safeParse(stored)
  return { ...defaultThresholds, ...(read.success ? definedOf(read.data) : {}) }
}

/** Replaces what was computed before, in one transaction. */
export async function storeSignals(db: Database, computed: Computed, now: number): Promise<void> {
  const { signals, playing, attempts, isCut } = computed
  const summary: Summary = { playing, attempts, isCut, kinds: countKinds(signals) }
  await db.transaction(async (tx) => {
    await tx.query(sql`delete from fair_play_signals`)
    await tx.query(sql`
      insert into fair_play_signals (id, kind, team_ids, challenge_id, at, submission_ids, evidence)
      select id, kind, array(select jsonb_array_elements_text("teamIds")), "challengeId",
        timestamptz 'epoch' + at * interval '1 millisecond', array(select jsonb_array_elements_text("submissionIds")), evidence
      from jsonb_to_recordset(${JSON.stringify(signals)}::jsonb) as signal (id text, kind text, "teamIds" jsonb,
        "challengeId" text, at float8, "submissionIds" jsonb, evidence jsonb)`)
    await tx.query(sql`
      update fair_play set computed_at = ${new Date(now)}, summary = ${JSON.stringify(summary)}::jsonb`)
  })
}

/** Changes with what the signals are computed from. */
export async function readFactsMark(db: Queries): Promise<string> {
  const [row] = await db.query<{ mark: string }>(sql`
    select concat_ws(' ', (select max(created_at) from submissions), (select max(at) from challenge_receipts),
      (select max(id) from instance_actions), (select max(created_at) from dynamic_flags), version,
      (select count(*) from fair_play_decoys), (select max(created_at) from fair_play_decoys)) as mark
    from fair_play`)
  return row?.mark ?? ''
}

export interface SignalFilter {
  readonly kind?: SignalKind | undefined
  readonly tier?: SignalTier | undefined
  readonly teamIds?: readonly string[] | undefined
  readonly limit: number
  readonly offset: number
}

/** Newest first. */
export async function readSignals(
  db: Queries,
  { kind, tier, teamIds, limit, offset }: SignalFilter,
): Promise<{ readonly total: number; readonly signals: readonly Signal[] }> {
  const conditions: Sql[] = [sql`true`]
  if (kind) conditions.push(sql`kind = ${kind}`)
  if (tier) conditions.push(sql`kind = any(${kindsOf(tier)}::text[])`)
  if (teamIds) conditions.push(sql`team_ids && ${teamIds}::text[]`)
  const where = join(conditions, ' and ')
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from fair_play_signals where ${where}`,
  )
  const signals = await db.query<Signal>(sql`
    select id, kind, team_ids as "teamIds", challenge_id as "challengeId", ${millis('at')} as at,
      submission_ids as "submissionIds", evidence
    from fair_play_signals where ${where} order by at desc, id limit ${limit} offset ${offset}`)
  return { total: count?.total ?? 0, signals }
}

function kindsOf(tier: SignalTier): string[] {
  return Object.entries(signalTiers).flatMap(([kind, each]) => (each === tier ? [kind] : []))
}

export interface Suggestion {
  readonly teamIds: readonly string[]
  readonly hard: number
  readonly behavioural: number
  readonly lastAt: number
}

/** Teams and pairs without a common case that have signals which may make one, the strongest first. Context makes none. */
export function readSuggestions(db: Queries, limit: number): Promise<Suggestion[]> {
  return db.query<Suggestion>(sql`
    select "teamIds", (count(*) filter (where is_hard))::int as hard,
      (count(*) filter (where not is_hard))::int as behavioural, ${millis('max(at)')} as "lastAt"
    from (
      select array(select unnest(team_ids) order by 1) as "teamIds", at, kind = any(${kindsOf('hard')}::text[]) as is_hard
      from fair_play_signals where kind <> all(${kindsOf('context')}::text[])
    ) as signal
    where not exists (select from fair_play_case_teams where team_id = any("teamIds")
      group by case_id having count(*) = cardinality("teamIds"))
    group by "teamIds"
    order by hard desc, behavioural desc, "lastAt" desc, "teamIds" limit ${limit}`)
}

export interface ThresholdEdit {
  readonly version: number
  readonly thresholds: { readonly [Name in keyof FairPlayThresholds]?: number | undefined }
}

/** Replaces what differs from the usual values. Returns false if another organiser was faster. */
export async function writeThresholds(db: Database, edit: ThresholdEdit, by: ActionBy): Promise<boolean> {
  return await db.transaction(async (tx) => {
    await tx.query(sql`select from fair_play for update`)
    const before = await readDesk(tx)
    if (before.version !== edit.version) return false
    const after = { ...before.thresholds, ...definedOf(edit.thresholds) }
    await tx.query(sql`
      update fair_play set thresholds = ${JSON.stringify(after)}::jsonb, version = version + 1`)
    const change = loggedChange({ ...before.thresholds }, { ...after })
    const keys = Object.keys(edit.thresholds)
    await tx.query(
      recordAdminAction({ ...by, ...change, action: 'fair-play.thresholds', target: null, keys }),
    )
    return true
  })
}

/** Receipts of deleted teams and challenges. */
export async function deleteOrphans(db: Queries): Promise<void> {
  await db.query(sql`
    delete from challenge_receipts r where not exists (select from teams where id = r.team_id)
      or not exists (select from challenges where id = r.challenge_id)`)
}
