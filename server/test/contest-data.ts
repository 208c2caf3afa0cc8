import sql from 'sql-template-tag'
import type { Database } from '../src/db/database.ts'
import type { ChallengeRow, FeedRow, SettingsOverrides, SolveRow } from '../src/world/model.ts'
import { tracksOf } from './world-model.ts'

// Inserts contest rows directly, in the state that API requests would leave, for tests of the readers.

export async function putChallenge(db: Database, row: ChallengeRow): Promise<void> {
  const releaseAt = row.releaseAt === null ? null : new Date(row.releaseAt)
  await db.change(async (tx) => {
    await tx.query(sql`
      insert into challenges (id, name, description, category, author, flags, files, points_min, points_max,
        tiebreak_eligible, sort_weight, hidden, release_at, scoring_kind, instancer_config, admin_bot_config)
      values (${row.id}, ${row.name}, ${row.description}, ${row.category}, ${row.author},
        ${JSON.stringify(row.flags)}, ${JSON.stringify(row.files)}, ${row.pointsMin}, ${row.pointsMax},
        ${row.tiebreakEligible}, ${row.sortWeight}, ${row.hidden}, ${releaseAt}, ${row.scoringKind},
        ${row.instancerConfig && JSON.stringify(row.instancerConfig)},
        ${row.adminBotConfig && JSON.stringify(row.adminBotConfig)})
      on conflict (id) do update set name = excluded.name, hidden = excluded.hidden,
        release_at = excluded.release_at, version = challenges.version + 1`)
    tx.changed('challenges', [row.id])
  })
}

export async function putSolve(db: Database, row: SolveRow): Promise<void> {
  await db.change(async (tx) => {
    await tx.query(sql`
      insert into solves (id, challenge_id, team_id, created_at, ip, global_place, division_place)
      values (${row.id}, ${row.challengeId}, ${row.teamId}, ${new Date(row.createdAt)}, '203.0.113.1',
        ${row.globalRank}, ${row.divisionRank})
      on conflict (challenge_id, team_id) do update
        set global_place = excluded.global_place, division_place = excluded.division_place`)
    tx.changed('solves', [row.challengeId, row.teamId])
  })
}

/** Sets a team's score on a dynamic challenge, as a push at `tickAt` that changed it by `delta` would. */
export async function putFeed(db: Database, row: FeedRow): Promise<void> {
  const tickAt = new Date(row.tickAt)
  await db.change(async (tx) => {
    await tx.query(sql`
      insert into feed_scores (challenge_id, team_id, points, scored_at, delta, tick_at)
      values (${row.challengeId}, ${row.teamId}, ${row.points}, ${new Date(row.scoredAt)}, ${row.delta}, ${tickAt})
      on conflict (challenge_id, team_id) do update
        set points = excluded.points, delta = excluded.delta, tick_at = excluded.tick_at`)
    await tx.query(sql`
      insert into feed_events (challenge_id, team_id, delta, at)
      values (${row.challengeId}, ${row.teamId}, ${row.delta}, ${tickAt})`)
    tx.changed('feed', [row.challengeId])
  })
}

export async function putSettings(db: Database, settings: SettingsOverrides): Promise<void> {
  await db.change(async (tx) => {
    await tx.query(sql`update settings set data = ${JSON.stringify(settings)}, version = version + 1`)
    tx.changed('settings', [])
  })
}

/** Three tracks that may do everything: human, agent and guest. */
export const putTracks = (db: Database) => putSettings(db, { tracks: tracksOf(0) })

export async function setBanned(db: Database, teamId: string, banned: boolean): Promise<void> {
  await db.change(async (tx) => {
    await tx.query(sql`update teams set banned = ${banned} where id = ${teamId}`)
    tx.changed('teams', [teamId])
  })
}
