import { randomUUID } from 'node:crypto'
import sql, { empty } from 'sql-template-tag'
import { adjustmentLimits } from '@pennant/contract/score-adjustments.ts'
import { recordAdminAction, type ActionBy } from '../../../db/admin-actions.ts'
import type { ChangeTransaction, Database, Queries } from '../../../db/database.ts'
import { loggedChange } from '../../../lib/logged-fields.ts'
import { adjustmentRows, type AdjustmentRow } from './rows.ts'

/** An adjustment as organisers see it. Times are Unix milliseconds. */
export interface StoredAdjustment {
  readonly id: string
  readonly teamId: string
  readonly teamName: string
  readonly points: number
  readonly reason: string
  readonly kind: AdjustmentRow['kind']
  readonly at: number
  readonly createdBy: string | null
  readonly createdByName: string | null
  readonly undoneAt: number | null
  readonly undoneBy: string | null
  readonly undoneByName: string | null
}

interface Author extends ActionBy {
  readonly now: number
}

interface NewAdjustment {
  readonly teamId: string
  readonly points: number
  readonly reason: string
}

/** With the names of the team and of the organisers; an account that was deleted has none. */
const selected = sql`select
  a.id, a.team_id as "teamId", t.name as "teamName", a.points, a.reason, a.kind,
  floor(extract(epoch from a.at) * 1000)::float8 as at, a.created_by as "createdBy",
  floor(extract(epoch from a.undone_at) * 1000)::float8 as "undoneAt", a.undone_by as "undoneBy",
  creator.name as "createdByName", undoer.name as "undoneByName"
  from score_adjustments a join teams t on t.id = a.team_id
  left join teams creator on creator.id = a.created_by
  left join teams undoer on undoer.id = a.undone_by`

/** A page, newest first, and the number of all. */
export async function readAdjustmentPage(
  db: Queries,
  {
    teamId,
    limit,
    offset,
  }: { readonly teamId: string | undefined; readonly limit: number; readonly offset: number },
): Promise<{ total: number; adjustments: StoredAdjustment[] }> {
  const ofTeam = teamId === undefined ? empty : sql`where a.team_id = ${teamId}`
  const [count] = await db.query<{ total: number }>(
    sql`select count(*) as total from score_adjustments a ${ofTeam}`,
  )
  const adjustments = await db.query<StoredAdjustment>(sql`
    ${selected} ${ofTeam}
    order by a.at desc, a.id limit ${limit} offset ${offset}`)
  return { total: count?.total ?? 0, adjustments }
}

/** `unknown`: no such team. `full`: the team has the most allowed. */
export async function insertAdjustment(
  db: Database,
  { teamId, points, reason }: NewAdjustment,
  { now, ...by }: Author,
): Promise<StoredAdjustment | 'unknown' | 'full'> {
  return await db.change(async (tx) => {
    const [team] = await tx.query<{ count: number }>(sql`
      select (select count(*) from score_adjustments where team_id = t.id) as count from teams t where id = ${teamId}`)
    if (!team) return 'unknown'
    if (team.count >= adjustmentLimits.perTeam) return 'full'
    const id = randomUUID()
    await tx.query(sql`
      insert into score_adjustments (id, team_id, points, reason, at, created_by)
      values (${id}, ${teamId}, ${points}, ${reason}, ${new Date(now)}, ${by.actorId})`)
    const change = loggedChange(null, { points, reason })
    const target = `${id} ${teamId}`
    await tx.query(recordAdminAction({ ...by, ...change, action: 'adjustment.create', target }))
    tx.changed(adjustmentRows, [teamId])
    return await readOne(tx, id)
  })
}

/** `undone`: it was undone before. Null if there is none. */
export async function undoAdjustment(
  db: Database,
  id: string,
  author: Author,
): Promise<StoredAdjustment | 'undone' | null> {
  return await db.change(async (tx) => {
    const isUndone = await takeBack(tx, id, author)
    return isUndone === true ? await readOne(tx, id) : isUndone
  })
}

/** As `undoAdjustment`, in the caller's transaction. */
export async function takeBack(
  tx: ChangeTransaction,
  id: string,
  { now, ...by }: Author,
): Promise<true | 'undone' | null> {
  const [old] = await tx.query<{ teamId: string; isUndone: boolean }>(sql`
      select team_id as "teamId", undone_at is not null as "isUndone" from score_adjustments where id = ${id}`)
  if (!old) return null
  if (old.isUndone) return 'undone'
  await tx.query(sql`
      update score_adjustments set undone_at = ${new Date(now)}, undone_by = ${by.actorId} where id = ${id}`)
  const change = loggedChange({ isUndone: false }, { isUndone: true })
  const target = `${id} ${old.teamId}`
  await tx.query(recordAdminAction({ ...by, ...change, action: 'adjustment.undo', target }))
  tx.changed(adjustmentRows, [old.teamId])
  return true
}

/** What organisers decided, of an adjustment that counts; null if it was undone or is gone. */
export async function readCounting(
  tx: Queries,
  id: string,
): Promise<{ readonly points: number; readonly reason: string } | null> {
  const [row] = await tx.query<{ points: number; reason: string }>(sql`
    select points, reason from score_adjustments where id = ${id} and undone_at is null`)
  return row ?? null
}

async function readOne(tx: Queries, id: string): Promise<StoredAdjustment> {
  const [row] = await tx.query<StoredAdjustment>(sql`
    ${selected} where a.id = ${id}`)
  if (!row) throw new Error('a score adjustment was deleted while the change lock was held')
  return row
}
