import sql from 'sql-template-tag'
import { recordAdminAction, type ActionBy } from '../../../db/admin-actions.ts'
import type { ChangeTransaction, Database } from '../../../db/database.ts'
import { loggedChange } from '../../../lib/logged-fields.ts'
import type { Agent } from '../../../world/model.ts'
import { readSettings } from '../../../world/rows.ts'
import { choicesOf, declarationProblem, type Declaration } from './rules.ts'

/** `gone`: the team does not exist. */
export type Refusal = 'gone' | 'track' | 'agent'

interface Row {
  readonly track: string | null
  readonly agent: Agent | null
}

async function lock(tx: ChangeTransaction, id: string): Promise<Row | null> {
  const [row] = await tx.query<Row>(sql`select track, agent from teams where id = ${id} for update`)
  return row ?? null
}

async function write(tx: ChangeTransaction, id: string, { track, agent }: Declaration): Promise<void> {
  const named = agent === undefined ? null : JSON.stringify(agent)
  await tx.query(sql`update teams set track = ${track}, agent = ${named}::jsonb where id = ${id}`)
  tx.changed('teams', [id])
}

/** The team's own declaration. Rules and settings are checked again under the change lock. */
export async function declareTrack(
  db: Database,
  { id, isLocked, ...declaration }: Declaration & { readonly id: string; readonly isLocked: boolean },
): Promise<Refusal | 'done'> {
  return await db.change(async (tx) => {
    const row = await lock(tx, id)
    if (!row) return 'gone'
    const choices = choicesOf(await readSettings(tx), row, isLocked)
    const problem = declarationProblem(choices, declaration)
    if (problem) return problem
    await write(tx, id, declaration)
    return 'done'
  })
}

/** By an organiser, to any track. The action log has the reason. */
export async function moveTeam(
  db: Database,
  { id, reason, ...declaration }: Declaration & { readonly id: string; readonly reason: string },
  actor: ActionBy,
): Promise<Refusal | 'done'> {
  return await db.change(async (tx) => {
    const row = await lock(tx, id)
    if (!row) return 'gone'
    const { tracks = [] } = await readSettings(tx)
    const problem = declarationProblem(tracks, declaration)
    if (problem) return problem
    await write(tx, id, declaration)
    const { track, agent = null } = declaration
    const change = loggedChange({ ...row, reason: null }, { track, agent, reason })
    await tx.query(recordAdminAction({ ...actor, ...change, action: 'team.track', target: id }))
    return 'done'
  })
}

/** Returns whether the team has solved the challenge. */
export async function markSolve(
  db: Database,
  { teamId, challengeId, isAssisted }: { teamId: string; challengeId: string; isAssisted: boolean },
): Promise<boolean> {
  return await db.change(async (tx) => {
    const rows = await tx.query(sql`
      update solves set assisted = ${isAssisted}
      where challenge_id = ${challengeId} and team_id = ${teamId} returning 1`)
    if (rows.length > 0) tx.changed('solves', [challengeId, teamId])
    return rows.length > 0
  })
}
