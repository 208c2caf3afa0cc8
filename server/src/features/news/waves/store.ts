import { LAST_WAVE_TIME, UNSCHEDULED, waveLimits } from '@pennant/contract/waves.ts'
import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { recordAdminAction, type ActionBy } from '../../../db/admin-actions.ts'
import type { ChangeTransaction, Database } from '../../../db/database.ts'
import { loggedChange, type Fields } from '../../../lib/logged-fields.ts'
import { readChallenges } from '../../../world/rows.ts'
import { type WaveRow, readWaves, waveRows } from './rows.ts'
import { isDisturbed, openingOf } from './rules.ts'
import { announcementRows } from '../announcements/rows.ts'

/** What organisers decide about a wave. */
export type WaveTexts = Pick<
  WaveRow,
  'name' | 'openAt' | 'announce' | 'forward' | 'countdown' | 'title' | 'text'
>

type Patch = { readonly [K in keyof WaveTexts]?: WaveTexts[K] | undefined }

/** Who writes, when, and whether challenges that players see may change. */
export interface WaveWriter extends ActionBy {
  /** Unix milliseconds. */
  readonly now: number
  readonly startTime: number
  readonly force: boolean
}

export type WaveProblem =
  | { readonly problem: 'name' | 'count' | 'missing' | 'unscheduled' | 'range' | 'challenge' }
  | { readonly version: number }
  /** Players see these challenges already. */
  | { readonly released: readonly string[] }

export type Written = { readonly id: string } | WaveProblem

/** Rolls the transaction back. */
export class WaveRefusedError extends Error {
  override readonly name = 'WaveRefusedError'
  readonly refusal: WaveProblem

  constructor(refusal: WaveProblem) {
    super('the change of a wave was refused')
    this.refusal = refusal
  }
}

function refuse(refusal: WaveProblem): never {
  throw new WaveRefusedError(refusal)
}

async function write(db: Database, work: (tx: ChangeTransaction) => Promise<string>): Promise<Written> {
  try {
    return { id: await db.change(work) }
  } catch (error) {
    if (error instanceof WaveRefusedError) return error.refusal
    throw error
  }
}

export async function insertWave(
  db: Database,
  { texts, challengeIds }: { readonly texts: WaveTexts; readonly challengeIds: readonly string[] },
  writer: WaveWriter,
): Promise<Written> {
  return await write(db, async (tx) => {
    const [count] = await tx.query<{ count: number }>(sql`select count(*) from waves`)
    if ((count?.count ?? 0) >= waveLimits.stored) refuse({ problem: 'count' })
    const id = randomUUID()
    await requireFreeName(tx, id, texts.name)
    await tx.query(sql`
      insert into waves (id, name, open_at, announce, forward, countdown, title, content, created_by)
      values (${id}, ${texts.name}, ${dateOf(texts.openAt)}, ${texts.announce}, ${texts.forward},
        ${texts.countdown}, ${texts.title}, ${texts.text}, ${writer.actorId})`)
    await release(tx, { id, openAt: texts.openAt, challengeIds }, writer)
    return await finish(tx, id, { writer, action: 'wave.create', keys: Object.keys(texts), before: null })
  })
}

export interface WaveEdit {
  readonly id: string
  /** The version that was edited. */
  readonly version: number
  readonly patch: Patch
  readonly challengeIds?: readonly string[] | undefined
}

export async function editWave(db: Database, edit: WaveEdit, writer: WaveWriter): Promise<Written> {
  return await write(db, async (tx) => {
    const old = await requireVersion(tx, edit)
    return await update(tx, { ...edit, old }, writer)
  })
}

/** Moves the wave relative to the time that it has when the change is written. */
export async function shiftWave(
  db: Database,
  { id, version, byMs }: { readonly id: string; readonly version: number; readonly byMs: number },
  writer: WaveWriter,
): Promise<Written> {
  return await write(db, async (tx) => {
    const old = await requireVersion(tx, { id, version })
    if (old.openAt === null) refuse({ problem: 'unscheduled' })
    const openAt = (old.openAt ?? 0) + byMs
    if (openAt < 0 || openAt > LAST_WAVE_TIME) refuse({ problem: 'range' })
    return await update(tx, { id, version, patch: { openAt }, old }, writer)
  })
}

/** Writes earlier values of a wave. Throws a `WaveRefusedError` if that is refused, which rolls everything back. */
export async function restoreWave(
  tx: ChangeTransaction,
  id: string,
  { values, writer }: { readonly values: Fields; readonly writer: WaveWriter },
): Promise<void> {
  const [old] = await readWaves(tx, [id])
  if (!old) throw new Error('a wave was deleted while the change lock was held')
  const { challengeIds, ...patch } = values as Patch & { readonly challengeIds?: readonly string[] }
  await update(tx, { id, version: old.version, patch, challengeIds, old }, writer)
}

/** Returns whether there was such a wave. */
export async function removeWave(
  db: Database,
  id: string,
  { actorId, ip }: Pick<WaveWriter, 'actorId' | 'ip'>,
): Promise<boolean> {
  return await db.change(async (tx) => {
    const [row] = await readWaves(tx, [id])
    if (!row) return false
    const change = loggedChange(await loggedWave(tx, id), null)
    const members = await tx.query<{ id: string }>(sql`select id from challenges where wave_id = ${id}`)
    const left = await leave(
      tx,
      members.map((each) => each.id),
    )
    await tx.query(sql`delete from waves where id = ${id}`)
    await tx.query(recordAdminAction({ actorId, ip, ...change, action: 'wave.delete', target: id }))
    if (left.length > 0) tx.changed('challenges', left)
    tx.changed(waveRows, [id])
    return true
  })
}

async function update(
  tx: ChangeTransaction,
  { id, patch, challengeIds, old }: WaveEdit & { readonly old: WaveRow },
  writer: WaveWriter,
): Promise<string> {
  const before = await loggedWave(tx, id)
  const given = Object.entries(patch).filter(([, value]) => value !== undefined)
  const next: WaveTexts = { ...old, ...Object.fromEntries(given) }
  if (next.name !== old.name) await requireFreeName(tx, id, next.name)
  await tx.query(sql`
    update waves set name = ${next.name}, open_at = ${dateOf(next.openAt)}, announce = ${next.announce},
      forward = ${next.forward}, countdown = ${next.countdown}, title = ${next.title}, content = ${next.text},
      version = version + 1
    where id = ${id}`)
  await release(tx, { id, openAt: next.openAt, challengeIds }, writer)
  await withdrawAnnouncement(tx, { old, next }, writer)
  const keys = [...given.map(([key]) => key), ...(challengeIds ? ['challengeIds'] : [])]
  return await finish(tx, id, { writer, action: 'wave.update', keys, before })
}

interface Action {
  readonly writer: WaveWriter
  readonly action: string
  readonly keys: readonly string[]
  /** Null for a new one. */
  readonly before: Fields | null
}

async function finish(
  tx: ChangeTransaction,
  id: string,
  { writer, action, keys, before }: Action,
): Promise<string> {
  const change = loggedChange(before, await loggedWave(tx, id))
  const { actorId, ip, undoes } = writer
  const by = { actorId, ip, ...(undoes !== undefined && { undoes }) }
  await tx.query(recordAdminAction({ ...by, ...change, action, target: id, keys }))
  tx.changed(waveRows, [id])
  return id
}

/** What the action log keeps of a wave. */
export async function loggedWave(tx: ChangeTransaction, id: string): Promise<Fields | null> {
  const [row] = await readWaves(tx, [id])
  if (!row) return null
  const { name, openAt, announce, forward, countdown, title, text } = row
  const members = await tx.query<{ id: string }>(sql`
    select id from challenges where wave_id = ${id} order by id`)
  const challengeIds = members.map((member) => member.id)
  return { name, openAt, announce, forward, countdown, title, text, challengeIds }
}

interface Membership {
  readonly id: string
  readonly openAt: number | null
  /** Absent: they stay. */
  readonly challengeIds?: readonly string[] | undefined
}

/** Writes the time of the wave into all its challenges, so that readers of challenges need not know of waves. */
async function release(
  tx: ChangeTransaction,
  { id, openAt, challengeIds }: Membership,
  { now, startTime, force }: WaveWriter,
): Promise<void> {
  const members = await tx.query<{ id: string }>(sql`select id from challenges where wave_id = ${id}`)
  const before = new Set(members.map((member) => member.id))
  const next = [...new Set(challengeIds ?? before)]
  const rows = await readChallenges(tx, next)
  if (rows.length < next.length) refuse({ problem: 'challenge' })
  const releaseAt = openAt ?? UNSCHEDULED
  const disturbed = rows.filter((challenge) =>
    isDisturbed({ challenge, isMember: before.has(challenge.id), releaseAt }, { startTime }, now),
  )
  if (disturbed.length > 0 && !force) refuse({ released: disturbed.map((challenge) => challenge.id) })
  const kept = new Set(next)
  const left = await leave(
    tx,
    [...before].filter((each) => !kept.has(each)),
  )
  const changed = await tx.query<{ id: string }>(sql`
    update challenges set wave_id = ${id}, release_at = ${new Date(releaseAt)}, version = version + 1
    where id = any(${next}) and (wave_id is distinct from ${id} or release_at is distinct from ${new Date(releaseAt)})
    returning id`)
  const ids = [...left, ...changed.map((each) => each.id)]
  if (ids.length > 0) tx.changed('challenges', ids)
  const others = new Set(rows.flatMap(({ waveId }) => (waveId && waveId !== id ? [waveId] : [])))
  if (others.size > 0) {
    // Their lists of challenges changed, which an editor must notice.
    await tx.query(sql`update waves set version = version + 1 where id = any(${[...others]})`)
    tx.changed(waveRows, [...others])
  }
}

/** Challenges that leave a wave keep its time. Without a time they become hidden, so that none is released by accident. */
async function leave(tx: ChangeTransaction, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const never = new Date(UNSCHEDULED)
  const rows = await tx.query<{ id: string }>(sql`
    update challenges set wave_id = null, hidden = hidden or release_at is not distinct from ${never},
      release_at = nullif(release_at, ${never}), version = version + 1
    where id = any(${ids}) returning id`)
  return rows.map(({ id }) => id)
}

/** A wave that opens again later is announced again; until then, the old announcement would be wrong. */
async function withdrawAnnouncement(
  tx: ChangeTransaction,
  { old, next }: { readonly old: WaveRow; readonly next: WaveTexts },
  { now, startTime }: WaveWriter,
): Promise<void> {
  const opening = openingOf(next, { startTime })
  if (old.announcedAt === null || (opening !== null && opening <= now)) return
  await tx.query(sql`update waves set announced_at = null, announcement_id = null where id = ${old.id}`)
  if (old.announcementId === null) return
  await tx.query(sql`delete from announcements where id = ${old.announcementId}`)
  tx.changed(announcementRows, [old.announcementId])
}

async function requireVersion(
  tx: ChangeTransaction,
  { id, version }: { readonly id: string; readonly version: number },
): Promise<WaveRow> {
  const [row] = await readWaves(tx, [id])
  if (!row) return refuse({ problem: 'missing' })
  return row.version === version ? row : refuse({ version: row.version })
}

async function requireFreeName(tx: ChangeTransaction, id: string, name: string): Promise<void> {
  const [other] = await tx.query(sql`select id from waves where name = ${name} and id <> ${id}`)
  if (other) refuse({ problem: 'name' })
}

function dateOf(at: number | null): Date | null {
  return at === null ? null : new Date(at)
}
