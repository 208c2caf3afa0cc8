import sql from 'sql-template-tag'
import type { ChangeTransaction, Database, Queries } from '../../../db/database.ts'
import type { Markers } from '../../../lib/key-value.ts'
import { logPush, type PushCounts } from './push-log.ts'
import type { Scores } from './rules.ts'

export interface FeedStoreDeps {
  readonly db: Database
  /**
   * Markers in the transaction of the push: the push and its marker are committed together, even if the
   * process crashes.
   */
  readonly marksIn: (queries: Queries) => Pick<Markers, 'find' | 'claim'>
  readonly now: () => number
}

export interface Push {
  readonly challengeId: string
  /** Unique per push; used to detect replays. */
  readonly signature: string
  readonly scores: Scores
  /** The sender, for the action log. */
  readonly ip: string
}

export interface FeedStore {
  /** Applies the scores once. A replayed push changes nothing and reports zero changes. */
  push(push: Push): Promise<PushCounts>
}

/**
 * Ten minutes (docs/reference/pushed-scores.md#replayed-pushes) and one second of margin: an accepted
 * timestamp is at most five minutes ahead, and stays valid for another five.
 */
const REPLAY_MS = 601_000

const nothing: PushCounts = { inserted: 0, updated: 0, deleted: 0 }

export function createFeedStore({ db, marksIn, now }: FeedStoreDeps): FeedStore {
  return {
    async push({ challengeId, signature, scores, ip }) {
      const key = `scores:${challengeId}:${signature}`
      // Checked first without the change lock, so that replays do not queue for it.
      if ((await marksIn(db).find(key)) !== null) return nothing
      return await db.change(async (tx) => {
        const isFirst = await marksIn(tx).claim(key, '', REPLAY_MS)
        if (!isFirst) return nothing
        const counts = await setScores(tx, challengeId, scores)
        if (counts.inserted + counts.updated + counts.deleted > 0)
          await logPush(tx, { challengeId, ip, at: now() }, counts)
        return counts
      })
    },
  }
}

/**
 * One statement for any number of teams. If the challenge was deleted or changed its scoring kind, nothing
 * changes.
 */
async function setScores(tx: ChangeTransaction, challengeId: string, scores: Scores): Promise<PushCounts> {
  const [counts = nothing] = await tx.query<PushCounts>(sql`
    with moved as (
      select pushed.team_id, pushed.points, known.points is not null as is_known,
        pushed.points::bigint - coalesce(known.points, 0) as delta
      from unnest(${[...scores.keys()]}::text[], ${[...scores.values()]}::integer[]) as pushed (team_id, points)
        join teams on teams.id = pushed.team_id and not teams.banned
        join challenges on challenges.id = ${challengeId} and challenges.scoring_kind = 'dynamic'
        left join feed_scores known on known.challenge_id = challenges.id and known.team_id = pushed.team_id
      where pushed.points <> coalesce(known.points, 0)
    ), tick as (
      -- Later than any before it, whatever the clock did: deltas belong to the latest tick.
      select date_trunc('milliseconds', greatest(clock_timestamp(), (
        select at + interval '1 millisecond' from feed_events where challenge_id = ${challengeId}
        order by id desc limit 1))) as at
    ), logged as (
      insert into feed_events (challenge_id, team_id, delta, at)
      select ${challengeId}, team_id, delta, at from moved, tick
    ), cleared as (
      -- Not joined: a plan made while the table was small would compare each with each.
      delete from feed_scores where challenge_id = ${challengeId}
        and team_id = any (array(select team_id from moved where points = 0))
    ), kept as (
      insert into feed_scores (challenge_id, team_id, points, scored_at, delta, tick_at)
      select ${challengeId}, team_id, points, at, delta, at from moved, tick where points <> 0
      on conflict (challenge_id, team_id) do update
        set points = excluded.points, delta = excluded.delta, tick_at = excluded.tick_at
    )
    select count(*) filter (where not is_known)::integer as inserted,
      count(*) filter (where is_known and points <> 0)::integer as updated,
      count(*) filter (where is_known and points = 0)::integer as deleted
    from moved`)
  if (counts.inserted + counts.updated + counts.deleted > 0) tx.changed('pushes', [challengeId])
  return counts
}
