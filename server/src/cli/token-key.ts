import { createHmac } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Queries } from '../db/database.ts'
import { StartError } from '../lib/errors.ts'
import { loadConfig, newTokenKey } from './load-config.ts'
import type { Outside } from './outside.ts'
import { openStore } from './store.ts'

/** `pennant token-key`: a new key for the configuration. */
export function printTokenKey(outside: Outside): void {
  outside.print(newTokenKey())
}

/** `pennant token-key --accept`: the database goes with the configured key from now on. */
export async function acceptTokenKey(outside: Outside): Promise<void> {
  await using store = await openStore(await loadConfig(outside), outside)
  const mark = markOf(store.config.tokenKey)
  await store.db.query(sql`
    insert into deployment (token_key_mark) values (${mark})
    on conflict ("only") do update set token_key_mark = excluded.token_key_mark`)
  outside.print('The token key is accepted. Tokens of any other key are invalid.')
}

/**
 * Tokens made with another key are dead, and with them every sign-in and every recovery mail: that must not happen by
 * a lost file or a forgotten variable. A database without teams takes any key.
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
    'tokenKey is not the one that this database was used with: all tokens of its teams would be invalid. ' +
      'Configure the earlier key, or run `pennant token-key --accept` to go on with this one.',
  )
}

/** Tells keys apart without telling anything of them. */
function markOf(tokenKey: Buffer): string {
  return createHmac('sha256', tokenKey).update('pennant token key').digest('base64')
}
