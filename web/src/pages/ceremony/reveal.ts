import type { CeremonyTeam } from '@pennant/contract/replay.ts'
import type { z } from 'zod'

// The order of a reveal: docs/operate/ceremony.md. Scores only rise, so a team that has its final rank keeps it.

export type Team = z.output<typeof CeremonyTeam>
export type Solve = Team['solves'][number]

export type Step =
  /** The standings at the beginning of the period. */
  | { readonly kind: 'start' }
  /** The teams that are not revealed one by one. */
  | { readonly kind: 'rest'; readonly count: number }
  /** Challenges are worth what they were worth at the end of the period. */
  | { readonly kind: 'values' }
  | { readonly kind: 'solve'; readonly teamId: string; readonly solve: Solve; readonly points: number }
  /** Pushed scores and other changes within the period. */
  | { readonly kind: 'other'; readonly teamId: string; readonly points: number }
  /** The team has its final rank. */
  | { readonly kind: 'settle'; readonly teamId: string }
  | { readonly kind: 'podium' }

/** What the audience sees after a step. */
export interface Frame {
  readonly step: Step
  /** Best first. */
  readonly order: readonly string[]
  readonly scores: ReadonlyMap<string, number>
  readonly settled: ReadonlySet<string>
}

/** All steps, from the last place upwards. `total` counts all ranked teams, `teams` are the best of them. */
export function stepsOf(teams: readonly Team[], total: number): Step[] {
  const steps: Step[] = [{ kind: 'start' }]
  if (total > teams.length) steps.push({ kind: 'rest', count: total - teams.length })
  if (teams.some((team) => baseOf(team) !== team.before.score)) steps.push({ kind: 'values' })
  const scores = new Map(teams.map((team) => [team.id, baseOf(team)]))
  const pending = new Map(teams.map((team) => [team.id, changesOf(team)]))
  const open = new Set(teams.map(({ id }) => id))
  // Each round takes a change of a team, or the team.
  while (open.size > 0) {
    const lowest = orderBy(teams, scores).findLast((id) => open.has(id)) ?? ''
    const change = pending.get(lowest)?.shift()
    if (change) {
      steps.push(change)
      scores.set(lowest, (scores.get(lowest) ?? 0) + change.points)
    } else {
      steps.push({ kind: 'settle', teamId: lowest })
      open.delete(lowest)
    }
  }
  return [...steps, { kind: 'podium' }]
}

/** What is shown after the step at an index. */
export function frameAt(teams: readonly Team[], steps: readonly Step[], index: number): Frame {
  const step = steps[index] ?? { kind: 'start' }
  const past = steps.slice(0, index + 1)
  const isBefore = !past.some(({ kind }) => kind === 'values' || kind === 'solve' || kind === 'other')
  const hasValues = steps.some(({ kind }) => kind === 'values')
  const scores = new Map(
    teams.map((team) => [team.id, isBefore && hasValues ? team.before.score : baseOf(team)]),
  )
  const settled = new Set<string>()
  for (const each of past) {
    if (each.kind === 'settle') settled.add(each.teamId)
    if (each.kind === 'solve' || each.kind === 'other')
      scores.set(each.teamId, (scores.get(each.teamId) ?? 0) + each.points)
  }
  const order = isBefore ? orderBefore(teams) : orderBy(teams, scores)
  return { step, order, scores, settled }
}

/** The score that the reveal begins with. Losses within the period come first, because scores only rise afterwards. */
function baseOf(team: Team): number {
  return team.base + Math.min(0, otherPoints(team))
}

/** What changed within the period other than by solves. */
function otherPoints({ after, base, solves }: Team): number {
  return after.score - base - solves.reduce((sum, { points }) => sum + points, 0)
}

function changesOf(team: Team): Extract<Step, { readonly points: number }>[] {
  const solves = team.solves.map((solve) => ({
    kind: 'solve' as const,
    teamId: team.id,
    solve,
    points: solve.points,
  }))
  const other = otherPoints(team)
  return other > 0 ? [...solves, { kind: 'other', teamId: team.id, points: other }] : solves
}

/** By score; equal scores in their final order. */
function orderBy(teams: readonly Team[], scores: ReadonlyMap<string, number>): string[] {
  const scoreOf = ({ id }: Team) => scores.get(id) ?? 0
  return teams
    .toSorted((left, right) => scoreOf(right) - scoreOf(left) || left.after.rank - right.after.rank)
    .map(({ id }) => id)
}

/** As the audience knows it; teams without a rank are last. */
function orderBefore(teams: readonly Team[]): string[] {
  const rankOf = ({ before }: Team) => before.rank ?? Number.MAX_SAFE_INTEGER
  return teams
    .toSorted((left, right) => rankOf(left) - rankOf(right) || left.after.rank - right.after.rank)
    .map(({ id }) => id)
}
