import sql from 'sql-template-tag'
import type { Statement } from './database.ts'

export interface AdminAction {
  readonly actorId: string
  /** `<object>.<verb>`, such as `challenge.update`. */
  readonly action: string
  readonly target: string | null
  /** Names of the fields in the request, without their values: some are secret. */
  readonly keys?: readonly string[]
  readonly ip: string
}

/** Records an admin's action for the audit log, in the transaction of the action itself. */
export function recordAdminAction({ actorId, action, target, keys = [], ip }: AdminAction): Statement {
  return sql`
    insert into admin_actions (actor_id, action, target, keys, ip)
    values (${actorId}, ${action}, ${target}, ${keys}::text[], ${ip})`
}
