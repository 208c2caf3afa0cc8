import sql, { type Sql } from 'sql-template-tag'
import type { Subject } from './check.ts'

/** Which challenges `c` of a query are checked: those that are not hidden, or a single one before its release. */
export function isChecked({ challengeId }: Pick<Subject, 'challengeId'>): Sql {
  return challengeId === undefined ? sql`not c.hidden` : sql`c.id = ${challengeId}`
}
