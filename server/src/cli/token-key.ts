import sql from 'sql-template-tag'
import { byCommand, recordAdminAction } from '../db/admin-actions.ts'
import type { Queries } from '../db/database.ts'
import { markOf } from '../db/token-key.ts'
import { StartError } from '../lib/errors.ts'
import { openExistingStore } from './existing-data.ts'
import { newTokenKey } from './load-config.ts'
import type { ProcessContext } from './process-context.ts'

/** `pennant token-key`: prints a new key for the configuration. */
export function printTokenKey(context: ProcessContext): void {
  context.print(newTokenKey())
}

/** `pennant token-key --accept`: binds the database to the configured key. */
export async function acceptTokenKey(context: ProcessContext): Promise<void> {
  await using store = await openExistingStore(context, { needsKey: true })
  const mark = markOf(store.config.tokenKey)
  await store.db.transaction(async (tx) => {
    await tx.query(sql`
      insert into deployment (token_key_mark) values (${mark})
      on conflict ("only") do update set token_key_mark = excluded.token_key_mark`)
    await tx.query(recordAdminAction({ ...byCommand, action: 'token-key.accept', target: null }))
  })
  context.print('The database now accepts this token key. Tokens signed with other keys are invalid.')
}

/**
 * Refuses to start if the token key differs from the one the database was created with: every session and
 * every recovery email would become invalid, and a lost file or a forgotten variable must not cause that. A
 * database without teams accepts any key.
 */
export async function requireSameTokenKey(db: Queries, tokenKey: Buffer): Promise<void> {
  const mark = markOf(tokenKey)
  const [row] = await db.query<{ token_key_mark: string }>(sql`
    insert into deployment as known (token_key_mark) values (${mark})
    on conflict ("only") do update set token_key_mark =
      case when exists (select from teams) then known.token_key_mark else excluded.token_key_mark end
    returning token_key_mark`)
  if (row?.token_key_mark === mark) return
  throw new StartError(
    'The token key differs from the one this database was created with, so every existing token would be invalid. ' +
      'Configure the earlier key, or run `pennant token-key --accept` to switch to this one. If `pennant restore` filled the database ' +
      'with another data folder, copy `token-key` and `restored.yaml` from there, or run the same restore again here with --into.',
  )
}
