import { graphOfChallenge } from '../graph/graph.ts'
import type { ChallengeScores, DynamicScore, FeedScoreOfTeam, RankedScore, Standing } from '../reads.ts'
import type { Entry, Feed, FeedScore, State } from '../state.ts'
import { isDynamic } from '../values.ts'
import { ranksAmong } from './ranks.ts'

const noStanding: Standing = { score: 0, globalRank: null, divisionRank: null }

export function standingOf(state: State, teamId: string, tracks?: readonly string[]): Standing {
  const team = state.teams.slots.get(teamId)
  if (team === undefined || !state.standings.counted[team]) return noStanding
  const ranks = ranksAmong(state, tracks)
  return {
    score: state.standings.score[team] ?? 0,
    // 0 if its track is not among these.
    globalRank: ranks.global[team] || null,
    divisionRank: ranks.inDivision[team] || null,
  }
}

/** In the order of the challenges. */
export function dynamicScoresOf(state: State, teamId: string): DynamicScore[] {
  const team = state.teams.slots.get(teamId)
  if (team === undefined) return []
  return state.challenges.sorted.flatMap((entry) => dynamicScoreIn(entry, team) ?? [])
}

export function dynamicScoreOf(state: State, challengeId: string, teamId: string): DynamicScore | undefined {
  const entry = state.challenges.byId.get(challengeId)
  const team = state.teams.slots.get(teamId)
  return entry && team !== undefined ? dynamicScoreIn(entry, team) : undefined
}

function dynamicScoreIn(entry: Entry, team: number): DynamicScore | undefined {
  if (!entry.isPublic || !isDynamic(entry)) return undefined
  const score = entry.feed.scores.get(team)
  if (!score) return undefined
  return { challengeId: entry.row.id, points: score.points, delta: latestDelta(entry.feed, score) }
}

/** The team's change in the latest tick of the challenge; null if it had none. */
function latestDelta(feed: Feed, score: FeedScore): number | null {
  return score.tickAt === feed.tickAt ? score.delta : null
}

/** Includes challenges that are not public. */
export function feedScoresOfTeam(state: State, teamId: string): FeedScoreOfTeam[] {
  const team = state.teams.slots.get(teamId)
  const found: FeedScoreOfTeam[] = []
  if (team === undefined) return found
  for (const { row, feed } of state.challenges.sorted) {
    const score = feed.scores.get(team)
    if (score) found.push({ challengeId: row.id, points: score.points, scoredAt: score.scoredAt })
  }
  return found
}

const noScores: ChallengeScores = { length: 0, slice: () => [], rankOf: () => null, graph: () => [] }

export function scoresOfChallenge(state: State, challengeId: string): ChallengeScores {
  const entry = state.challenges.byId.get(challengeId)
  if (!entry || !entry.isPublic || !isDynamic(entry)) return noScores
  const teams = rankedOn(state, entry)
  return {
    length: teams.length,
    slice: (offset, limit) =>
      Array.from(teams.subarray(offset, offset + limit), (team, index) =>
        rankedScore(state, entry, { team, rank: offset + index + 1 }),
      ),
    rankOf(teamId) {
      const team = state.teams.slots.get(teamId)
      return team === undefined ? null : teams.indexOf(team) + 1 || null
    },
    graph: (teamIds, sampleMs) => graphOfChallenge(state, entry, { teamIds, sampleMs }),
  }
}

/** Slots of the teams that are not banned, best first. Cached in the entry. */
function rankedOn(state: State, entry: Entry): Int32Array {
  const { rows } = state.teams
  const { epoch } = state.standings
  if (entry.ranking?.epoch === epoch) return entry.ranking.teams
  const known = Array.from(entry.feed.scores, ([team, { points, scoredAt }]) => {
    return { team, points, scoredAt, id: rows[team]?.id ?? '', isBanned: rows[team]?.banned ?? true }
  })
  const ranked = known
    .filter(({ isBanned }) => !isBanned)
    .sort((a, b) => b.points - a.points || a.scoredAt - b.scoredAt || (a.id < b.id ? -1 : 1))
  entry.ranking = { epoch, teams: Int32Array.from(ranked, ({ team }) => team) }
  return entry.ranking.teams
}

function rankedScore(
  { teams }: State,
  { feed }: Entry,
  { team, rank }: { readonly team: number; readonly rank: number },
): RankedScore {
  const score = feed.scores.get(team)
  const teamId = teams.rows[team]?.id ?? ''
  return { teamId, points: score?.points ?? 0, delta: score ? latestDelta(feed, score) : null, rank }
}
