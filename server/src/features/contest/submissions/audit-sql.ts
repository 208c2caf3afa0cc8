import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { AuditScope, IdSet } from './audit-scope.ts'

interface Range {
  /** Inclusive, in milliseconds. */
  readonly from?: number | null
  /** Exclusive. */
  readonly until?: number | null
}

/** SQL condition for the rows of a scope in a time range. */
export function conditionOf(scope: AuditScope, { from = null, until = null }: Range = {}): Sql {
  const { challenges, teams, persons, results, ips, after, before } = scope
  const conditions = [
    ...inSet('challenge_id', challenges),
    ...inSet('team_id', teams),
    // Null for the token of the team itself, which an excluded person does not exclude.
    ...inSet(`coalesce(person_id, '')`, persons),
    ...inSet('result', { include: results, exclude: [] }),
    ...inSet('ip', ips),
    ...[after, from].flatMap((at) => (at === null ? [] : sql`created_at >= ${new Date(at)}`)),
    // Rows have microsecond precision, but the API reports milliseconds.
    ...(before === null ? [] : [sql`created_at < ${new Date(before + 1)}`]),
    ...(until === null ? [] : [sql`created_at < ${new Date(until)}`]),
  ]
  return conditions.length === 0 ? sql`true` : join(conditions, ' and ')
}

function inSet(name: string, { include, exclude }: IdSet): Sql[] {
  const column = raw(name)
  if (!include) return exclude.length === 0 ? [] : [sql`${column} <> all(${exclude}::text[])`]
  // Only with `=` does the planner know that the index returns the rows in order.
  if (include.length === 1) return [sql`${column} = ${include[0]}`]
  return [sql`${column} = any(${include}::text[])`]
}
