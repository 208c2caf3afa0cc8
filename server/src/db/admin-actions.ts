import sql from 'sql-template-tag'
import { currentOrigin, type ActionOrigin } from '../lib/action-origin.ts'
import { loggedJson, type LoggedChange } from '../lib/logged-fields.ts'
import type { Statement } from './database.ts'

/** Who acts. */
export interface ActionBy {
  /** Id of a team; null for the command line. */
  readonly actorId: string | null
  /** Null for the command line. */
  readonly ip: string | null
  /** Number of the entry that the action takes back. */
  readonly undoes?: number
}

export interface AdminAction extends ActionBy, Partial<LoggedChange> {
  /** `<object>.<verb>`, such as `challenge.update`. */
  readonly action: string
  /** Ids, separated by a space. */
  readonly target: string | null
  /** Names of the fields in the request. */
  readonly keys?: readonly string[]
  /** Who acts without being a team. */
  readonly actorName?: string
  /** On the own request of a team or person, of whom the entry must say nothing. */
  readonly isAnonymous?: true
}

/** The command line as the one who acts. */
export const byCommand: ActionBy = { actorId: null, ip: null }

/**
 * Records an admin's action in the action log, in the transaction of the action itself, as its last statement: the log is locked
 * until the commit. `before` and `after` come from `loggedChange`, so that they contain no secret.
 */
export function recordAdminAction(action: AdminAction): Statement {
  const { actorId, target, keys = [], ip, before, after, undoes = null } = action
  const otherName = actorId === null ? (action.actorName ?? 'command line') : null
  const current = currentOrigin()
  const origin: ActionOrigin | null =
    action.isAnonymous && current ? { route: current.route, requestId: null } : current
  return sql`
    insert into admin_actions
      (actor_id, actor_name, action, route, target, keys, before, after, ip, request_id, undoes, person_id, person_name,
      api_token_id, api_token_name)
    values (${actorId}, coalesce((select name from teams where id = ${actorId}), ${otherName}),
      ${action.action}, ${origin?.route ?? null}, ${target}, ${keys}::text[], ${loggedJson(before)}::json,
      ${loggedJson(after)}::json, ${ip}, ${origin?.requestId ?? null}, ${undoes},
      ${origin?.person?.id ?? null}, ${origin?.person?.name ?? null},
      ${origin?.apiToken?.id ?? null}, ${origin?.apiToken?.name ?? null})`
}
