import { actingColumns, byColumns } from '../../../db/acting-columns.ts'
import { ACTIVITY_LENGTH, type TeamActivity } from '@pennant/contract/people.ts'
import sql, { type Sql } from 'sql-template-tag'
import type { z } from 'zod'
import type { Queries } from '../../../db/database.ts'
import { acting, type Acting, type PersonName } from '../../../lib/acting-person.ts'
import { millis } from '../../../world/rows.ts'

// What the people of a team did: docs/reference/people.md#activity

type Activity = z.input<typeof TeamActivity>
type Action = Activity['actions'][number]

interface ActionRow extends Acting {
  readonly kind: Action['kind']
  readonly challengeId: string | null
  readonly at: number
}

interface Solver {
  readonly challengeId: string
  readonly personId: string
}

/** Solves of one team; more than any event has challenges. */
const MAX_SOLVERS = 5000

/** The name of a challenge; null if the caller does not see it. */
export type ChallengeName = (id: string) => string | null

interface Names {
  readonly challengeName: ChallengeName
  readonly personName: PersonName
}

/** Without what was done on challenges that have no name for the caller. */
export async function readActivity(db: Queries, teamId: string, names: Names): Promise<Activity> {
  const { challengeName, personName } = names
  const solvers = await readSolvers(db, teamId)
  const rows = await readActions(db, teamId)
  return {
    solvers: solvers.flatMap(({ challengeId, personId }) =>
      challengeName(challengeId) === null
        ? []
        : [{ challengeId, person: { id: personId, name: personName(personId) } }],
    ),
    actions: rows.flatMap(({ kind, challengeId, at, ...by }) => {
      const name = challengeId === null ? null : challengeName(challengeId)
      if (challengeId !== null && name === null) return []
      return [{ kind, challengeId, challengeName: name, ...acting(by, personName), at }]
    }),
  }
}

/** If an organiser deleted a solve and the team solved again, the later one counts. */
function readSolvers(db: Queries, teamId: string): Promise<Solver[]> {
  return db.query<Solver>(sql`
    select distinct on (challenge_id) challenge_id as "challengeId", person_id as "personId" from submissions
    where team_id = ${teamId} and result = 'correct' and person_id is not null
    order by challenge_id, created_at desc limit ${MAX_SOLVERS}`)
}

function latest(at: string): Sql {
  return sql`order by ${millis(at)} desc limit ${ACTIVITY_LENGTH}`
}

function readActions(db: Queries, teamId: string): Promise<ActionRow[]> {
  return db.query<ActionRow>(sql`
    select kind, challenge_id as "challengeId", ${actingColumns}, ${millis('at')} as at from (
      (select case result when 'correct' then 'flag' else 'bot' end as kind, challenge_id, ${byColumns}, created_at as at
        from submissions where team_id = ${teamId} and result in ('correct', 'queued') ${latest('created_at')})
      union all
      (select 'hint', hints.challenge_id, ${byColumns}, at from hint_purchases join hints on hints.id = hint_id
        where team_id = ${teamId} ${latest('at')})
      union all
      (select 'message', threads.challenge_id, ${byColumns}, messages.created_at as at
        from thread_messages messages join message_threads threads on threads.id = thread_id
        where team_id = ${teamId} and from_team ${latest('messages.created_at')})
      union all
      (select action, challenge_id, ${byColumns}, at from instance_actions where team_id = ${teamId} ${latest('at')})
    ) as actions ${latest('at')}`)
}
