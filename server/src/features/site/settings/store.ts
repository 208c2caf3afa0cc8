import { findMisfit } from '@pennant/contract/custom-field-schemas.ts'
import { isDeepStrictEqual } from 'node:util'
import sql from 'sql-template-tag'
import { recordAdminAction, type ActionBy } from '../../../db/admin-actions.ts'
import type { ChangeTransaction, Database, Queries } from '../../../db/database.ts'
import { loggedChange } from '../../../lib/logged-fields.ts'
import type { SettingsOverrides } from '../../../world/model.ts'
import { definitionsOf, type FieldDefaults } from '../custom-fields/definitions.ts'
import { changeFields, type RefusedChange } from '../custom-fields/store.ts'
import { patched, type SettingsChange } from './rules.ts'

export interface SettingsEdit extends ActionBy {
  readonly patch: SettingsChange
}

interface CheckedEdit extends SettingsEdit {
  readonly defaults: FieldDefaults
  /** How many answers may go with deleted fields. */
  readonly deletedAnswers: number
}

/** What is wrong with the fields or with a rule on them. */
export type SettingsRefusal =
  | RefusedChange
  | { readonly misfit: { readonly rule: string; readonly condition: number } }

/**
 * Changes only the given keys of the stored row, so that concurrent edits of different keys do not overwrite
 * each other.
 */
export async function updateOverrides(
  db: Database,
  { defaults, deletedAnswers, ...edit }: CheckedEdit,
): Promise<SettingsOverrides | SettingsRefusal> {
  return await db.change(async (tx) => {
    if (!FIELD_KEYS.some((key) => key in edit.patch)) return await writeOverrides(tx, edit)
    const { data } = await lockOverrides(tx)
    const before = definitionsOf(defaults, data)
    const after = definitionsOf(defaults, patched(data, edit.patch))
    const misfit = findMisfit(after.eligibility, after.fields)
    if (misfit) return { misfit }
    const refused = await changeFields(tx, { before: before.fields, after: after.fields, deletedAnswers })
    return refused ?? (await writeOverrides(tx, edit))
  })
}

/** Their changes are checked against stored answers. An undo could not give deleted answers back, so there is none. */
export const FIELD_KEYS = ['fields', 'eligibility'] as const

/** The stored overrides, for commands: a server has them in memory. */
export async function readOverrides(db: Queries): Promise<SettingsOverrides> {
  const [row] = await db.query<{ data: SettingsOverrides }>(sql`select data from settings`)
  return row?.data ?? {}
}

/** The overrides, locked until the end of the transaction. */
export async function lockOverrides(tx: ChangeTransaction) {
  const [row] = await tx.query<{ data: SettingsOverrides; version: number }>(
    sql`select data, version from settings for update`,
  )
  if (!row) throw new Error('the settings row is missing')
  return row
}

/** As `updateOverrides`, in the caller's transaction. */
export async function writeOverrides(
  tx: ChangeTransaction,
  { patch, ...by }: SettingsEdit,
): Promise<SettingsOverrides> {
  const row = await lockOverrides(tx)
  const next = patched(row.data, patch)
  const keys = Object.keys(patch) as (keyof SettingsChange)[]
  const changed = [...new Set([...keys, 'resultsPublished' as const])].filter(
    (key) => !isDeepStrictEqual(row.data[key], next[key]),
  )
  if (changed.length > 0) {
    const version = row.version + 1
    await tx.query(sql`
        update settings set data = ${JSON.stringify(next)}, version = ${version},
          updated_at = clock_timestamp(), updated_by = ${by.actorId}`)
    const old = changed.map((key) => ({ key, value: row.data[key] }))
    await storePreviousSettings(tx, old, { version, actorId: by.actorId ?? COMMAND_LINE })
    tx.changed('settings', [])
  }
  const change = loggedChange({ ...row.data }, { ...next })
  await tx.query(recordAdminAction({ ...by, ...change, action: 'settings.update', target: null, keys }))
  return next
}

/** Whoever changes settings without a team. */
const COMMAND_LINE = 'command line'

async function storePreviousSettings(
  tx: Queries,
  old: readonly { readonly key: string; readonly value: unknown }[],
  { version, actorId }: { readonly version: number; readonly actorId: string },
): Promise<void> {
  const values = old.map(({ value }) => (value === undefined ? null : JSON.stringify(value)))
  await tx.query(sql`
    insert into settings_history (version, key, old_value, changed_by)
    select ${version}, key, value::jsonb, ${actorId}
    from unnest(${old.map(({ key }) => key)}::text[], ${values}::text[]) as t (key, value)`)
}
