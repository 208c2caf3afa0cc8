import type { ScoreRow } from './row-kind.ts'

// Points besides those of challenges, such as docs/decisions/0038-store-score-adjustments-as-rows.md

/** Those of all teams. Those of banned teams are kept and do not count. */
export interface ScoreRows {
  /** By team slot, oldest first, ties by id. Teams without any are missing. */
  readonly byTeam: Map<number, readonly ScoreRow[]>
  /** The latest of all; minus infinity without any. */
  latestAt: number
}

interface Contest {
  readonly scoreRows: ScoreRows
  readonly teams: { readonly rows: readonly ({ readonly banned: boolean } | undefined)[] }
}

/** The columns of the standings that they change. */
interface Scores {
  readonly score: Float64Array
  readonly counted: Int32Array
  readonly last: Float64Array
  readonly lastTie: Float64Array
}

const NONE: readonly ScoreRow[] = []

export function createScoreRows(): ScoreRows {
  return { byTeam: new Map(), latestAt: -Infinity }
}

/** What counts for a team, oldest first. */
export function scoreRowsOf({ scoreRows, teams }: Contest, team: number): readonly ScoreRow[] {
  return (teams.rows[team]?.banned ?? true) ? NONE : (scoreRows.byTeam.get(team) ?? NONE)
}

/** Replaces those of some teams, by slot. */
export function setScoreRows(
  { scoreRows }: Pick<Contest, 'scoreRows'>,
  changed: Iterable<readonly [team: number, rows: readonly ScoreRow[]]>,
): void {
  const { byTeam } = scoreRows
  for (const [team, rows] of changed) {
    if (rows.length === 0) byTeam.delete(team)
    else
      byTeam.set(
        team,
        rows.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)),
      )
  }
  scoreRows.latestAt = -Infinity
  for (const own of byTeam.values())
    scoreRows.latestAt = Math.max(scoreRows.latestAt, own.at(-1)?.at ?? -Infinity)
}

/** Points that were awarded count like a solve, so their team is ranked. A deduction changes the score alone. Applies in place. */
export function addScoreRows(
  { score, counted, last, lastTie }: Scores,
  team: number,
  rows: readonly ScoreRow[],
): void {
  for (const { points, at } of rows) {
    score[team] = (score[team] ?? 0) + points
    if (points < 0) continue
    counted[team] = (counted[team] ?? 0) + 1
    last[team] = Math.max(last[team] ?? at, at)
    lastTie[team] = Math.max(lastTie[team] ?? at, at)
  }
}
