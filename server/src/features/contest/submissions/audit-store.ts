import { actingColumns } from '../../../db/acting-columns.ts'
import type { Acting } from '../../../lib/acting-person.ts'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Database, Queries } from '../../../db/database.ts'
import type { WorldView } from '../../../world/model.ts'
import { groupings, segmentsOf, type Paging, type Segment } from './audit-pages.ts'
import { everything, isEmpty, type AuditScope, type Kind, type Result } from './audit-scope.ts'
import { conditionOf } from './audit-sql.ts'
import type { TallySource } from './audit-tallies.ts'
import { totalOf } from './audit-tally.ts'

/** A row of the audit table. */
export interface Submitted extends Acting {
  readonly id: string
  readonly kind: Kind
  readonly challengeId: string
  readonly teamId: string
  readonly ip: string
  readonly result: Result
  readonly details: Record<string, unknown>
  readonly relatedId: string | null
  readonly createdAt: number
}

export interface AuditPage {
  readonly total: number
  readonly rows: readonly Submitted[]
}

/**
 * Audit lists must not slow down the contest, so long statements are cancelled. JIT is off, because compiling
 * the statement would take longer than running it.
 */
const LIMITS = raw(`set local statement_timeout = '10s'; set local jit = off`)

/** Up to this many rows are read and sorted instead of found by scanning the time index. */
const FEW = 2000

interface PageRequest {
  readonly world: WorldView
  readonly scope: AuditScope
  readonly paging: Paging
}

export async function readAuditPage(
  db: Database,
  tallies: TallySource,
  { world, scope, paging }: PageRequest,
): Promise<AuditPage> {
  if (isEmpty(scope)) return { total: 0, rows: [] }
  return await db.transaction(async (tx) => {
    await tx.query(LIMITS)
    const counted = await tallies.read(tx, scope, groupings[paging.sortBy])
    const segments = segmentsOf(world, { scope, tallies: counted }, paging)
    const isNewestFirst = paging.sortBy !== 'createdAt' || paging.sortOrder === 'desc'
    return { total: totalOf(counted), rows: await readSegments(tx, segments, isNewestFirst) }
  })
}

/** Ids of all challenges and teams in the audit. */
export async function readNamedIds(
  db: Database,
  tallies: TallySource,
): Promise<{ readonly challenges: readonly string[]; readonly teams: readonly string[] }> {
  return await db.transaction(async (tx) => {
    await tx.query(LIMITS)
    const challenges = await tallies.read(tx, everything, 'challenge_id')
    const teams = await tallies.read(tx, everything, 'team_id')
    return { challenges: [...challenges.keys()], teams: [...teams.keys()] }
  })
}

async function readSegments(
  queries: Queries,
  segments: readonly Segment[],
  isNewestFirst: boolean,
): Promise<Submitted[]> {
  if (segments.length === 0) return []
  const parts = segments.map((segment, at) => sql`(${idsOf(segment, at)})`)
  const direction = raw(isNewestFirst ? 'desc' : 'asc')
  // Full rows are only read once the ids of the page are known.
  return await queries.query<Submitted>(sql`
    with page as materialized (${join(parts, ' union all ')})
    select id, kind, challenge_id as "challengeId", team_id as "teamId", ip, result, details,
      related_id as "relatedId", floor(extract(epoch from created_at) * 1000)::float8 as "createdAt",
      ${actingColumns}
    from page join submissions using (id)
    order by page.part, created_at ${direction}, id ${direction}`)
}

function idsOf({ scope, offset, limit, descending, tally }: Segment, part: number): Sql {
  const direction = raw(descending ? 'desc' : 'asc')
  // Limits the index scan to the time range of the rows.
  const condition = conditionOf(scope, { from: tally.oldest, until: tally.newest + 1 })
  // `offset 0` is an optimization fence: otherwise the limit makes the planner scan the time index.
  const rows =
    tally.count <= FEW
      ? sql`(select id, created_at from submissions where ${condition} offset 0) as few`
      : sql`submissions where ${condition}`
  return sql`select id, ${part}::integer as part from ${rows}
    order by created_at ${direction}, id ${direction} limit ${limit} offset ${offset}`
}
