import sql from 'sql-template-tag'
import type { Database } from '../../db/database.ts'
import { changeTeam } from '../teams/store.ts'

/** Links the team. Rejects with the violation when another team has the id. */
export async function setExtrankId(db: Database, id: string, extrankId: string) {
  return await changeTeam<never>(db, id, () => [sql`extrank_id = ${extrankId}`])
}

export async function removeExtrankId(db: Database, id: string) {
  return await changeTeam<'none' | 'last'>(db, id, ({ email, extrankId }) => {
    if (extrankId === null) return 'none'
    return email === null ? 'last' : [sql`extrank_id = null`]
  })
}
