import { randomUUID } from 'node:crypto'
import { hintLimits } from '@pennant/contract/hints.ts'
import sql, { join, type Sql } from 'sql-template-tag'
import { recordAdminAction, type ActionBy } from '../../../db/admin-actions.ts'
import type { ChangeTransaction, Database, Queries } from '../../../db/database.ts'
import { loggedChange, type Fields } from '../../../lib/logged-fields.ts'
import { type HintRow, createHints, hintRows, purchaseRows, readHints } from './rows.ts'
import { refundHints } from '../challenges/hint-refunds.ts'
import type { HintContent } from './rules.ts'

type Patch = { readonly [K in keyof HintContent]?: HintContent[K] | undefined }

/** The hints of some challenges in their order; challenges without any are missing. */
export async function findHints(
  db: Queries,
  challengeIds: readonly string[],
): Promise<ReadonlyMap<string, readonly HintRow[]>> {
  const ids = await db.query<{ id: string }>(
    sql`select id from hints where challenge_id = any(${challengeIds})`,
  )
  const rows = await readHints(
    db,
    ids.map(({ id }) => id),
  )
  return createHints(rows).byChallenge
}

/** The number of teams that bought each of the hints; those that no one bought are missing. */
export async function countPurchases(db: Queries, hintIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.query<{ id: string; count: number }>(sql`
    select hint_id as id, count(*) as count from hint_purchases where hint_id = any(${hintIds}) group by hint_id`)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** `challenge`: no such challenge. `count`: there are too many. Otherwise its id. */
export async function insertHint(
  db: Database,
  challengeId: string,
  { texts, by }: { readonly texts: HintContent; readonly by: ActionBy },
): Promise<{ readonly id: string } | { readonly max: number } | 'challenge'> {
  return await db.change((tx) => addHint(tx, challengeId, { texts, by }))
}

/** As `insertHint`, in the caller's transaction. */
export async function addHint(
  tx: ChangeTransaction,
  challengeId: string,
  { texts, by }: { readonly texts: HintContent; readonly by: ActionBy },
): Promise<{ readonly id: string } | { readonly max: number } | 'challenge'> {
  const [room] = await tx.query<{ known: boolean; own: number; all: number; last: number | null }>(sql`
      select exists (select from challenges where id = ${challengeId}) as known, count(*) as all,
        count(*) filter (where challenge_id = ${challengeId}) as own,
        max(position) filter (where challenge_id = ${challengeId}) as last
      from hints`)
  if (!room?.known) return 'challenge'
  if (room.own >= hintLimits.perChallenge) return { max: hintLimits.perChallenge }
  if (room.all >= hintLimits.stored) return { max: hintLimits.stored }
  const id = randomUUID()
  const { kind, at, minutes } = columnsOf(texts.release)
  await tx.query(sql`
      insert into hints (id, challenge_id, position, content, price, release_kind, release_at, release_minutes)
      values (${id}, ${challengeId}, ${(room.last ?? 0) + 1}, ${texts.text}, ${texts.price}, ${kind}, ${at}, ${minutes})`)
  tx.changed(hintRows, [id])
  const [row] = await readHints(tx, [id])
  await log(tx, { by, action: 'hint.create', before: null, after: row ?? null })
  return { id }
}

/** Null if there is none, or the version that it has if someone edited it meanwhile. */
export async function editHint(
  db: Database,
  { id, version, patch }: { readonly id: string; readonly version: number; readonly patch: Patch },
  by: ActionBy,
): Promise<'written' | { readonly version: number } | null> {
  return await db.change(async (tx) => {
    const old = await lockHint(tx, id)
    if (!old) return null
    if (old.version !== version) return { version: old.version }
    await patchHint(tx, old, { patch, by })
    return 'written'
  })
}

export async function patchHint(
  tx: ChangeTransaction,
  old: HintRow,
  { patch, by }: { readonly patch: Patch; readonly by: ActionBy },
): Promise<void> {
  await write(tx, old, { assignments: assignmentsOf(patch), by, action: 'hint.update' })
}

/** Null if there is none. `isReleased` decides whether there is anything to do. */
export async function releaseNow(
  db: Database,
  id: string,
  { by, now, isReleased }: { by: ActionBy; now: number; isReleased: (hint: HintRow) => boolean },
): Promise<true | null> {
  return await db.change(async (tx) => {
    const old = await lockHint(tx, id)
    if (!old) return null
    if (isReleased(old)) return true
    const assignments = [
      sql`release_kind = 'manual', release_at = ${new Date(now)}, release_minutes = null, version = version + 1`,
    ]
    await write(tx, old, { assignments, by, action: 'hint.release' })
    return true
  })
}

/** `order`: the ids are not those of the challenge's hints. */
export async function reorderHints(
  db: Database,
  challengeId: string,
  { hintIds, by }: { readonly hintIds: readonly string[]; readonly by: ActionBy },
): Promise<'written' | 'order'> {
  return await db.change(async (tx) => {
    const before = await lockOrder(tx, challengeId)
    if (JSON.stringify(before.toSorted()) !== JSON.stringify([...hintIds].toSorted())) return 'order'
    await writeOrder(tx, challengeId, { before, hintIds, by })
    return 'written'
  })
}

/** The ids of the hints of a challenge, in their order. */
export async function lockOrder(tx: ChangeTransaction, challengeId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from hints where challenge_id = ${challengeId} order by position, id for update`)
  return rows.map(({ id }) => id)
}

interface Order {
  readonly before: readonly string[]
  readonly hintIds: readonly string[]
  readonly by: ActionBy
}

export async function writeOrder(
  tx: ChangeTransaction,
  challengeId: string,
  { before, hintIds, by }: Order,
): Promise<void> {
  await tx.query(sql`
    update hints set position = o.position
    from unnest(${hintIds}::text[]) with ordinality as o (id, position) where hints.id = o.id`)
  tx.changed(hintRows, hintIds)
  const change = loggedChange({ order: before }, { order: hintIds })
  await tx.query(recordAdminAction({ ...by, ...change, action: 'hint.order', target: challengeId }))
}

/** Null if there is none. With purchases it is deleted only with a refund. */
export async function removeHint(
  db: Database,
  id: string,
  { refund, by }: { readonly refund: boolean; readonly by: ActionBy },
): Promise<{ readonly refunded: number } | { readonly purchases: number } | null> {
  return await db.change(async (tx) => {
    const old = await lockHint(tx, id)
    if (!old) return null
    const purchases = (await countPurchases(tx, [id])).get(id) ?? 0
    if (purchases > 0 && !refund) return { purchases }
    return { refunded: await deleteHint(tx, old, by) }
  })
}

/** Refunds those who bought it. */
export async function deleteHint(tx: ChangeTransaction, old: HintRow, by: ActionBy): Promise<number> {
  const refunded = await refundHints(tx, sql`h.id = ${old.id}`, by)
  await tx.query(sql`delete from hints where id = ${old.id}`)
  await log(tx, { by, action: 'hint.delete', before: old, after: null, refunded })
  return refunded
}

/** Its fields as in the action log; null if there is none. */
export async function readLogged(tx: ChangeTransaction, id: string): Promise<Fields | null> {
  const row = await lockHint(tx, id)
  return row && fieldsOf(row)
}

/** Takes back the creation of a hint. Returns what prevents it: teams have bought it. */
export async function withdrawHint(tx: ChangeTransaction, id: string, by: ActionBy): Promise<string[]> {
  const old = await lockHint(tx, id)
  if (!old) return []
  if ((await countPurchases(tx, [id])).has(id)) return ['purchases']
  await deleteHint(tx, old, by)
  return []
}

/** Writes fields of the action log back. */
export async function restoreHint(
  tx: ChangeTransaction,
  { id, fields }: { readonly id: string; readonly fields: Fields },
  by: ActionBy,
): Promise<void> {
  const old = await lockHint(tx, id)
  if (!old) return
  const { text, price, releaseKind, releaseAt, releaseMinutes } = { ...old, ...fields }
  const at = releaseAt === null ? null : new Date(releaseAt)
  const assignments = [
    sql`content = ${text}, price = ${price}, release_kind = ${releaseKind}, release_at = ${at},
      release_minutes = ${releaseMinutes}, version = version + 1`,
  ]
  await write(tx, old, { assignments, by, action: 'hint.update' })
}

interface Writing {
  readonly assignments: readonly Sql[]
  readonly by: ActionBy
  readonly action: string
}

async function write(
  tx: ChangeTransaction,
  old: HintRow,
  { assignments, by, action }: Writing,
): Promise<void> {
  await tx.query(sql`update hints set ${join([...assignments])} where id = ${old.id}`)
  tx.changed(hintRows, [old.id])
  // While it is withdrawn, only its buyers learn of an edit.
  const buyers = await tx.query<{ id: string }>(
    sql`select team_id as id from hint_purchases where hint_id = ${old.id}`,
  )
  if (buyers.length > 0)
    tx.changed(
      purchaseRows,
      buyers.flatMap(({ id }) => [old.id, id]),
    )
  const [row] = await readHints(tx, [old.id])
  await log(tx, { by, action, before: old, after: row ?? null })
}

async function lockHint(tx: ChangeTransaction, id: string): Promise<HintRow | null> {
  await tx.query(sql`select from hints where id = ${id} for update`)
  const [row] = await readHints(tx, [id])
  return row ?? null
}

function assignmentsOf({ text, price, release }: Patch): Sql[] {
  const assignments = [sql`version = version + 1`]
  if (text !== undefined) assignments.push(sql`content = ${text}`)
  if (price !== undefined) assignments.push(sql`price = ${price}`)
  if (release) {
    const { kind, at, minutes } = columnsOf(release)
    assignments.push(sql`release_kind = ${kind}, release_at = ${at}, release_minutes = ${minutes}`)
  }
  return assignments
}

function columnsOf(release: HintContent['release']): {
  kind: string
  at: Date | null
  minutes: number | null
} {
  const { kind } = release
  return {
    kind,
    at: kind === 'time' ? new Date(release.at) : null,
    minutes: kind === 'after' ? release.minutes : null,
  }
}

interface Entry {
  readonly by: ActionBy
  readonly action: string
  readonly before: HintRow | null
  readonly after: HintRow | null
  readonly refunded?: number
}

async function log(tx: ChangeTransaction, { by, action, before, after, refunded }: Entry): Promise<void> {
  const row = after ?? before
  const change = loggedChange(
    before && { ...fieldsOf(before), ...(refunded !== undefined && { purchases: refunded }) },
    after && fieldsOf(after),
  )
  await tx.query(recordAdminAction({ ...by, ...change, action, target: `${row?.id} ${row?.challengeId}` }))
}

function fieldsOf({ text, price, releaseKind, releaseAt, releaseMinutes }: HintRow): Fields {
  return { text, price, releaseKind, releaseAt, releaseMinutes }
}
