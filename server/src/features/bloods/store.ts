import sql from 'sql-template-tag'
import type { Queries } from '../../db/database.ts'

export interface BloodWatch {
  /** How many solves of a challenge are told of. */
  readonly bloodsCount: number
  /** Ids of those who are told. */
  readonly destinations: readonly string[]
}

/** Says which solves become messages from now on: the transaction of a solve writes them. Null: none. */
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
