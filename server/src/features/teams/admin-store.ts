import sql, { join, type Sql } from 'sql-template-tag'
import { recordAdminAction } from '../../db/admin-actions.ts'
import type { ChangeTransaction, Database, Queries } from '../../db/database.ts'
import { addToOutbox } from '../../db/outbox.ts'
import { keyIn } from '../avatars/keys.ts'

/** What an admin may change of a team; null clears, absent keeps. */
export interface AdminPatch {
  readonly banned?: boolean | undefined
  readonly name?: string | undefined
  readonly division?: string | undefined
  readonly countryCode?: string | null | undefined
  readonly statusText?: string | null | undefined
}

/** Who acts, for the record of admin actions. */
export interface Actor {
  readonly actorId: string
  readonly ip: string
}

/** Why nothing was done: no such team, or one with permissions. */
export type Protection = 'gone' | 'privileged'

type Row = Required<{ readonly [K in keyof AdminPatch]: NonNullable<AdminPatch[K]> | null }>

/** All of the patch or nothing. Rejects with the violation when another team has the name. */
export async function updateTeamAsAdmin(
  db: Database,
  { id, patch }: { readonly id: string; readonly patch: AdminPatch },
  actor: Actor,
): Promise<Protection | 'done'> {
  return await db.change(async (tx) => {
    const [row] = await tx.query<Row>(sql`
      select banned, name, division, country_code as "countryCode", status_text as "statusText"
      from teams where id = ${id} and perms = 0 for update`)
    if (!row) return await protectionOf(tx, id)
    const keys = keysOf(patch)
    const changes = keys.filter((key) => patch[key] !== row[key])
    if (changes.length > 0) {
      await tx.query(sql`update teams set ${join(changes.map((key) => assign(key, patch)))} where id = ${id}`)
      tx.changed('teams', [id])
    }
    await tx.query(recordAdminAction({ ...actor, action: 'team.update', target: id, keys }))
    return 'done'
  })
}

const columns: Readonly<Record<keyof AdminPatch, Sql>> = {
  banned: sql`banned`,
  name: sql`name`,
  division: sql`division`,
  countryCode: sql`country_code`,
  statusText: sql`status_text`,
}

function keysOf(patch: AdminPatch): (keyof AdminPatch)[] {
  const all = Object.keys(columns) as (keyof AdminPatch)[]
  return all.filter((key) => patch[key] !== undefined)
}

function assign(key: keyof AdminPatch, patch: AdminPatch): Sql {
  return sql`${columns[key]} = ${patch[key]}`
}

/** Why a team without permissions was not found. */
async function protectionOf(queries: Queries, id: string): Promise<Protection> {
  const rows = await queries.query(sql`select from teams where id = ${id}`)
  return rows.length > 0 ? 'privileged' : 'gone'
}

/** Its solves, scores, members and picture go with it; the submission audit stays. */
export async function removeTeam(db: Database, id: string, actor: Actor): Promise<Protection | 'done'> {
  return await db.change(async (tx) => {
    const [row] = await tx.query<{ avatarUrl: string | null }>(sql`
      delete from teams where id = ${id} and perms = 0 returning avatar_url as "avatarUrl"`)
    if (!row) return await protectionOf(tx, id)
    const key = keyIn(id, row.avatarUrl)
    // After the commit, and again while the store is away.
    if (key !== null) await tx.query(addToOutbox('file', { key }))
    await tx.query(recordAdminAction({ ...actor, action: 'team.delete', target: id }))
    tx.changed('teams', [id])
    return 'done'
  })
}

/** Notes that somebody gets a token of the team, unless it is protected. */
export async function noteTeamToken(db: Database, id: string, actor: Actor): Promise<Protection | 'done'> {
  return await db.transaction(async (tx) => {
    // Shared with other readers, yet nobody gives the team permissions before the note stands.
    const rows = await tx.query(sql`select from teams where id = ${id} and perms = 0 for share`)
    if (rows.length === 0) return await protectionOf(tx, id)
    await tx.query(recordAdminAction({ ...actor, action: 'team.token', target: id }))
    return 'done'
  })
}

/** Everything that the team solved or has points on. */
export async function removeSolvesOfTeam(db: Database, id: string, actor: Actor): Promise<void> {
  await db.change(async (tx) => {
    await tx.query(recordAdminAction({ ...actor, action: 'team.solves.delete', target: id }))
    const solves = await tx.query<{ challengeId: string }>(sql`
      delete from solves where team_id = ${id} returning challenge_id as "challengeId"`)
    if (solves.length > 0)
      tx.changed(
        'solves',
        solves.flatMap(({ challengeId }) => [challengeId, id]),
      )
    await removeFeedScores(tx, id)
  })
}

/** The history keeps adding up to what the team has now: nothing. */
async function removeFeedScores(tx: ChangeTransaction, id: string): Promise<void> {
  const cleared = await tx.query<{ challengeId: string }>(sql`
    with gone as (
      delete from feed_scores where team_id = ${id} returning challenge_id, points
    ), noted as (
      insert into feed_events (challenge_id, team_id, delta, at)
      select challenge_id, ${id}, -points, date_trunc('milliseconds', clock_timestamp())
      from gone where points <> 0 order by challenge_id
    )
    select challenge_id as "challengeId" from gone`)
  if (cleared.length > 0)
    tx.changed(
      'feed',
      cleared.map(({ challengeId }) => challengeId),
    )
}
