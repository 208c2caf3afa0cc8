import { caseLimits } from '@pennant/contract/fair-play-cases.ts'
import sql from 'sql-template-tag'
import type { Queries } from '../../../../db/database.ts'
import { millis } from '../../../../world/rows.ts'

export interface TimelineRow {
  readonly kind: 'submission' | 'receipt' | 'instance' | 'signal'
  readonly at: number
  readonly teamId: string
  readonly challengeId: string | null
  readonly detail: string
}

/** What the teams did, oldest first: the latest rows of each kind, without addresses and flags. */
export async function readTimeline(
  db: Queries,
  teamIds: readonly string[],
): Promise<{ readonly rows: readonly TimelineRow[]; readonly isCut: boolean }> {
  const max = caseLimits.timeline
  const teams = sql`${teamIds}::text[]`
  const rows = await db.query<TimelineRow>(sql`
    select kind, ${millis('at')} as at, "teamId", "challengeId", detail from (
      (select 'submission' as kind, created_at as at, team_id as "teamId", challenge_id as "challengeId", result as detail
        from submissions where kind = 'flag' and team_id = any(${teams}) order by created_at desc limit ${max + 1})
      union all (select 'receipt', at, team_id, challenge_id, 'received'
        from challenge_receipts where team_id = any(${teams}) order by at desc limit ${max + 1})
      union all (select 'instance', at, team_id, challenge_id, action
        from instance_actions where team_id = any(${teams}) order by at desc limit ${max + 1})
      union all (select 'signal', at, team_ids[1], challenge_id, kind
        from fair_play_signals where team_ids && ${teams} order by at desc limit ${max + 1})
    ) as fact order by at desc, kind, "teamId", "challengeId" limit ${max + 1}`)
  return { rows: rows.slice(0, max).toReversed(), isCut: rows.length > max }
}
