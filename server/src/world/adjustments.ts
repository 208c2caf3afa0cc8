// Points that organisers award or deduct: docs/decisions/0038-store-score-adjustments-as-rows.md

/** Points that organisers awarded or deducted. */
export interface AdjustmentRow {
  readonly id: string
  readonly teamId: string
  /** Not zero; negative if deducted. */
  readonly points: number
  readonly reason: string
  readonly kind: 'manual' | 'hint'
  readonly at: number
}

/** The adjustments of all teams. Those of banned teams are kept and do not count. */
export interface Adjustments {
  /** By team slot, oldest first, ties by id. Teams without any are missing. */
  readonly byTeam: Map<number, readonly AdjustmentRow[]>
  /** The latest of all; minus infinity without any. */
  latestAt: number
}

interface Contest {
  readonly adjustments: Adjustments
  readonly teams: { readonly rows: readonly ({ readonly banned: boolean } | undefined)[] }
}

/** The columns of the standings that adjustments change. */
interface Scores {
  readonly score: Float64Array
  readonly counted: Int32Array
  readonly last: Float64Array
  readonly lastTie: Float64Array
}

const NONE: readonly AdjustmentRow[] = []

export function createAdjustments(): Adjustments {
  return { byTeam: new Map(), latestAt: -Infinity }
}

/** What counts for a team, oldest first. */
export function adjustmentsOf({ adjustments, teams }: Contest, team: number): readonly AdjustmentRow[] {
  return (teams.rows[team]?.banned ?? true) ? NONE : (adjustments.byTeam.get(team) ?? NONE)
}

/** Replaces the adjustments of one team. Returns whether they differ. */
export function setAdjustments(
  { adjustments }: Contest,
  team: number,
  rows: readonly AdjustmentRow[],
): boolean {
  const before = adjustments.byTeam.get(team) ?? NONE
  const sorted = rows.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
  if (isSame(before, sorted)) return false
  if (sorted.length === 0) adjustments.byTeam.delete(team)
  else adjustments.byTeam.set(team, sorted)
  adjustments.latestAt = -Infinity
  for (const own of adjustments.byTeam.values()) {
    adjustments.latestAt = Math.max(adjustments.latestAt, own.at(-1)?.at ?? -Infinity)
  }
  return true
}

function isSame(a: readonly AdjustmentRow[], b: readonly AdjustmentRow[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ id, points, reason, at }, index) => {
      const other = b[index]
      return other?.id === id && other.points === points && other.reason === reason && other.at === at
    })
  )
}

/** An award counts like a solve, so its team is ranked. A deduction changes the score alone. Applies in place. */
export function addAdjustments(
  { score, counted, last, lastTie }: Scores,
  team: number,
  rows: readonly AdjustmentRow[],
): void {
  for (const { points, at } of rows) {
    score[team] = (score[team] ?? 0) + points
    if (points < 0) continue
    counted[team] = (counted[team] ?? 0) + 1
    last[team] = Math.max(last[team] ?? at, at)
    lastTie[team] = Math.max(lastTie[team] ?? at, at)
  }
}
