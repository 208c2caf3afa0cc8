import sql from 'sql-template-tag'
import type { Database } from '../../../db/database.ts'
import { changeTeam, isTooOld, type SignInChange } from '../teams/store.ts'

/** Links the team. Rejects with the constraint violation if another team has the id. */
export async function setExtrankId(db: Database, change: SignInChange & { readonly extrankId: string }) {
  return await changeTeam<'void'>(db, change.id, (team) =>
    isTooOld(change, team) ? 'void' : [sql`extrank_id = ${change.extrankId}`],
  )
}

export async function removeExtrankId(db: Database, change: SignInChange) {
  return await changeTeam<'void' | 'none' | 'last'>(db, change.id, (team) => {
    if (isTooOld(change, team)) return 'void'
    if (team.extrankId === null) return 'none'
    return team.email === null ? 'last' : [sql`extrank_id = null`]
  })
}
