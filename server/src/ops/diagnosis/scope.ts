import sql, { type Sql } from 'sql-template-tag'
import type { Subject } from './check.ts'

/** The name of challenge `c` as findings show it: its id if the name is empty or only blanks. */
export const shownName = sql`coalesce(nullif(regexp_replace(c.name, '^\\s+$', ''), ''), c.id) as name`

/** Which challenges `c` of a query are checked: those that are not hidden, or a single one before its release. */
export function isChecked({ challengeId }: Pick<Subject, 'challengeId'>): Sql {
  return challengeId === undefined ? sql`not c.hidden` : sql`c.id = ${challengeId}`
}
