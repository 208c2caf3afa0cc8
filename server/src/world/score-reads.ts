import { isDynamic, type Entry } from './challenges.ts'
import { latestDelta } from './feed.ts'
import type { DynamicScore, FeedScoreOfTeam, Standing } from './model.ts'
import { placesOf } from './places.ts'
import type { State } from './state.ts'

const noStanding: Standing = { score: 0, globalPlace: null, divisionPlace: null }

export function standingOf(state: State, teamId: string): Standing {
  const team = state.teams.slots.get(teamId)
  if (team === undefined || !state.standings.counted[team]) return noStanding
  const places = placesOf(state)
  return {
    score: state.standings.score[team] ?? 0,
    globalPlace: places.global[team] ?? null,
    divisionPlace: places.inDivision[team] ?? null,
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

/** Public or not. */
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
