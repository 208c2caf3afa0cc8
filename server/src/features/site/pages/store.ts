import { pageLimits } from '@pennant/contract/pages.ts'
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import sql from 'sql-template-tag'
import { recordAdminAction, type ActionBy } from '../../../db/admin-actions.ts'
import type { ChangeTransaction, Database, Queries } from '../../../db/database.ts'
import { definedOf } from '../../../lib/defined-of.ts'
import { loggedChange, type Fields } from '../../../lib/logged-fields.ts'
import { millis } from '../../../world/rows.ts'
import { acceptanceRows, pageRows, readPages, type PageRow } from './rows.ts'

/** What a version contains. */
export type PageFields = Pick<
  PageRow,
  'slug' | 'place' | 'published' | 'mustAccept' | 'acceptVersion' | 'texts'
>

export type PageDraft = Omit<PageFields, 'acceptVersion'>

export type PagePatch = { readonly [K in keyof PageDraft]?: PageDraft[K] | undefined }

export type Saved =
  | { readonly row: PageRow }
  | { readonly problem: 'address' | 'count' }
  /** Another version is current. */
  | { readonly version: number }

export async function insertPage(db: Database, draft: PageDraft, by: ActionBy): Promise<Saved> {
  return await db.change(async (tx) => {
    const all = await readPages(tx)
    if (all.length >= pageLimits.stored) return { problem: 'count' }
    if (all.some(({ slug }) => slug === draft.slug)) return { problem: 'address' }
    const id = randomUUID()
    const position = Math.max(-1, ...all.map((page) => page.position)) + 1
    const fields = { ...draft, acceptVersion: draft.mustAccept ? 1 : null }
    await tx.query(sql`
      insert into pages (id, slug, place, position, published, must_accept, accept_version, texts)
      values (${id}, ${fields.slug}, ${fields.place}, ${position}, ${fields.published}, ${fields.mustAccept},
        ${fields.acceptVersion}, ${JSON.stringify(fields.texts)})`)
    await recordVersion(tx, { id, version: 1, fields }, by)
    const row = await requirePage(tx, id)
    const change = loggedChange(null, loggedPage(row))
    await tx.query(recordAdminAction({ ...by, ...change, action: 'page.create', target: id }))
    return { row }
  })
}

export interface PageEdit {
  readonly id: string
  /** The version that was edited. */
  readonly version: number
  readonly patch: PagePatch
  /** Teams must accept the new version. */
  readonly isMaterial: boolean
}

/** Keeps the earlier version. Null if there is no such page. */
export async function editPage(db: Database, edit: PageEdit, by: ActionBy): Promise<Saved | null> {
  return await db.change(async (tx) => {
    const [old] = await readPages(tx, [edit.id])
    if (!old) return null
    if (old.version !== edit.version) return { version: old.version }
    const patched = { ...fieldsOf(old), ...definedOf(edit.patch) }
    const asksAgain = patched.mustAccept && (edit.isMaterial || patched.acceptVersion === null)
    const next = { ...patched, ...(asksAgain && { acceptVersion: old.version + 1 }) }
    return await replacePage(tx, { old, next }, by)
  })
}

interface Replacement {
  readonly old: PageRow
  readonly next: PageFields
}

/** Stores a new version. */
export async function replacePage(
  tx: ChangeTransaction,
  { old, next }: Replacement,
  by: ActionBy,
): Promise<Saved> {
  const { id } = old
  if (isDeepStrictEqual(fieldsOf(old), next)) return { row: old }
  const taken = await tx.query(sql`select 1 from pages where slug = ${next.slug} and id <> ${id}`)
  if (taken.length > 0) return { problem: 'address' }
  await tx.query(sql`
    update pages set slug = ${next.slug}, place = ${next.place}, published = ${next.published},
      must_accept = ${next.mustAccept}, accept_version = ${next.acceptVersion}, texts = ${JSON.stringify(next.texts)},
      version = version + 1, edited_at = clock_timestamp()
    where id = ${id}`)
  await recordVersion(tx, { id, version: old.version + 1, fields: next }, by)
  const row = await requirePage(tx, id)
  const change = loggedChange(loggedPage(old), loggedPage(row))
  const keys = Object.keys(change.after ?? {})
  await tx.query(recordAdminAction({ ...by, ...change, action: 'page.update', target: id, keys }))
  return { row }
}

interface NewVersion {
  readonly id: string
  readonly version: number
  readonly fields: PageFields
}

/** Versions that teams accepted stay, as the proof of what they accepted. */
async function recordVersion(
  tx: ChangeTransaction,
  { id, version, fields }: NewVersion,
  { actorId }: ActionBy,
): Promise<void> {
  await tx.query(sql`
    insert into page_versions (page_id, version, data, saved_at, saved_by)
    values (${id}, ${version}, ${JSON.stringify(fields)}, clock_timestamp(), ${actorId})`)
  await tx.query(sql`
    delete from page_versions as old where page_id = ${id} and version <= ${version - pageLimits.versions}
      and not exists (select from page_acceptances where page_id = ${id} and version = old.version)`)
  tx.changed(pageRows, [id])
}

export async function requirePage(tx: Queries, id: string): Promise<PageRow> {
  const [row] = await readPages(tx, [id])
  if (!row) throw new Error('a page was deleted while the change lock was held')
  return row
}

export function fieldsOf({
  slug,
  place,
  published,
  mustAccept,
  acceptVersion,
  texts,
}: PageFields): PageFields {
  return { slug, place, published, mustAccept, acceptVersion, texts }
}

/** What the action log contains of a page. Its texts are in the versions. */
export function loggedPage(row: PageRow): Fields {
  const { texts, ...fields } = fieldsOf(row)
  return {
    ...fields,
    titles: texts.map(({ language, title }) => ({ language, title })),
    version: row.version,
  }
}

/** False if there is no such page. */
export async function removePage(db: Database, id: string, by: ActionBy): Promise<boolean> {
  return await db.change(async (tx) => {
    const [row] = await readPages(tx, [id])
    if (row) await deletePageRow(tx, row, by)
    return row !== undefined
  })
}

export async function deletePageRow(tx: ChangeTransaction, row: PageRow, by: ActionBy): Promise<void> {
  const { id } = row
  const accepted = await tx.query<{ team: string }>(
    sql`select distinct team_id as team from page_acceptances where page_id = ${id}`,
  )
  await tx.query(sql`delete from pages where id = ${id}`)
  tx.changed(pageRows, [id])
  if (accepted.length > 0)
    tx.changed(
      acceptanceRows,
      accepted.map(({ team }) => team),
    )
  const change = loggedChange(loggedPage(row), null)
  await tx.query(recordAdminAction({ ...by, ...change, action: 'page.delete', target: id }))
}

/** The ids of all pages, in their order. */
export async function readOrder(tx: Queries): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`select id from pages order by position, id`)
  return rows.map(({ id }) => id)
}

/** False if these are not all pages. */
export async function writeOrder(
  tx: ChangeTransaction,
  ids: readonly string[],
  by: ActionBy,
): Promise<boolean> {
  const before = await readOrder(tx)
  if (!isDeepStrictEqual(before.toSorted(), ids.toSorted())) return false
  if (isDeepStrictEqual(before, ids)) return true
  await tx.query(sql`
    update pages set position = at from unnest(${ids}::text[]) with ordinality as t (page, at) where id = page`)
  tx.changed(pageRows, ids)
  const change = loggedChange({ order: before }, { order: ids })
  await tx.query(recordAdminAction({ ...by, ...change, action: 'page.order', target: null }))
  return true
}

export interface StoredVersion {
  readonly version: number
  readonly savedAt: number
  readonly savedBy: string | null
}

/** Newest first. */
export function readVersions(db: Queries, id: string): Promise<StoredVersion[]> {
  return db.query<StoredVersion>(sql`
    select version, ${millis('saved_at')} as "savedAt", saved_by as "savedBy"
    from page_versions where page_id = ${id} order by version desc limit ${2 * pageLimits.versions}`)
}

export async function findVersion(
  db: Queries,
  { id, version }: { readonly id: string; readonly version: number },
): Promise<(StoredVersion & { readonly data: PageFields }) | null> {
  const [row] = await db.query<StoredVersion & { readonly data: PageFields }>(sql`
    select version, ${millis('saved_at')} as "savedAt", saved_by as "savedBy", data
    from page_versions where page_id = ${id} and version = ${version}`)
  return row ?? null
}

interface Accepted {
  readonly teamId: string
  readonly personId: string | null
  readonly pages: readonly { readonly id: string; readonly version: number }[]
}

/** Safe to repeat: the first time counts. */
export async function insertAcceptances(db: Database, { teamId, personId, pages }: Accepted): Promise<void> {
  await db.change(async (tx) => {
    await tx.query(sql`
      insert into page_acceptances (team_id, page_id, version, person_id)
      select teams.id, pages.id, accepted.version, ${personId}
      from unnest(${pages.map(({ id }) => id)}::text[], ${pages.map(({ version }) => version)}::integer[])
        as accepted (page, version)
        join pages on pages.id = page join teams on teams.id = ${teamId}
      on conflict do nothing`)
    tx.changed(acceptanceRows, [teamId])
  })
}
