import sql from 'sql-template-tag'
import { byColumns, byValues } from '../../../db/acting-columns.ts'
import type { Queries } from '../../../db/database.ts'
import type { Acting } from '../../../lib/acting-person.ts'

/** What someone of a team did with an instance of the team. */
export interface InstanceAction extends Acting {
  readonly teamId: string
  readonly challengeId: string
  readonly action: 'start' | 'extend' | 'stop'
}

/** Of a team; older ones are deleted. */
const MAX_ACTIONS = 200

/** Does nothing if the team was deleted meanwhile. */
export async function recordInstanceAction(db: Queries, entry: InstanceAction, now: number): Promise<void> {
  const { teamId, challengeId, action } = entry
  await db.query(sql`
    with old as (
      delete from instance_actions where team_id = ${teamId} and id <= (
        select id from instance_actions where team_id = ${teamId} order by id desc offset ${MAX_ACTIONS - 1} limit 1)
    )
    insert into instance_actions (team_id, challenge_id, action, ${byColumns}, at)
    select id, ${challengeId}, ${action}, ${byValues(entry)}, ${new Date(now)} from teams where id = ${teamId}`)
}
