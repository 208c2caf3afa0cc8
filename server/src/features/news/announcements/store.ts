import { announcementLimits } from '@pennant/contract/announcements.ts'
import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { recordAdminAction, type ActionBy } from '../../../db/admin-actions.ts'
import type { ChangeTransaction, Database, Queries } from '../../../db/database.ts'
import { definedOf } from '../../../lib/defined-of.ts'
import { loggedChange } from '../../../lib/logged-fields.ts'
import { type AnnouncementRow, announcementRows, readAnnouncements } from './rows.ts'

/** What organisers write. */
export type AnnouncementTexts = Pick<
  AnnouncementRow,
  'title' | 'content' | 'severity' | 'audience' | 'pinned' | 'forward' | 'publishAt'
>

export interface Author extends ActionBy {
  /** Unix milliseconds. */
  readonly now: number
}

export type Patch = { readonly [K in keyof AnnouncementTexts]?: AnnouncementTexts[K] | undefined }

/** The outbox kind of messages to the messengers. */
const OUTBOX_KIND = 'announcement'

/** Returns null if there are too many. */
export async function insertAnnouncement(
  db: Database,
  texts: AnnouncementTexts,
  author: Author,
): Promise<AnnouncementRow | null> {
  return await db.change(async (tx) => {
    const id = await insertAnnouncementRow(tx, texts, author.actorId)
    if (id === null) return null
    return await finishWrite(tx, id, {
      author,
      action: 'announcement.create',
      keys: Object.keys(texts),
      before: null,
    })
  })
}

/** Inserts in the caller's transaction. Returns the id, or null if there are too many. */
export async function insertAnnouncementRow(
  tx: ChangeTransaction,
  texts: AnnouncementTexts,
  createdBy: string | null,
): Promise<string | null> {
  const [count] = await tx.query<{ count: number }>(sql`select count(*) from announcements`)
  if ((count?.count ?? 0) >= announcementLimits.stored) return null
  const id = randomUUID()
  await tx.query(sql`
    insert into announcements (id, title, content, severity, audience, pinned, forward, publish_at, created_by)
    values (${id}, ${texts.title}, ${texts.content}, ${texts.severity}, ${JSON.stringify(texts.audience)},
      ${texts.pinned}, ${texts.forward}, ${new Date(texts.publishAt)}, ${createdBy})`)
  await announceChange(tx, id)
  return id
}

async function announceChange(tx: ChangeTransaction, id: string): Promise<void> {
  await queueMessages(tx, id)
  tx.changed(announcementRows, [id])
}

export type Edited =
  | { readonly row: AnnouncementRow }
  | { readonly version: number }
  /** `check` has refused the result. */
  | { readonly problem: string }
  | null

export interface AnnouncementEdit {
  readonly id: string
  /** The version that was edited. */
  readonly version: number
  readonly patch: Patch
  readonly author: Author
  /** The problem with the announcement that the edit leads to, or null. */
  readonly check: (texts: AnnouncementTexts) => string | null
}

/** Keeps the earlier version. Returns null if there is no such announcement, the current version if it is another one. */
export async function editAnnouncement(db: Database, edit: AnnouncementEdit): Promise<Edited> {
  const { id, version, patch, author, check } = edit
  return await db.change(async (tx) => {
    const [old] = await readAnnouncements(tx, [id])
    if (!old) return null
    if (old.version !== version) return { version: old.version }
    const next: AnnouncementTexts = { ...textsOf(old), ...definedOf(patch) }
    const problem = check(next)
    if (problem !== null) return { problem }
    return { row: await replaceTexts(tx, { old, next, keys: Object.keys(definedOf(patch)) }, author) }
  })
}

interface Replacement {
  readonly old: AnnouncementRow
  readonly next: AnnouncementTexts
  /** Names of the fields in the request. */
  readonly keys: readonly string[]
}

/** Keeps the earlier version. */
export async function replaceTexts(
  tx: ChangeTransaction,
  { old, next, keys }: Replacement,
  author: Author,
): Promise<AnnouncementRow> {
  const { id, version } = old
  const before = textsOf(old)
  const editedAt = next.publishAt <= author.now ? new Date(author.now) : null
  await tx.query(sql`
      insert into announcement_versions (announcement_id, version, data, replaced_at, replaced_by)
      values (${id}, ${version}, ${JSON.stringify(before)}, ${new Date(author.now)}, ${author.actorId})`)
  await tx.query(sql`
      delete from announcement_versions
      where announcement_id = ${id} and version <= ${version - announcementLimits.versions}`)
  await tx.query(sql`
      update announcements set title = ${next.title}, content = ${next.content}, severity = ${next.severity},
        audience = ${JSON.stringify(next.audience)}, pinned = ${next.pinned}, forward = ${next.forward},
        publish_at = ${new Date(next.publishAt)}, version = version + 1, edited_at = ${editedAt}
      where id = ${id}`)
  await announceChange(tx, id)
  return await finishWrite(tx, id, { author, action: 'announcement.update', keys, before })
}

interface Written {
  readonly author: Author
  readonly action: string
  readonly keys: readonly string[]
  /** Null for a new one. */
  readonly before: AnnouncementTexts | null
}

export function textsOf({
  title,
  content,
  severity,
  audience,
  pinned,
  forward,
  publishAt,
}: AnnouncementRow): AnnouncementTexts {
  return { title, content, severity, audience, pinned, forward, publishAt }
}

async function finishWrite(
  tx: ChangeTransaction,
  id: string,
  { author: { now: _now, ...by }, action, keys, before }: Written,
): Promise<AnnouncementRow> {
  const [row] = await readAnnouncements(tx, [id])
  if (!row) throw new Error('an announcement was deleted while the change lock was held')
  const change = loggedChange(before && { ...before }, { ...textsOf(row) })
  await tx.query(recordAdminAction({ ...by, ...change, action, target: id, keys }))
  return row
}

/**
 * Queues one message for each messenger that this contest sends first bloods to, due when the announcement is published, at most
 * once per announcement. Another time of publication moves those that are still queued.
 */
async function queueMessages(tx: Queries, id: string): Promise<void> {
  await tx.query(sql`
    update outbox set due_at = greatest(publish_at, clock_timestamp()),
      created_at = greatest(publish_at, clock_timestamp())
    from announcements
    where kind = ${OUTBOX_KIND} and payload ->> 'announcement' = announcements.id and announcements.id = ${id}
      and failed_at is null and attempts = 0`)
  await tx.query(sql`
    with claimed as (
      update announcements set forwarded_at = clock_timestamp()
      where id = ${id} and forward and forwarded_at is null
      returning id, greatest(publish_at, clock_timestamp()) as due_at
    )
    insert into outbox (id, kind, payload, due_at, created_at)
    select gen_random_uuid(), ${OUTBOX_KIND},
      jsonb_build_object('destination', destination, 'announcement', claimed.id), due_at, due_at
    from claimed, blood_watch, unnest(destinations) as destination`)
}

/** False if there is no such announcement. */
export async function removeAnnouncement(db: Database, id: string, author: Author): Promise<boolean> {
  return await db.change(async (tx) => {
    const [row] = await readAnnouncements(tx, [id])
    if (row) await deleteAnnouncement(tx, row, author)
    return row !== undefined
  })
}

/** Also withdraws what is not sent yet. */
export async function deleteAnnouncement(
  tx: ChangeTransaction,
  row: AnnouncementRow,
  by: ActionBy,
): Promise<void> {
  const { id } = row
  await tx.query(sql`delete from announcements where id = ${id}`)
  await tx.query(sql`
    delete from outbox where kind = ${OUTBOX_KIND} and payload ->> 'announcement' = ${id} and failed_at is null`)
  const change = loggedChange({ ...textsOf(row) }, null)
  const { actorId, ip, undoes } = by
  await tx.query(
    recordAdminAction({
      actorId,
      ip,
      ...(undoes && { undoes }),
      ...change,
      action: 'announcement.delete',
      target: id,
    }),
  )
  tx.changed(announcementRows, [id])
}

export interface EarlierVersion {
  readonly data: AnnouncementTexts
  readonly version: number
  readonly replacedAt: number
  readonly replacedBy: string | null
}

/** Newest first. */
export function readEarlierVersions(db: Queries, id: string): Promise<EarlierVersion[]> {
  return db.query<EarlierVersion>(sql`
    select data, version, replaced_by as "replacedBy",
      floor(extract(epoch from replaced_at) * 1000)::float8 as "replacedAt"
    from announcement_versions where announcement_id = ${id}
    order by version desc limit ${announcementLimits.versions}`)
}
