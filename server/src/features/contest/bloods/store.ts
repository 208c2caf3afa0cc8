import sql from 'sql-template-tag'
import type { Queries } from '../../../db/database.ts'

export interface BloodWatch {
  /** Number of solves per challenge to announce. */
  readonly bloodsCount: number
  /** Ids of the destinations. */
  readonly destinations: readonly string[]
}

/**
 * Configures which solves create messages from now on. The transaction of a solve writes them. Null turns
 * this off.
 */
export async function watchBloods(db: Queries, watch: BloodWatch | null): Promise<void> {
  if (!watch) {
    await db.query(sql`delete from blood_watch`)
    return
  }
  const { bloodsCount, destinations } = watch
  await db.query(sql`
    insert into blood_watch (bloods_count, destinations) values (${bloodsCount}, ${destinations}::text[])
    on conflict ("only") do update
      set bloods_count = excluded.bloods_count, destinations = excluded.destinations`)
}
