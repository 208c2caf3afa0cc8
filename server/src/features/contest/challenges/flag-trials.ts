import { goodFlagTrials, tryFlags } from '@pennant/contract/flag-trials.ts'
import sql from 'sql-template-tag'
import type { Database, Queries } from '../../../db/database.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import type { Flags } from '../../../providers/flags/flags.ts'
import type { Challenge, WorldView } from '../../../world/model.ts'

export interface FlagTrialDeps {
  readonly db: Database
  readonly world: () => WorldView
  readonly flags: Pick<Flags, 'findMatch'>
  readonly now: () => number
  /** Resolves once this process's world includes everything committed before the call. */
  readonly caughtUp: () => Promise<void>
}

export function flagTrialRoutes({ db, world, flags, now, caughtUp }: FlagTrialDeps): Endpoint[] {
  return [
    on(tryFlags, async ({ body: { data }, team }) => {
      // Flags that were saved a moment ago may have been saved in another process.
      await caughtUp()
      const trials = []
      const accepted = new Map<string, Challenge>()
      // One after the other, so that a list of slow patterns does not fill the queue of players' submissions.
      for (const { challengeId, flag: text } of data.trials) {
        const challenge = world().challenge(challengeId)
        const isClosed = !challenge || challenge.scoringKind === 'dynamic' || challenge.flags.length === 0
        if (isClosed) {
          const outcome = challenge ? ('noFlag' as const) : ('noChallenge' as const)
          trials.push({ challengeId, outcome, matchedFlagIndex: null })
          continue
        }
        const match = await flags.findMatch(challenge.flags, { challengeId, teamId: team.id, text })
        if (match) accepted.set(challengeId, challenge)
        const outcome = match ? ('accepted' as const) : ('refused' as const)
        trials.push({ challengeId, outcome, matchedFlagIndex: match?.index ?? null })
      }
      if (accepted.size > 0) await recordTrials(db, [...accepted.values()], now())
      return goodFlagTrials({ trials })
    }),
  ]
}

/** Records that a flag of each challenge was accepted, unless its flags have changed since. */
async function recordTrials(db: Queries, tried: readonly Challenge[], at: number): Promise<void> {
  await db.query(sql`
    insert into flag_trials (challenge_id, flags_hash, tried_at)
    select c.id, md5(c.flags::text), ${new Date(at)}
    from challenges c join unnest(${tried.map(({ id }) => id)}::text[],
      ${tried.map(({ flags }) => JSON.stringify(flags))}::jsonb[]) as t (id, flags) on c.id = t.id and c.flags = t.flags
    on conflict (challenge_id) do update set flags_hash = excluded.flags_hash, tried_at = excluded.tried_at`)
}
