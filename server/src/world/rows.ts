import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { Database, Queries } from '../db/database.ts'
import type {
  ChallengeRow,
  FeedEvent,
  FeedRow,
  SettingsOverrides,
  SolvePair,
  SolveRow,
  TeamRow,
} from './model.ts'

// Reads the rows of the world by key. Kinds that are values read their own.

/** Whole Unix milliseconds, rounded down. */
export function millis(column: string): Sql {
  return raw(`floor(extract(epoch from ${column}) * 1000)::float8`)
}

/** The teams with the given ids, or all. */
export function readTeams(db: Queries, ids?: readonly string[]): Promise<TeamRow[]> {
  return db.query<TeamRow>(sql`
    select id, n, name, email, division, perms, banned, extrank_id as "extrankId", avatar_url as "avatarUrl",
      country_code as "countryCode", status_text as "statusText", ${millis('created_at')} as "createdAt",
      coalesce(${millis('tokens_valid_from')}, 0) as "tokensValidFrom",
      token_off as "tokenOff", track, agent
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

export function readSolves(db: Queries, pairs: readonly SolvePair[]): Promise<SolveRow[]> {
  const challengeIds = pairs.map((pair) => pair.challengeId)
  const teamIds = pairs.map((pair) => pair.teamId)
  return db.query<SolveRow>(sql`
    select id, challenge_id as "challengeId", team_id as "teamId", ${millis('created_at')} as "createdAt",
      global_place as "globalRank", division_place as "divisionRank", assisted as "isAssisted"
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
