import { hash } from 'node:crypto'
import sql, { raw } from 'sql-template-tag'
import type { Queries } from '../../db/database.ts'
import { boundedMap } from '../../lib/bounded-map.ts'
import type { AuditScope } from './audit-scope.ts'
import { conditionOf } from './audit-sql.ts'
import { merged, totalOf, type Grouping, type Tallies, type Tally } from './audit-tally.ts'

export interface TallySource {
  /** Exact at the time of the call. */
  read(queries: Queries, scope: AuditScope, grouping: Grouping): Promise<Tallies>
}

/** What was counted once. Rows from `until` on are counted anew each time. */
interface Settled {
  readonly until: number
  readonly tallies: Tallies
  readonly countedAt: number
  /** So many came since that counting on is worth it. */
  readonly isOld: boolean
}

/** Some lists that several organisers leaf through; entries are of 100 bytes or so. */
const KEPT = { maxEntries: 64, maxSize: 200_000 }

/** Rows that are counted anew with each page; about a millisecond's work. */
const MOST_FRESH = 2000

/** Nobody deletes rows of the audit. If an operator did all the same, the totals are right again after this. */
const KEPT_FOR_MS = 15 * 60_000

/** Clocks that write into the audit may differ by less. Also longer than any statement that adds to it may take. */
const MARGIN_MS = 60_000

/**
 * Counts rows without reading a million of them for each page: what lies further back than anything can still be added
 * is counted once and kept, the rest is counted on top. Submissions pay nothing for it, unlike for a counter in a row.
 */
export function createTallies(now: () => number): TallySource {
  const kept = boundedMap<Settled>(KEPT)

  async function settle(queries: Queries, scope: AuditScope, grouping: Grouping): Promise<Settled> {
    const key = keyOf(scope, grouping)
    const found = kept.get(key)
    const old = found && now() - found.countedAt < KEPT_FOR_MS ? found : null
    if (old && !old.isOld) return old
    // In a statement before the counting one, whose snapshot then holds all that is older than this.
    const until = await readHorizon(queries)
    const range = { from: old?.until ?? null, until }
    const more = until > (old?.until ?? 0) ? await count(queries, { scope, grouping, range }) : new Map()
    const settled = {
      until: Math.max(until, old?.until ?? 0),
      tallies: old ? merged(old.tallies, more) : more,
      countedAt: old?.countedAt ?? now(),
      isOld: false,
    }
    kept.set(key, settled, 1 + settled.tallies.size)
    return settled
  }

  return {
    async read(queries, scope, grouping) {
      const settled = await settle(queries, scope, grouping)
      const range = { from: settled.until, until: null }
      const fresh = await count(queries, { scope, grouping, range })
      if (totalOf(fresh) > MOST_FRESH) {
        kept.set(keyOf(scope, grouping), { ...settled, isOld: true }, 1 + settled.tallies.size)
      }
      return merged(settled.tallies, fresh)
    },
  }
}

function keyOf(scope: AuditScope, grouping: Grouping): string {
  return hash('sha1', JSON.stringify([grouping, scope]))
}

/**
 * An instant that no row to come lies before: rows are dated after their transaction began, so those that are still
 * under way bound it. Other roles' transactions may be invisible here; the margin covers them.
 */
async function readHorizon(queries: Queries): Promise<number> {
  const [row] = await queries.query<{ at: number }>(sql`
    select floor(extract(epoch from least(min(xact_start), clock_timestamp())) * 1000)::float8 as at
    from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`)
  return (row?.at ?? 0) - MARGIN_MS
}

interface Counting {
  readonly scope: AuditScope
  readonly grouping: Grouping
  /** From inclusive, until exclusive; null is open. */
  readonly range: { readonly from: number | null; readonly until: number | null }
}

type CountedRow = Tally & { readonly key: string }

async function count(queries: Queries, { scope, grouping, range }: Counting): Promise<Tallies> {
  const key = grouping === 'none' ? sql`''` : raw(grouping)
  const rows = await queries.query<CountedRow>(sql`
    select ${key} as key, count(*) as count,
      floor(extract(epoch from min(created_at)) * 1000)::float8 as oldest,
      floor(extract(epoch from max(created_at)) * 1000)::float8 as newest
    from submissions where ${conditionOf(scope, range)}
    group by ${grouping === 'none' ? sql`()` : raw(grouping)} having count(*) > 0`)
  return new Map(rows.map(({ key: name, ...tally }) => [name, tally]))
}
