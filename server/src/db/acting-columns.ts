import sql, { raw, type Sql } from 'sql-template-tag'
import type { Acting } from '../lib/acting-person.ts'

// Who of a team acted, in the tables of what was done.

export const byColumns = raw('person_id, api_token_id, api_token_name')

/** In the order of `byColumns`. */
export function byValues({ personId, apiTokenId, apiTokenName }: Acting): Sql {
  return sql`${personId}, ${apiTokenId}, ${apiTokenName}`
}

/** As `Acting`. */
export const actingColumns = raw(
  'person_id as "personId", api_token_id as "apiTokenId", api_token_name as "apiTokenName"',
)
