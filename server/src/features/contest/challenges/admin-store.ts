import sql, { join, type Sql } from 'sql-template-tag'
import { recordAdminAction, type ActionBy } from '../../../db/admin-actions.ts'
import type { ChangeTransaction, Database, Queries } from '../../../db/database.ts'
import { loggedChange } from '../../../lib/logged-fields.ts'
import { readChallenges } from '../../../world/rows.ts'
import type { ChallengeRow, ScoringKind } from '../../../world/model.ts'
import { isKindFixed } from './admin-rules.ts'
import type { ChallengePatch } from './challenge-patch.ts'
import { refundHints } from './hint-refunds.ts'
import { findPrerequisiteProblems, forgetPrerequisite } from './prerequisites.ts'
import { touchCounts, withWave, type FieldProblem } from './wave-membership.ts'
import { challengeChange } from './logged.ts'

type Json = Readonly<Record<string, unknown>>

/** Who edits and which fields were given, for the audit record of admin actions. */
export interface Editor extends ActionBy {
  readonly keys: readonly string[]
}

export interface Edit {
  readonly id: string
  readonly patch: ChallengePatch
  /**
   * Computes the new instancer settings from the stored ones; undefined keeps them. Returns null if the
   * stored settings are no longer the ones that were checked. In that case nothing is written.
   */
  readonly instancerConfig: ((stored: Json | null) => { readonly value: Json | null } | null) | undefined
  readonly editor: Editor
  /** The caller has checked the prerequisites under the change lock. */
  readonly arePrerequisitesChecked?: boolean
}

export type Edited =
  | { readonly row: ChallengeRow }
  /** Existing solves prevent the change of the scoring kind. */
  | { readonly fixedBy: number; readonly from: ScoringKind }
  | { readonly problem: FieldProblem }
  | 'stale'

/**
 * Reads and writes under a lock, so that concurrent edits of different fields do not overwrite each other.
 */
export async function editChallenge(db: Database, edit: Edit): Promise<Edited> {
  return await db.change(async (tx) => {
    const written = await writeChallenge(tx, edit)
    if (written !== 'written') return written
    const [row] = await readChallenges(tx, [edit.id])
    if (!row) throw new Error('a challenge was deleted while it was locked')
    return { row }
  })
}

/** Creates or updates a challenge in the caller's transaction, which holds the change lock. */
export async function writeChallenge(
  tx: ChangeTransaction,
  { id, patch, instancerConfig, editor, arePrerequisitesChecked = false }: Edit,
): Promise<'written' | Exclude<Edited, { readonly row: ChallengeRow }>> {
  const current = await lockChallenge(tx, id)
  if (current && patch.scoring && isKindFixed(current.scoringKind, patch.scoring.kind)) {
    const count = await countSolves(tx, id)
    if (count > 0) return { fixedBy: count, from: current.scoringKind }
  }
  const problem = scoringProblem(patch, current)
  if (problem) return { problem }
  const planned = await withWave(tx, current, patch)
  if ('problem' in planned) return planned
  if (patch.prerequisites && !arePrerequisitesChecked) {
    const problems = await findPrerequisiteProblems(tx, new Map([[id, patch.prerequisites]]))
    const reason = problems.get(id)
    if (reason !== undefined) return { problem: { field: 'prerequisites', reason } }
  }
  const assignments = assignmentsOf(planned.patch)
  if (instancerConfig) {
    const next = instancerConfig(current?.instancerConfig ?? null)
    if (!next) return 'stale'
    assignments.push(sql`instancer_config = ${json(next.value)}::jsonb`)
  }
  if (!current) await tx.query(sql`insert into challenges (id, version) values (${id}, 0)`)
  assignments.push(sql`version = version + 1`)
  await tx.query(sql`update challenges set ${join(assignments)} where id = ${id}`)
  const action = current ? 'challenge.update' : 'challenge.create'
  const [written = null] = await readChallenges(tx, [id])
  await tx.query(recordAdminAction({ ...editor, ...challengeChange(current, written), action, target: id }))
  tx.changed('challenges', [id])
  touchCounts(tx, current, written)
  return 'written'
}

/** No one could push to a dynamic challenge without a secret. */
function scoringProblem({ scoring }: ChallengePatch, current: ChallengeRow | null): FieldProblem | null {
  if (scoring?.kind !== 'dynamic' || scoring.secret !== undefined || current?.scoringKind === 'dynamic')
    return null
  return { field: 'scoring.source.secret', reason: 'is missing; the challenge has none' }
}

async function lockChallenge(tx: ChangeTransaction, id: string): Promise<ChallengeRow | null> {
  await tx.query(sql`select from challenges where id = ${id} for update`)
  const [row] = await readChallenges(tx, [id])
  return row ?? null
}

function assignmentsOf(patch: ChallengePatch): Sql[] {
  const { name, category, author, description, flags, points, tiebreakEligible, files, sortWeight } = patch
  const { hidden, releaseAt, scoring, adminBotConfig, tags, waveId, prerequisites, lockedShown } = patch
  const assignments: Sql[] = []
  if (name !== undefined) assignments.push(sql`name = ${name}`)
  if (category !== undefined) assignments.push(sql`category = ${category}`)
  if (author !== undefined) assignments.push(sql`author = ${author}`)
  if (description !== undefined) assignments.push(sql`description = ${description}`)
  if (flags) assignments.push(sql`flags = ${json(flags)}::jsonb`)
  if (points) assignments.push(sql`points_min = ${points.min}, points_max = ${points.max}`)
  if (tiebreakEligible !== undefined) assignments.push(sql`tiebreak_choice = ${tiebreakEligible}`)
  if (files) assignments.push(sql`files = ${json(files)}::jsonb`)
  if (sortWeight !== undefined) assignments.push(sql`sort_weight = ${sortWeight}`)
  if (hidden !== undefined) assignments.push(sql`hidden = ${hidden}`)
  if (releaseAt !== undefined)
    assignments.push(sql`release_at = ${releaseAt === null ? null : new Date(releaseAt)}`)
  if (scoring) assignments.push(sql`scoring_kind = ${scoring.kind}`)
  const isSecretKept = scoring?.kind === 'dynamic' && scoring.secret === undefined
  if (scoring && !isSecretKept) assignments.push(sql`scoring_secret = ${scoring.secret ?? null}`)
  if (adminBotConfig !== undefined) assignments.push(sql`admin_bot_config = ${json(adminBotConfig)}::json`)
  if (waveId !== undefined) assignments.push(sql`wave_id = ${waveId}`)
  if (prerequisites) assignments.push(sql`prerequisites = ${json([...new Set(prerequisites)])}::jsonb`)
  if (lockedShown !== undefined) assignments.push(sql`locked_shown = ${lockedShown}`)
  if (tags !== undefined) assignments.push(sql`tags = ${json(tags)}::jsonb`)
  return assignments
}

/** Serialized here, because the driver would encode an array as a PostgreSQL array. */
function json(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value)
}

export async function findInstancerConfig(db: Queries, id: string): Promise<Json | null> {
  const [row] = await readChallenges(db, [id])
  return row?.instancerConfig ?? null
}

/** Counts all solves and feed scores of the challenge, including those of banned teams. */
export async function countSolves(db: Queries, id: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select (select count(*) from solves where challenge_id = ${id})
      + (select count(*) from feed_scores where challenge_id = ${id}) as count`)
  return row?.count ?? 0
}

/** Also deletes its solves, minted flags, scores and hints, refunds what teams paid for those, and removes it from prerequisites. The audit remains. */
export async function removeChallenge(db: Database, id: string, editor: Editor): Promise<void> {
  await db.change(async (tx) => {
    const gone = await lockChallenge(tx, id)
    if (!gone) return
    await refundHints(tx, sql`h.challenge_id = ${id}`, editor)
    await tx.query(sql`delete from challenges where id = ${id}`)
    tx.changed('challenges', [id, ...(await forgetPrerequisite(tx, id))])
    touchCounts(tx, gone, null)
    const change = challengeChange(gone, null)
    await tx.query(recordAdminAction({ ...editor, ...change, action: 'challenge.delete', target: id }))
  })
}

interface SolveKey {
  readonly challengeId: string
  readonly teamId: string
}

/** Returns whether there was a solve or a feed score. */
export async function removeSolve(db: Database, key: SolveKey, editor: Editor): Promise<boolean> {
  return await db.change((tx) => deleteSolve(tx, key, editor))
}

export async function deleteSolve(
  tx: ChangeTransaction,
  { challengeId, teamId }: SolveKey,
  editor: Editor,
): Promise<boolean> {
  const solves = await tx.query<{ solvedAt: number }>(sql`
    delete from solves where challenge_id = ${challengeId} and team_id = ${teamId}
    returning (extract(epoch from created_at) * 1000)::float8 as "solvedAt"`)
  const feed = await tx.query<{ points: number }>(sql`
    delete from feed_scores where challenge_id = ${challengeId} and team_id = ${teamId} returning points`)
  if (solves.length + feed.length === 0) return false
  for (const { points } of feed) {
    // Keeps the sum of the events equal to the current score.
    if (points !== 0)
      await tx.query(sql`
        insert into feed_events (challenge_id, team_id, delta, at)
        values (${challengeId}, ${teamId}, ${-points}, date_trunc('milliseconds', clock_timestamp()))`)
  }
  const target = `${challengeId} ${teamId}`
  const gone = { solvedAt: solves[0]?.solvedAt ?? null, points: feed[0]?.points ?? null }
  const change = loggedChange(gone, null)
  await tx.query(recordAdminAction({ ...editor, ...change, action: 'solve.delete', target }))
  if (solves.length > 0) tx.changed('solves', [challengeId, teamId])
  if (feed.length > 0) tx.changed('feed', [challengeId])
  return true
}
