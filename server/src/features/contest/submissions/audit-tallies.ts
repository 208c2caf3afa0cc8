import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import sql, { raw } from 'sql-template-tag'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import type { Queries } from '../../../db/database.ts'
import { mayUseCaches } from '../../../lib/caching.ts'
import type { AuditScope } from './audit-scope.ts'
import { conditionOf } from './audit-sql.ts'
import { merged, totalOf, type Grouping, type Tallies, type Tally } from './audit-tally.ts'

export interface TallySource {
  /** Exact at the time of the call. */
  read(queries: Queries, scope: AuditScope, grouping: Grouping): Promise<Tallies>
}

/** Cached counts. Rows from `until` on are counted again each time. */
interface Settled {
  readonly until: number
  readonly tallies: Tallies
  readonly countedAt: number
  /** Set when so many new rows exist that the cached counts should be extended. */
  readonly isOld: boolean
}

/** Enough for several organisers browsing lists. An entry takes about 100 bytes. */
const CACHE_BOUNDS = { max: 64, maxSize: 200_000 }

/** Maximum number of rows counted again for each page; takes about a millisecond. */
const MAX_FRESH = 2000

/**
 * Audit rows are never deleted. If an operator deletes some anyway, the totals are correct again after this
 * time.
 */
const KEPT_FOR_MS = 15 * MINUTE_MS

/**
 * Exceeds the clock differences of processes that write to the audit, and the duration of any such statement.
 */
const MARGIN_MS = MINUTE_MS

/**
 * Counts rows without reading up to a million of them for each page. Rows too old to change are counted once
 * and cached; newer rows are counted each time and added. Unlike a counter column, this costs nothing on
 * submission.
 */
export function createTallies(now: () => number): TallySource {
  const cache = new LRUCache<string, Settled>(CACHE_BOUNDS)

  async function settle(queries: Queries, scope: AuditScope, grouping: Grouping): Promise<Settled> {
    const key = keyOf(scope, grouping)
    const found = mayUseCaches() ? cache.get(key) : undefined
    const old = found && now() - found.countedAt < KEPT_FOR_MS ? found : null
    if (old && !old.isOld) return old
    // Runs in a separate statement first, so that the snapshot of the count includes all rows before this
    // time.
    const until = await readHorizon(queries)
    const range = { from: old?.until ?? null, until }
    const more = until > (old?.until ?? 0) ? await count(queries, { scope, grouping, range }) : new Map()
    const settled = {
      until: Math.max(until, old?.until ?? 0),
      tallies: old ? merged(old.tallies, more) : more,
      countedAt: old?.countedAt ?? now(),
      isOld: false,
    }
    if (mayUseCaches()) cache.set(key, settled, { size: 1 + settled.tallies.size })
    return settled
  }

  return {
    async read(queries, scope, grouping) {
      const settled = await settle(queries, scope, grouping)
      const range = { from: settled.until, until: null }
      const fresh = await count(queries, { scope, grouping, range })
      if (mayUseCaches() && totalOf(fresh) > MAX_FRESH) {
        cache.set(keyOf(scope, grouping), { ...settled, isOld: true }, { size: 1 + settled.tallies.size })
      }
      return merged(settled.tallies, fresh)
    },
  }
}

function keyOf(scope: AuditScope, grouping: Grouping): string {
  return hash('sha1', JSON.stringify([grouping, scope]))
}

/**
 * Lower bound of the timestamps of future rows. Rows are dated after their transaction began, so the oldest
 * running transaction is the bound. Transactions of other roles may be invisible here; the margin covers
 * them.
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
  /** `from` is inclusive, `until` exclusive; null means unbounded. */
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
