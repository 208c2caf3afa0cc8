import sql, { type Sql } from 'sql-template-tag'
import type { Contest } from './harness.ts'

// Changes teams directly in the database, as another process would.

/** ``changeTeam(contest, id, sql`division = 'uni'`)`` */
export async function changeTeam({ db }: Contest, id: string, assignment: Sql): Promise<void> {
  await db.change(async (tx) => {
    await tx.query(sql`update teams set ${assignment} where id = ${id}`)
    tx.changed('teams', [id])
  })
}

export async function removeTeam({ db }: Contest, id: string): Promise<void> {
  await db.change(async (tx) => {
    await tx.query(sql`delete from teams where id = ${id}`)
    tx.changed('teams', [id])
  })
}
