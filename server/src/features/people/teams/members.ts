import sql from 'sql-template-tag'
import type { Database } from '../../../db/database.ts'
import { orderedId } from '../../../lib/uuid.ts'

/** A person in the team's member list. Members cannot sign in. */
export interface Member {
  readonly id: string
  readonly teamId: string
  readonly email: string
}

/** Members in the order in which they were added, up to the configured maximum. */
export async function listTeamMembers(db: Database, teamId: string): Promise<Member[]> {
  return await db.query<Member>(sql`
    select id, team_id as "teamId", email from members where team_id = ${teamId} order by created_at, id`)
}

export interface NewMember {
  readonly teamId: string
  readonly email: string
  readonly max: number
}

export type MemberRefusal = 'full' | 'known' | 'gone'

/** Adds a member. Locks the team's row while counting, so that the maximum cannot be exceeded. */
export async function addMember(
  db: Database,
  { teamId, email, max }: NewMember,
): Promise<Member | MemberRefusal> {
  return await db.transaction(async (tx) => {
    const teams = await tx.query(sql`select id from teams where id = ${teamId} for no key update`)
    if (teams.length === 0) return 'gone'
    const [counted] = await tx.query<{ count: number }>(
      sql`select count(*)::integer as count from members where team_id = ${teamId}`,
    )
    if ((counted?.count ?? 0) >= max) return 'full'
    const id = orderedId()
    const added = await tx.query(sql`
      insert into members (id, team_id, email) values (${id}, ${teamId}, ${email})
      on conflict on constraint members_email_key do nothing returning id`)
    return added.length === 0 ? 'known' : { id, teamId, email }
  })
}

/** Removes a member of this team. Members of other teams are not affected. */
export async function removeMember(db: Database, teamId: string, id: string): Promise<void> {
  await db.query(sql`delete from members where id = ${id} and team_id = ${teamId}`)
}
