import { randomUUID } from 'node:crypto'
import { fairPlayLimits } from '@pennant/contract/fair-play.ts'
import sql from 'sql-template-tag'
import { recordAdminAction, type ActionBy } from '../../../db/admin-actions.ts'
import type { Database, Queries } from '../../../db/database.ts'
import { loggedChange } from '../../../lib/logged-fields.ts'
import { millis } from '../../../world/rows.ts'

// Planted flags. The action log names only the place: who reads the log must not be able to warn others.

export interface Decoy {
  readonly id: string
  readonly flag: string
  readonly place: string
  readonly createdAt: number
}

const columns = sql`id, flag, place, ${millis('created_at')} as "createdAt"`

export function readDecoys(db: Queries): Promise<Decoy[]> {
  return db.query<Decoy>(sql`
    select ${columns} from fair_play_decoys order by created_at desc, id limit ${fairPlayLimits.decoys}`)
}

export async function insertDecoy(
  db: Database,
  { flag, place }: Pick<Decoy, 'flag' | 'place'>,
  by: ActionBy,
): Promise<Decoy | 'known' | 'full'> {
  return await db.transaction(async (tx) => {
    // One at a time, so that the limit holds.
    await tx.query(sql`select from fair_play for update`)
    const [count] = await tx.query<{ all: number }>(sql`select count(*)::int as all from fair_play_decoys`)
    if ((count?.all ?? 0) >= fairPlayLimits.decoys) return 'full'
    const [decoy] = await tx.query<Decoy>(sql`
      insert into fair_play_decoys (id, flag, place) values (${randomUUID()}, ${flag}, ${place})
      on conflict (flag) do nothing returning ${columns}`)
    if (!decoy) return 'known'
    const change = loggedChange(null, { place })
    await tx.query(
      recordAdminAction({ ...by, ...change, action: 'fair-play.decoy-create', target: decoy.id }),
    )
    return decoy
  })
}

export async function deleteDecoy(db: Database, id: string, by: ActionBy): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const [gone] = await tx.query<{ place: string }>(
      sql`delete from fair_play_decoys where id = ${id} returning place`,
    )
    if (!gone) return false
    const change = loggedChange({ place: gone.place }, null)
    await tx.query(recordAdminAction({ ...by, ...change, action: 'fair-play.decoy-delete', target: id }))
    return true
  })
}
