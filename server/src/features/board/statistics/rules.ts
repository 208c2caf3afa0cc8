import { MANY_SOLVES, STATISTICS_ROWS, type AdminStatistics } from '@pennant/contract/statistics.ts'
import type { z } from 'zod'
import { groupBy } from '../../../lib/group-by.ts'
import type { Challenge, WorldView } from '../../../world/model.ts'
import { shiftsOf } from './expectation.ts'
import type { FirstSolveRow, GroupRow } from './rows.ts'
import { openedAt, type Scope } from './scope.ts'

export type Report = z.infer<typeof AdminStatistics>
type Group = Report['total']

const HOURS = 24

export interface Counted {
  readonly scope: Scope
  readonly groups: readonly GroupRow[]
  readonly firsts: readonly FirstSolveRow[]
}

/** `world`: the one that the scope was made of. */
export function reportOf(world: WorldView, counted: Counted, computedAt: number): Report {
  const { scope } = counted
  const parts = groupBy(counted.groups, ({ part }) => part)
  const rows = (part: GroupRow['part']) => parts.get(part) ?? []
  const total = totalOf(rows('division'))
  const periods = numbered(rows('period'), scope.periods)
  const isBefore = scope.until <= scope.from
  const overTime = isBefore ? [] : periods
  return {
    computedAt,
    from: scope.from,
    until: scope.until,
    total,
    overTime: {
      periodMs: scope.periodMs,
      solves: overTime.map(({ solves }) => solves),
      submissions: overTime.map(({ submissions }) => submissions),
      teams: overTime.map(({ active }) => active),
    },
    challenges: challengeFigures(counted, total.active),
    categories: categoryFigures(world, { scope, rows: rows('category') }, total.active),
    hours: numbered(rows('hour'), HOURS).map(({ solves, submissions, active }) => ({
      solves,
      submissions,
      teams: active,
    })),
    countries: groupsOf(rows('country')).map(([countryCode, group]) => ({ countryCode, ...group })),
    divisions: groupsOf(rows('division')).map(([division, group]) => ({
      division: division ?? '',
      ...group,
    })),
    funnel: funnelOf(rows('solved'), { total, challenges: scope.challenges.length }),
    retention: retentionOf(scope, { early: rows('early'), later: rows('later') }),
  }
}

function groupOf({ teams, active, solvers, solves, submissions }: GroupRow): Group {
  return { teams, active, solvers, solves, submissions }
}

function totalOf(rows: readonly GroupRow[]): Group {
  const sum = (of: keyof Group) => rows.reduce((all, row) => all + row[of], 0)
  return {
    teams: sum('teams'),
    active: sum('active'),
    solvers: sum('solvers'),
    solves: sum('solves'),
    submissions: sum('submissions'),
  }
}

const NOTHING = { teams: 0, active: 0, solvers: 0, solves: 0, submissions: 0, wrong: 0 }

/** Rows with the keys 0, 1, …, each once. */
function numbered(rows: readonly GroupRow[], length: number) {
  const byKey = new Map(rows.map((row) => [Number(row.key), row]))
  return Array.from({ length }, (_, key) => byKey.get(key) ?? NOTHING)
}

/** Most active teams first, then most teams, then by key. */
function groupsOf(rows: readonly GroupRow[]): [string | null, Group][] {
  return rows
    .toSorted((a, b) => b.active - a.active || b.teams - a.teams || ((a.key ?? '') < (b.key ?? '') ? -1 : 1))
    .slice(0, STATISTICS_ROWS)
    .map((row) => [row.key, groupOf(row)])
}

function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(1, part / whole)
}

function challengeFigures({ scope, groups, firsts }: Counted, active: number): Report['challenges'] {
  const byId = new Map(groups.filter(({ part }) => part === 'challenge').map((row) => [row.key, row]))
  const firstOf = new Map(firsts.map((row) => [row.challengeId, row]))
  const figures = scope.challenges.map((challenge) => {
    const { id, name, category, pointsMax: initialPoints, points } = challenge
    const { solves, submissions, wrong } = byId.get(id) ?? NOTHING
    const opened = openedAt(scope, challenge)
    const first = firstOf.get(id)
    return {
      id,
      name,
      category,
      initialPoints,
      points,
      solves,
      share: shareOf(solves, active),
      openedAt: opened,
      firstSolve: first
        ? {
            at: first.firstAt,
            afterMs: Math.max(0, first.firstAt - opened),
            teamId: first.teamId,
            teamName: first.teamName,
          }
        : null,
      medianMs: first ? Math.max(0, first.medianAt - opened) : null,
      correct: submissions - wrong,
      wrong,
    }
  })
  const shifts = shiftsOf(
    figures.map((each, at) => ({ ...each, sortWeight: weightOf(scope.challenges[at]) })),
  )
  return figures.map((each) => ({ ...each, shift: shifts.get(each.id) ?? { bySolves: 0, byFirstSolve: 0 } }))
}

function weightOf(challenge: Challenge | undefined): number | null {
  return challenge?.sortWeight ?? null
}

function categoryFigures(
  world: WorldView,
  { scope, rows }: { readonly scope: Scope; readonly rows: readonly GroupRow[] },
  active: number,
): Report['categories'] {
  const counted = new Map(rows.map((row) => [row.key, row]))
  const withFlags = groupBy(scope.challenges, ({ category }) => category)
  const all = groupBy(world.publicChallenges(), ({ category }) => category)
  return [...all].slice(0, STATISTICS_ROWS).map(([category, challenges]) => {
    const { solves, solvers } = counted.get(category) ?? NOTHING
    const most = (withFlags.get(category)?.length ?? 0) * active
    return {
      category,
      challenges: challenges.length,
      initialPoints: challenges.reduce((sum, { pointsMax }) => sum + pointsMax, 0),
      points: challenges.reduce((sum, { points }) => sum + points, 0),
      solves,
      solvers,
      share: shareOf(solves, most),
    }
  })
}

function funnelOf(
  rows: readonly GroupRow[],
  { total, challenges }: { readonly total: Group; readonly challenges: number },
): Report['funnel'] {
  const solvedAtLeast = (least: number) =>
    rows.filter(({ key }) => Number(key) >= least).reduce((sum, { teams }) => sum + teams, 0)
  const least = (part: number) => Math.max(1, Math.ceil(challenges * part))
  return {
    registered: total.teams,
    active: total.active,
    solvedOne: solvedAtLeast(1),
    solvedMany: solvedAtLeast(MANY_SOLVES),
    solvedHalf: solvedAtLeast(least(1 / 2)),
    solvedAll: solvedAtLeast(least(1)),
  }
}

function retentionOf(
  { periodMs, earlyPeriods, periods, stride }: Scope,
  { early, later }: { readonly early: readonly GroupRow[]; readonly later: readonly GroupRow[] },
): Report['retention'] {
  const slots = numbered(later, Math.ceil(periods / stride))
  return {
    earlyMs: earlyPeriods * periodMs,
    early: early[0]?.teams ?? 0,
    periodMs: periodMs * stride,
    returning: slots.map(({ teams }) => teams),
    others: slots.map(({ teams, active }) => active - teams),
  }
}
