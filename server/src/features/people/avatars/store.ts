import sql from 'sql-template-tag'
import { recordAdminAction, type ActionBy } from '../../../db/admin-actions.ts'
import type { Database, Queries } from '../../../db/database.ts'
import { loggedChange } from '../../../lib/logged-fields.ts'

/** The admin who makes the change, for the action log. */
export type Actor = ActionBy

/** Why nothing was changed: the team does not exist, or has permissions and is protected from admins. */
export type Protection = 'gone' | 'privileged'

export async function findProtection(db: Queries, teamId: string): Promise<Protection | null> {
  const [row] = await db.query<{ perms: number }>(sql`select perms from teams where id = ${teamId}`)
  if (!row) return 'gone'
  return row.perms === 0 ? null : 'privileged'
}

export interface AvatarChange {
  readonly teamId: string
  readonly url: string | null
  /** Null if the team changes its own avatar. */
  readonly actor: Actor | null
}

/** Sets the avatar and returns the previous one. */
export async function setAvatar(
  db: Database,
  { teamId, url, actor }: AvatarChange,
): Promise<{ readonly previous: string | null } | Protection> {
  return await db.change(async (tx) => {
    const [row] = await tx.query<{ perms: number; avatarUrl: string | null }>(sql`
      select perms, avatar_url as "avatarUrl" from teams where id = ${teamId} for no key update`)
    if (!row) return 'gone'
    if (actor && row.perms !== 0) return 'privileged'
    if (row.avatarUrl !== url) {
      await tx.query(sql`update teams set avatar_url = ${url} where id = ${teamId}`)
      tx.changed('teams', [teamId])
    }
    if (actor) {
      const change = loggedChange({ avatarUrl: row.avatarUrl }, { avatarUrl: url })
      const action = { action: 'team.avatar', target: teamId, keys: ['avatar'] }
      await tx.query(recordAdminAction({ ...actor, ...change, ...action }))
    }
    return { previous: row.avatarUrl }
  })
}

/** Second key of the avatar advisory locks. The first is a hash of the team id. */
const AVATAR_LOCK = 7233021

/**
 * Runs the work while no other process changes the team's avatar. Otherwise a request that sets an earlier
 * picture again could find the file in the store just before another request deletes it. The connection idles
 * while the store works, hence the longer timeout.
 */
export async function withAvatarLock<T>(db: Database, teamId: string, work: () => Promise<T>): Promise<T> {
  return await db.transaction(async (tx) => {
    await tx.query(sql`set local idle_in_transaction_session_timeout = '2min'`)
    await tx.query(sql`select pg_advisory_xact_lock(hashtext(${`avatar:${teamId}`}), ${AVATAR_LOCK})`)
    return await work()
  })
}
