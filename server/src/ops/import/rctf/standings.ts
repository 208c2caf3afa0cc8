import { groupBy } from '../../../lib/group-by.ts'
import type { ScoreFormula } from '../../../lib/score-formula.ts'
import type {
  EventTimes,
  ExpectedStandings,
  ImportedChallenge,
  ImportedFeedScore,
  ImportedSolve,
  ImportedTeam,
} from '../contest.ts'
import { millisOf } from '../micros.ts'

export interface Played {
  readonly teams: readonly ImportedTeam[]
  readonly challenges: readonly ImportedChallenge[]
  readonly solves: readonly ImportedSolve[]
  readonly feedScores: readonly ImportedFeedScore[]
}

interface Counted {
  readonly teamId: string
  readonly challenge: ImportedChallenge
  readonly at: number
  /** Null for a solve, which is worth the value of its challenge. */
  readonly points: number | null
}

interface Rules extends EventTimes {
  readonly score: ScoreFormula
  readonly now: number
}

const RULE = 'score, then the last solve that breaks ties, then the last solve'

/** The standings of rCTF, computed from its rows. Its stored scores and ranks lag and are not read. */
export function expectedStandings(played: Played, rules: Rules): ExpectedStandings {
  const counted = countedOf(played, rules)
  const values = valuesOf(counted, rules)
  const byTeam = groupBy(counted, ({ teamId }) => teamId)
  const lines = played.teams.flatMap((team) => {
    const own = byTeam.get(team.id)
    if (!own) return []
    const ties = own.filter(({ challenge }) => challenge.tiebreakEligible)
    const score = own.reduce(
      (sum, { challenge, points }) => sum + (points ?? values.get(challenge.id) ?? 0),
      0,
    )
    const created = millisOf(team.createdAt)
    return [
      {
        teamId: team.id,
        score,
        tie: ties.length === 0 ? Infinity : lastOf(ties),
        last: lastOf(own),
        created,
      },
    ]
  })
  lines.sort(
    (a, b) =>
      b.score - a.score ||
      (a.tie === b.tie ? 0 : a.tie - b.tie) ||
      a.last - b.last ||
      a.created - b.created ||
      (a.teamId < b.teamId ? -1 : 1),
  )
  return { ranks: lines.map(({ teamId, score }) => ({ teamId, score })), rule: RULE }
}

function lastOf(rows: readonly Counted[]): number {
  return rows.reduce((last, { at }) => Math.max(last, at), -Infinity)
}

function countedOf({ teams, challenges, solves, feedScores }: Played, { endTime, now }: Rules): Counted[] {
  const playing = new Set(teams.filter(({ banned }) => !banned).map(({ id }) => id))
  const open = new Map(
    challenges
      .filter(({ hidden, releaseAt }) => !hidden && (releaseAt === null || releaseAt <= now))
      .map((challenge) => [challenge.id, challenge]),
  )
  const flags = solves.flatMap(({ teamId, challengeId, at }): Counted[] => {
    const challenge = open.get(challengeId)
    // Solves after the end are practice.
    return challenge && playing.has(teamId) && millisOf(at) <= endTime
      ? [{ teamId, challenge, at: millisOf(at), points: null }]
      : []
  })
  const pushed = feedScores.flatMap(({ teamId, challengeId, points, scoredAt }): Counted[] => {
    const challenge = open.get(challengeId)
    return challenge && playing.has(teamId) ? [{ teamId, challenge, at: millisOf(scoredAt), points }] : []
  })
  return [...flags, ...pushed]
}

function valuesOf(counted: readonly Counted[], { score, startTime, endTime }: Rules): Map<string, number> {
  const byChallenge = groupBy(
    counted.filter(({ points }) => points === null),
    ({ challenge }) => challenge.id,
  )
  const decaying = [...byChallenge.values()].filter(([first]) => first?.challenge.scoringKind === 'decay')
  const maxSolves = decaying.reduce((most, rows) => Math.max(most, rows.length), 0)
  return new Map(
    [...byChallenge].map(([id, rows]) => {
      const { points, scoringKind } = rows[0]?.challenge ?? {
        points: { min: 0, max: 0 },
        scoringKind: 'static',
      }
      if (scoringKind !== 'decay') return [id, points.max]
      const firstSolveAt = rows.reduce((first, { at }) => Math.min(first, at), Infinity)
      return [
        id,
        score.value({ ...points, solves: rows.length, maxSolves, startTime, endTime, firstSolveAt }),
      ]
    }),
  )
}
