import sql from 'sql-template-tag'
import type { Queries } from '../db/database.ts'
import type { Markers } from '../lib/key-value.ts'

/**
 * Markers as database rows, for deployments without Redis. Expired rows count as absent; the worker deletes them.
 * Timestamps come from the process's clock, like those of the tokens that the markers belong to.
 */
export function createDatabaseMarkers(db: Queries, now: () => number): Markers {
  return {
    async set(key, value, ttlMs) {
      await db.query(sql`
        insert into markers (key, value, expires_at) values (${key}, ${value}, ${instant(now() + ttlMs)})
        on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at`)
    },

    async find(key) {
      const [row] = await db.query<{ value: string }>(sql`
        select value from markers where key = ${key} and expires_at > ${instant(now())}`)
      return row?.value ?? null
    },

    async take(key) {
      const [row] = await db.query<{ value: string }>(sql`
        delete from markers where key = ${key} and expires_at > ${instant(now())} returning value`)
      return row?.value ?? null
    },

    async claim(key, value, ttlMs) {
      const rows = await db.query(sql`
        insert into markers (key, value, expires_at) values (${key}, ${value}, ${instant(now() + ttlMs)})
        on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at
          where markers.expires_at <= ${instant(now())}
        returning key`)
      return rows.length === 1
    },

    async remove(key) {
      await db.query(sql`delete from markers where key = ${key}`)
    },
  }
}

function instant(ms: number) {
  return sql`to_timestamp(${ms}::double precision / 1000)`
}
