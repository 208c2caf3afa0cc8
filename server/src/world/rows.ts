import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { Database, Queries } from '../db/database.ts'
import type { AdjustmentRow } from './adjustments.ts'
import type { AnnouncementRow } from './announcements.ts'
import type { HintRow, PurchaseRow } from './hints.ts'
import type { WaveRow } from './waves.ts'
import type {
  ChallengeRow,
  FeedEvent,
  FeedRow,
  SettingsOverrides,
  SolvePair,
  SolveRow,
  TeamRow,
} from './model.ts'

// Reads the rows of the world by key.

/** Whole Unix milliseconds, rounded down. */
function millis(column: string): Sql {
  return raw(`floor(extract(epoch from ${column}) * 1000)::float8`)
}

/** The teams with the given ids, or all. */
export function readTeams(db: Queries, ids?: readonly string[]): Promise<TeamRow[]> {
  return db.query<TeamRow>(sql`
    select id, n, name, email, division, perms, banned, extrank_id as "extrankId", avatar_url as "avatarUrl",
      country_code as "countryCode", status_text as "statusText", ${millis('created_at')} as "createdAt",
      coalesce(${millis('tokens_valid_from')}, 0) as "tokensValidFrom"
    from teams ${ids ? sql`where id = any(${ids})` : empty}`)
}

/** The challenges with the given ids, or all. */
export function readChallenges(db: Queries, ids?: readonly string[]): Promise<ChallengeRow[]> {
  return db.query<ChallengeRow>(sql`
    select id, n, name, description, category, author, flags, files, points_min as "pointsMin",
      points_max as "pointsMax", tiebreak_eligible as "tiebreakEligible", tiebreak_choice as "tiebreakChoice", sort_weight as "sortWeight", hidden,
      ${millis('release_at')} as "releaseAt", scoring_kind as "scoringKind", scoring_secret as "scoringSecret",
      instancer_config as "instancerConfig", admin_bot_config as "adminBotConfig", tags,
      wave_id as "waveId", prerequisites, locked_shown as "lockedShown", version
    from challenges ${ids ? sql`where id = any(${ids})` : empty}`)
}

/** The announcements with the given ids, or all. */
export function readAnnouncements(db: Queries, ids?: readonly string[]): Promise<AnnouncementRow[]> {
  return db.query<AnnouncementRow>(sql`
    select id, title, content, severity, audience, pinned, forward, ${millis('publish_at')} as "publishAt", version,
      ${millis('created_at')} as "createdAt", ${millis('edited_at')} as "editedAt"
    from announcements ${ids ? sql`where id = any(${ids})` : empty}`)
}

/** The waves with the given ids, or all. */
export function readWaves(db: Queries, ids?: readonly string[]): Promise<WaveRow[]> {
  return db.query<WaveRow>(sql`
    select id, name, ${millis('open_at')} as "openAt", announce, forward, countdown, title, content as text,
      ${millis('announced_at')} as "announcedAt", announcement_id as "announcementId", version,
      ${millis('created_at')} as "createdAt"
    from waves ${ids ? sql`where id = any(${ids})` : empty}`)
}

/** The hints with the given ids, or all. */
export function readHints(db: Queries, ids?: readonly string[]): Promise<HintRow[]> {
  return db.query<HintRow>(sql`
    select id, challenge_id as "challengeId", position, content as text, price, release_kind as "releaseKind",
      ${millis('release_at')} as "releaseAt", release_minutes as "releaseMinutes", version
    from hints ${ids ? sql`where id = any(${ids})` : empty}`)
}

/** The purchases of the given teams, or all. */
export function readPurchases(db: Queries, teamIds?: readonly string[]): Promise<PurchaseRow[]> {
  return db.query<PurchaseRow>(sql`
    select hint_id as "hintId", team_id as "teamId", price, ${millis('at')} as at, adjustment_id as "adjustmentId"
    from hint_purchases ${teamIds ? sql`where team_id = any(${teamIds})` : empty}`)
}

/** Those of the given teams, or all; without those that were undone. */
export function readAdjustments(db: Queries, teamIds?: readonly string[]): Promise<AdjustmentRow[]> {
  return db.query<AdjustmentRow>(sql`
    select id, team_id as "teamId", points, reason, kind, ${millis('at')} as at
    from score_adjustments where undone_at is null ${teamIds ? sql`and team_id = any(${teamIds})` : empty}`)
}

export function readSolves(db: Queries, pairs: readonly SolvePair[]): Promise<SolveRow[]> {
  const challengeIds = pairs.map((pair) => pair.challengeId)
  const teamIds = pairs.map((pair) => pair.teamId)
  return db.query<SolveRow>(sql`
    select id, challenge_id as "challengeId", team_id as "teamId", ${millis('created_at')} as "createdAt",
      global_place as "globalRank", division_place as "divisionRank"
    from unnest(${challengeIds}::text[], ${teamIds}::text[]) as named (challenge_id, team_id)
      join solves using (challenge_id, team_id)`)
}

/** Feed rows of the given challenges, or all. */
export function readFeed(db: Queries, challengeIds?: readonly string[]): Promise<FeedRow[]> {
  return db.query<FeedRow>(sql`
    select challenge_id as "challengeId", team_id as "teamId", points, ${millis('scored_at')} as "scoredAt", delta,
      ${millis('tick_at')} as "tickAt"
    from feed_scores ${challengeIds ? sql`where challenge_id = any(${challengeIds})` : empty}`)
}

export function readFeedEvents(db: Queries, challengeIds: readonly string[]): Promise<FeedEvent[]> {
  return db.query<FeedEvent>(sql`
    select id, challenge_id as "challengeId", team_id as "teamId", delta, ${millis('at')} as at
    from feed_events where challenge_id = any(${challengeIds}) order by id`)
}

/** Feeds of the given challenges, read in one snapshot, so that scores and events match. */
export function readWholeFeed(
  db: Pick<Database, 'transaction'>,
  challengeIds: readonly string[],
): Promise<{ rows: FeedRow[]; events: FeedEvent[] }> {
  return db.transaction(async (tx) => {
    await tx.query(sql`set transaction isolation level repeatable read, read only`)
    return { rows: await readFeed(tx, challengeIds), events: await readFeedEvents(tx, challengeIds) }
  })
}

/** Events after a known one. One challenge per statement, so that PostgreSQL plans with that challenge's statistics. */
export function readLaterEvents(db: Queries, challengeId: string, lastId: number): Promise<FeedEvent[]> {
  return db.query<FeedEvent>(sql`
    select id, challenge_id as "challengeId", team_id as "teamId", delta, ${millis('at')} as at
    from feed_events where challenge_id = ${challengeId} and id > ${lastId} order by id`)
}

export async function readSettings(db: Queries): Promise<SettingsOverrides> {
  const [row] = await db.query<{ data: SettingsOverrides }>(sql`select data from settings`)
  return row?.data ?? {}
}
