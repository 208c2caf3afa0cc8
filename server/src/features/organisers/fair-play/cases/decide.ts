import type { Decision } from '@pennant/contract/fair-play-cases.ts'
import sql from 'sql-template-tag'
import { recordAdminAction, type ActionBy } from '../../../../db/admin-actions.ts'
import type { ChangeTransaction, Database } from '../../../../db/database.ts'
import { loggedChange } from '../../../../lib/logged-fields.ts'
import { deleteSolve } from '../../../contest/challenges/admin-store.ts'
import { lockTeam, patchTeam } from '../../../people/teams/admin-store.ts'
import { changeCase, logCase, type Done, type Outcome, type RemovedSolve } from './store.ts'

export interface Ruling {
  readonly decision: Decision
  readonly reason: string
  readonly banned: readonly string[]
  readonly solves: readonly { readonly userId: string; readonly challengeId: string }[]
  readonly now: number
}

/** Rolls back what was done before a team or solve could not be changed. */
class RefusedError extends Error {
  override readonly name = 'RefusedError'
}

async function orRefused<T, R extends string>(work: Promise<T>, refused: R): Promise<T | R> {
  try {
    return await work
  } catch (error) {
    if (error instanceof RefusedError) return refused
    throw error
  }
}

/** `target`: a team or solve is not one of the case, or does not fit the decision. */
export function decideCase(
  db: Database,
  { id, version, ...ruling }: Ruling & { readonly id: string; readonly version: number },
  by: ActionBy,
): Promise<Outcome<'state' | 'target'>> {
  const { decision, reason, now } = ruling
  const work = changeCase<'state' | 'target'>(db, { id, version }, async (tx, row) => {
    if (row.decision !== null) return 'state'
    if (!fits(ruling, row.teamIds)) return 'target'
    const done: Done = {
      banned: await banAll(tx, ruling.banned, by),
      solves: await removeAll(tx, ruling.solves, by),
    }
    const concerned = [...new Set([...ruling.banned, ...ruling.solves.map(({ userId }) => userId)])]
    await tx.query(sql`
      update fair_play_case_teams set concerned = team_id = any(${concerned}::text[])
        or (${decision === 'explained'} and thread_id is not null) where case_id = ${id}`)
    await tx.query(sql`
      update fair_play_cases set decision = ${decision}, reason = ${reason}, decided_by = ${by.actorId},
        decided_at = ${new Date(now)}, done = ${JSON.stringify(done)}::jsonb where id = ${id}`)
    const after = { decision, banned: done.banned, solves: done.solves.map(pairOf) }
    await logCase(tx, id, { by, action: 'decide', after, keys: ['decision', 'reason'] })
    return 'done'
  })
  return orRefused(work, 'target')
}

function fits({ decision, banned, solves }: Ruling, teamIds: readonly string[]): boolean {
  if ((decision === 'banned') !== banned.length > 0) return false
  if (decision === 'solveRemoved' && solves.length === 0) return false
  if (decision !== 'solveRemoved' && decision !== 'banned' && solves.length > 0) return false
  return [...banned, ...solves.map(({ userId }) => userId)].every((teamId) => teamIds.includes(teamId))
}

/** Returns those that were not banned before. */
async function banAll(tx: ChangeTransaction, ids: readonly string[], by: ActionBy): Promise<string[]> {
  const banned: string[] = []
  for (const id of new Set(ids)) {
    const row = await lockTeam(tx, id)
    if (!row) throw new RefusedError()
    if (row.banned) continue
    await patchTeam(tx, { id, row, patch: { banned: true } }, by)
    banned.push(id)
  }
  return banned
}

async function removeAll(
  tx: ChangeTransaction,
  solves: Ruling['solves'],
  by: ActionBy,
): Promise<RemovedSolve[]> {
  const removed: RemovedSolve[] = []
  for (const { userId: teamId, challengeId } of solves) {
    const [solve] = await tx.query<RemovedSolve>(sql`
      select id, challenge_id as "challengeId", team_id as "teamId",
        to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAt",
        global_place as "globalPlace", division_place as "divisionPlace"
      from solves where challenge_id = ${challengeId} and team_id = ${teamId}`)
    if (!solve) throw new RefusedError()
    await deleteSolve(tx, { challengeId, teamId }, { ...by, keys: [] })
    removed.push(solve)
  }
  return removed
}

/** Bans that were lifted since, and solves of deleted challenges and teams, need nothing. `undo`: a team has solved again. */
export function undoDecision(
  db: Database,
  { id, version }: { readonly id: string; readonly version: number },
  by: ActionBy,
): Promise<Outcome<'state' | 'undo'>> {
  const work = changeCase<'state' | 'undo'>(db, { id, version }, async (tx, row) => {
    const { decision, done } = row
    if (decision === null) return 'state'
    for (const teamId of done?.banned ?? []) {
      const team = await lockTeam(tx, teamId)
      if (team?.banned) await patchTeam(tx, { id: teamId, row: team, patch: { banned: false } }, by)
    }
    for (const solve of done?.solves ?? []) await restoreSolve(tx, solve, by)
    await tx.query(sql`update fair_play_case_teams set concerned = false where case_id = ${id}`)
    await tx.query(sql`
      update fair_play_cases set decision = null, reason = null, decided_by = null, decided_at = null, done = null
      where id = ${id}`)
    await logCase(tx, id, { by, action: 'undo', before: { decision }, after: { decision: null } })
    return 'done'
  })
  return orRefused(work, 'undo')
}

/** With the address of the submission, which may be erased by now. */
async function restoreSolve(tx: ChangeTransaction, solve: RemovedSolve, by: ActionBy): Promise<void> {
  const { id, challengeId, teamId, createdAt, globalPlace, divisionPlace } = solve
  const exists = await tx.query(sql`
    select from teams t, challenges c where t.id = ${teamId} and c.id = ${challengeId}`)
  if (exists.length === 0) return
  const restored = await tx.query(sql`
    insert into solves (id, challenge_id, team_id, created_at, ip, global_place, division_place)
    values (${id}, ${challengeId}, ${teamId}, ${createdAt}::timestamptz,
      coalesce((select ip from submissions where related_id = ${id} and result = 'correct' limit 1), 'unknown'),
      ${globalPlace}, ${divisionPlace})
    on conflict on constraint solves_once do nothing returning id`)
  if (restored.length === 0) throw new RefusedError()
  tx.changed('solves', [challengeId, teamId])
  const change = loggedChange(null, { solvedAt: Date.parse(createdAt) })
  const target = `${challengeId} ${teamId}`
  await tx.query(recordAdminAction({ ...by, ...change, action: 'solve.restore', target }))
}

function pairOf({ challengeId, teamId }: RemovedSolve): string {
  return `${challengeId} ${teamId}`
}
