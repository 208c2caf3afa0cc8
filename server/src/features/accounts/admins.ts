import sql from 'sql-template-tag'
import type { Database, Queries } from '../../db/database.ts'
import { randomId } from '../../lib/uuid.ts'
import type { Collision } from '../teams/collision.ts'
import { insertTeams } from './new-teams.ts'

// Who may do what, for the command line. There is no API that grants permissions.

export interface Admin {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly perms: number
}

export interface NewAdmin {
  readonly db: Database
  readonly name: string
  readonly email: string
  readonly perms: number
  readonly division: string
}

/** Makes a team with permissions. */
export async function createAdmin({
  db,
  ...team
}: NewAdmin): Promise<{ readonly id: string } | { readonly collision: Collision }> {
  const id = randomId()
  const [collision] = await db.change((tx) => insertTeams(tx, [{ ...team, id, extrankId: null }]))
  return collision ? { collision } : { id }
}

/** Teams with any permission, by name. */
export async function listAdmins(db: Queries): Promise<Admin[]> {
  return await db.query<Admin>(
    sql`select id, name, email, perms from teams where perms <> 0 order by lower(name)`,
  )
}

/** Gives a team permissions beside those that it has. Null when no team has the address. */
export async function promote(db: Database, email: string, perms: number): Promise<Admin | null> {
  return await db.change(async (tx) => {
    const [team] = await tx.query<Admin>(sql`
      update teams set perms = perms | ${perms}::integer where email = ${email}
      returning id, name, email, perms`)
    if (team) tx.changed('teams', [team.id])
    return team ?? null
  })
}

/** Takes all permissions away. Null when no team has the address. */
export async function demote(db: Database, email: string): Promise<Admin | null> {
  return await db.change(async (tx) => {
    const [team] = await tx.query<Admin>(sql`
      update teams set perms = 0 where email = ${email} returning id, name, email, perms`)
    if (team) tx.changed('teams', [team.id])
    return team ?? null
  })
}
