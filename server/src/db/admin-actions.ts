import sql from 'sql-template-tag'
import type { Statement } from './database.ts'

export interface AdminAction {
  readonly actorId: string
  /** What was done, as `<thing>.<verb>`: `challenge.update`. */
  readonly action: string
  readonly target: string | null
  /** The fields that were named. Never their values: secrets are among them. */
  readonly keys?: readonly string[]
  readonly ip: string
}

/** Notes what an admin did. Runs in the transaction of the deed, so that neither is there without the other. */
export function recordAdminAction({ actorId, action, target, keys = [], ip }: AdminAction): Statement {
  return sql`
    insert into admin_actions (actor_id, action, target, keys, ip)
    values (${actorId}, ${action}, ${target}, ${keys}::text[], ${ip})`
}
