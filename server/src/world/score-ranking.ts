import { isDynamic, type Entry } from './challenges.ts'
import { bucketsOf } from './feed-buckets.ts'
import { latestDelta } from './feed.ts'
import { lastUpdateOf, pointsOf, SHORTEST_SAMPLE_MS } from './graph.ts'
import type { ChallengeScores, GraphPoint, RankedScore } from './model.ts'
import type { State } from './state.ts'

const noScores: ChallengeScores = { length: 0, slice: () => [], placeOf: () => null, graph: () => [] }

export function scoresOfChallenge(state: State, challengeId: string): ChallengeScores {
  const entry = state.challenges.byId.get(challengeId)
  if (!entry || !entry.isPublic || !isDynamic(entry)) return noScores
  const teams = rankedOn(state, entry)
  return {
    length: teams.length,
    slice: (offset, limit) =>
      Array.from(teams.subarray(offset, offset + limit), (team, index) =>
        rankedScore(state, entry, { team, place: offset + index + 1 }),
      ),
    placeOf(teamId) {
      const team = state.teams.slots.get(teamId)
      return team === undefined ? null : teams.indexOf(team) + 1 || null
    },
    graph: (teamIds, sampleMs) => graphOn(state, entry, { teamIds, sampleMs }),
  }
}

/** Slots of the teams that are not banned, best first. */
function rankedOn(state: State, entry: Entry): Int32Array {
  const { rows } = state.teams
  const { epoch } = state.standings
  if (entry.ranking?.epoch === epoch) return entry.ranking.teams
  const known = Array.from(entry.feed.scores, ([team, { points, scoredAt }]) => {
    return { team, points, scoredAt, id: rows[team]?.id ?? '', isOut: rows[team]?.banned ?? true }
  })
  const ranked = known
    .filter(({ isOut }) => !isOut)
    .sort((a, b) => b.points - a.points || a.scoredAt - b.scoredAt || (a.id < b.id ? -1 : 1))
  entry.ranking = { epoch, teams: Int32Array.from(ranked, ({ team }) => team) }
  return entry.ranking.teams
}

function rankedScore(
  { teams }: State,
  { feed }: Entry,
  { team, place }: { readonly team: number; readonly place: number },
): RankedScore {
  const score = feed.scores.get(team)
  const teamId = teams.rows[team]?.id ?? ''
  return { teamId, points: score?.points ?? 0, delta: score ? latestDelta(feed, score) : null, place }
}

function graphOn(
  state: State,
  entry: Entry,
  { teamIds, sampleMs }: { readonly teamIds: readonly string[]; readonly sampleMs: number },
): GraphPoint[][] {
  const lastUpdate = lastUpdateOf(state, entry)
  const { lines } = bucketsOf(entry.feed, Math.max(SHORTEST_SAMPLE_MS, sampleMs), state.endTime)
  return teamIds.map((id) => {
    const team = state.teams.slots.get(id) ?? -1
    const line = lines.get(team)
    const score = entry.feed.scores.get(team)?.points ?? 0
    return line ? pointsOf({ axis: line.ends, lastUpdate }, line.changes, score) : []
  })
}
