import { HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import * as contract from '@pennant/contract/statistics.ts'
import type { z } from 'zod'
import { on } from '../handler.ts'
import { standingsOf } from '../standings.ts'
import type { MockSolve, MockTeam, World } from '../world.ts'

// Figures with the shape of a played event. The counts of submissions are made up from the solves, because the mock keeps
// only the latest submissions.

type Figures = z.input<typeof contract.AdminStatistics>

const HOURS = 24
const RETENTION_PERIODS = 24
/** Wrong flags for each correct one: grows as fewer teams solve a challenge. */
const WRONG_PER_SOLVE = 3

function figuresOf(world: World): Figures {
  const { startTime: from, endTime } = world
  const until = Math.max(from, Math.min(world.now(), endTime))
  const standings = standingsOf(world)
  const teams = [...world.teams.values()].filter(({ banned }) => !banned)
  const solves = [...standings.solves.values()].flat()
  const solvesOf = countBy(solves, ({ teamId }) => teamId)
  const periodMs =
    Math.max(1, Math.ceil((until - from) / contract.STATISTICS_PERIODS / MINUTE_MS)) * MINUTE_MS
  const periods = Math.ceil((until - from) / periodMs)
  const counts = countsIn(solves, periods, ({ createdAt }) => Math.floor((createdAt - from) / periodMs))
  const submissions = counts.map((count, at) => count * (WRONG_PER_SOLVE + (at % 3)) + (at % 5))
  const groupOf = (some: readonly MockTeam[]) => {
    const own = some.map(({ id }) => solvesOf.get(id) ?? 0)
    const total = own.reduce((sum, count) => sum + count, 0)
    const solvers = own.filter((count) => count > 0).length
    const active = Math.min(some.length, solvers + Math.floor((some.length - solvers) / 2))
    return { teams: some.length, active, solvers, solves: total, submissions: total * WRONG_PER_SOLVE }
  }
  const total = groupOf(teams)
  const atLeast = (least: number) => [...solvesOf.values()].filter((count) => count >= least).length
  const challenges = challengesOf(world, total.active)
  const hours = countsIn(solves, HOURS, ({ createdAt }) => new Date(createdAt).getUTCHours())
  const slots = Math.min(RETENTION_PERIODS, periods)
  return {
    computedAt: world.now(),
    from,
    until,
    total,
    overTime: {
      periodMs,
      solves: counts,
      submissions,
      teams: counts.map((count) => Math.min(total.active, Math.ceil(count * 0.7))),
    },
    challenges,
    categories: categoriesOf(challenges, total.active),
    hours: hours.map((count) => ({ solves: count, submissions: count * 4, teams: Math.ceil(count * 0.6) })),
    countries: grouped(teams, ({ countryCode }) => countryCode).map(([countryCode, some]) => ({
      countryCode,
      ...groupOf(some),
    })),
    divisions: grouped(teams, ({ division }) => division).map(([division, some]) => ({
      division,
      ...groupOf(some),
    })),
    funnel: {
      registered: total.teams,
      active: total.active,
      solvedOne: atLeast(1),
      solvedMany: atLeast(contract.MANY_SOLVES),
      solvedHalf: atLeast(Math.max(1, challenges.length / 2)),
      solvedAll: atLeast(Math.max(1, challenges.length)),
    },
    retention: {
      earlyMs: 6 * HOUR_MS,
      early: Math.ceil(total.active * 0.8),
      periodMs: periodMs * Math.max(1, Math.ceil(periods / Math.max(1, slots))),
      returning: Array.from({ length: slots }, (_, at) => Math.ceil((total.active * 0.8) / (1 + at / 9))),
      others: Array.from({ length: slots }, (_, at) => Math.floor((total.active * 0.2 * at) / slots)),
    },
  }
}

function countBy(solves: readonly MockSolve[], keyOf: (solve: MockSolve) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const solve of solves) counts.set(keyOf(solve), (counts.get(keyOf(solve)) ?? 0) + 1)
  return counts
}

function countsIn(solves: readonly MockSolve[], length: number, placeOf: (solve: MockSolve) => number) {
  const counts = Array.from({ length }, () => 0)
  for (const solve of solves) {
    const place = Math.max(0, Math.min(placeOf(solve), length - 1))
    if (length > 0) counts[place] = (counts[place] ?? 0) + 1
  }
  return counts
}

function grouped<K>(teams: readonly MockTeam[], keyOf: (team: MockTeam) => K): [K, MockTeam[]][] {
  const groups = new Map<K, MockTeam[]>()
  for (const team of teams) groups.set(keyOf(team), [...(groups.get(keyOf(team)) ?? []), team])
  return [...groups].sort(([, a], [, b]) => b.length - a.length)
}

function challengesOf(world: World, active: number): Figures['challenges'] {
  const standings = standingsOf(world)
  return [...standings.solves].flatMap(([id, solves], at) => {
    const challenge = world.challenges.get(id)
    if (!challenge || challenge.scoring.kind === 'dynamic') return []
    const openedAt = Math.max(world.startTime, challenge.releaseTime ?? 0)
    const [first] = solves
    const middle = solves[Math.floor((solves.length - 1) / 2)]
    const after = (solve: MockSolve) => Math.max(0, solve.createdAt - openedAt)
    return {
      id,
      name: challenge.name,
      category: challenge.category,
      initialPoints: challenge.points.max,
      points: standings.points.get(id) ?? 0,
      solves: solves.length,
      share: active === 0 ? 0 : Math.min(1, solves.length / active),
      openedAt,
      firstSolve: first
        ? {
            at: first.createdAt,
            afterMs: after(first),
            teamId: first.teamId,
            teamName: world.teams.get(first.teamId)?.name ?? '',
          }
        : null,
      medianMs: middle ? after(middle) : null,
      shift:
        at % 7 === 3
          ? { bySolves: 3, byFirstSolve: 2 }
          : { bySolves: at % 5 === 4 ? -2 : 0, byFirstSolve: 0 },
      correct: solves.length,
      wrong: solves.length * WRONG_PER_SOLVE + (at % 9 === 5 ? 400 : 12),
    }
  })
}

function categoriesOf(challenges: Figures['challenges'], active: number): Figures['categories'] {
  return [...new Set(challenges.map(({ category }) => category))].map((category) => {
    const own = challenges.filter((challenge) => challenge.category === category)
    const sum = (of: 'points' | 'initialPoints' | 'solves') =>
      own.reduce((total, challenge) => total + challenge[of], 0)
    const solves = sum('solves')
    return {
      category,
      challenges: own.length,
      initialPoints: sum('initialPoints'),
      points: sum('points'),
      solves,
      solvers: Math.max(...own.map((challenge) => challenge.solves)),
      share: active === 0 ? 0 : Math.min(1, solves / (own.length * active)),
    }
  })
}

/** `null` for a text that is right elsewhere. */
const WRONG = ['flag{test}', 'flag{...}', null, 'CTF{the_moon_is_a_weak_key}', 'flag{admin}']

const wrongFlags = on(contract.listWrongFlags, ({ world, query: { challenge, limit, offset } }) => {
  const all = challengesOf(world, 1).filter(({ solves }) => solves > 0)
  const rows = all
    .filter(({ id }) => challenge === undefined || id === challenge)
    .flatMap(({ id, name, category, wrong }, at) =>
      WRONG.slice(0, challenge === undefined ? 1 : WRONG.length).map((flag, place) => ({
        challengeId: id,
        challengeName: name,
        challengeCategory: category,
        flag: challenge === undefined ? (WRONG[at % WRONG.length] ?? null) : flag,
        submissions: Math.max(2, Math.floor(wrong / (3 + place))),
        teams: Math.max(1, Math.floor(wrong / (6 + place))),
        firstAt: world.startTime + HOUR_MS,
        lastAt: world.startTime + 3 * HOUR_MS,
      })),
    )
    .sort((a, b) => b.teams - a.teams)
  return contract.goodWrongFlags({ total: rows.length, flags: rows.slice(offset, offset + limit) })
})

const all = on(contract.readEventStatistics, ({ world }) => contract.goodEventStatistics(figuresOf(world)))

/** Unlike on a server, they are public unless organisers turn it off, at any time. */
function isOpen(world: World): boolean {
  return world.settings.statisticsPublic !== false
}

function shown<G extends Figures['total']>({ active: _active, submissions: _submissions, ...each }: G) {
  return each
}

const open = on(contract.readPublicStatistics, ({ world }) => {
  if (!isOpen(world)) return contract.badStatistics()
  const { challenges, countries, divisions, ...figures } = figuresOf(world)
  return contract.goodStatistics({
    ...figures,
    countries: countries.map(shown),
    divisions: divisions.map(shown),
    challenges: challenges.map(({ correct: _correct, wrong: _wrong, ...each }) => each),
  })
})

const tables = on(contract.downloadEventStatistics, () => contract.goodStatisticsFile())
const openTables = on(contract.downloadPublicStatistics, ({ world }) =>
  isOpen(world) ? contract.goodStatisticsFile() : contract.badStatistics(),
)

export const statisticsEndpoints = [all, wrongFlags, tables, open, openTables]
