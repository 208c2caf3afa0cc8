import { HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import type { ChallengeRow, SolveRow, TeamRow } from '../src/world/model.ts'

// A deliberately simple and slow computation of docs/reference/statistics.md, with which the SQL must agree.

export interface SubmissionRow {
  readonly teamId: string
  readonly challengeId: string
  readonly createdAt: number
  readonly result: string
  readonly flag: string
}

export interface NaiveContest {
  readonly startTime: number
  readonly endTime: number
  readonly now: number
  readonly teams: readonly TeamRow[]
  readonly challenges: readonly ChallengeRow[]
  readonly solves: readonly SolveRow[]
  readonly submissions: readonly SubmissionRow[]
}

const range = (length: number) => Array.from({ length }, (_, at) => at)
const distinct = <T>(values: readonly T[]) => [...new Set(values)]
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)

export function naiveReport(contest: NaiveContest) {
  const { startTime: from, endTime, now } = contest
  const until = now < from ? from : now > endTime ? endTime : now
  const teams = contest.teams.filter(({ banned }) => !banned)
  const open = inListOrder(contest.challenges).filter(
    ({ hidden, releaseAt }) => !hidden && (releaseAt === null || releaseAt <= now),
  )
  const flagged = open.filter(({ scoringKind }) => scoringKind !== 'dynamic')
  const isCounted = (row: { teamId: string; challengeId: string; createdAt: number }) =>
    teams.some(({ id }) => id === row.teamId) &&
    flagged.some(({ id }) => id === row.challengeId) &&
    row.createdAt <= endTime
  const solves = contest.solves.filter(isCounted)
  const submissions = contest.submissions.filter(
    (row) => isCounted(row) && row.result !== 'queued' && row.createdAt >= from,
  )

  let periodMs = MINUTE_MS
  while (periodMs * 96 < until - from) periodMs += MINUTE_MS
  let periods = 1
  while (periods * periodMs < until - from) periods += 1
  const periodOf = ({ createdAt }: { createdAt: number }) =>
    Math.min(periods - 1, Math.max(0, Math.floor((createdAt - from) / periodMs)))
  const hourOf = ({ createdAt }: { createdAt: number }) => new Date(createdAt).getUTCHours()

  const sentBy = (id: string) => submissions.filter(({ teamId }) => teamId === id)
  const solvedBy = (id: string) => solves.filter(({ teamId }) => teamId === id)
  const isActive = ({ id }: TeamRow) => sentBy(id).length + solvedBy(id).length > 0
  const counted = teams.filter((team) => team.createdAt <= until || isActive(team))
  const groupOf = (some: readonly TeamRow[]) => ({
    teams: some.length,
    active: some.filter(isActive).length,
    solvers: some.filter(({ id }) => solvedBy(id).length > 0).length,
    solves: sum(some.map(({ id }) => solvedBy(id).length)),
    submissions: sum(some.map(({ id }) => sentBy(id).length)),
  })
  const grouped = <K extends string | null>(keyOf: (team: TeamRow) => K) =>
    distinct(counted.map(keyOf))
      .map((key) => ({ key, ...groupOf(counted.filter((team) => keyOf(team) === key)) }))
      .sort((a, b) => b.active - a.active || b.teams - a.teams || ((a.key ?? '') < (b.key ?? '') ? -1 : 1))
  const total = groupOf(counted)

  const figures = flagged.map((row) => {
    const own = solves
      .filter(({ challengeId }) => challengeId === row.id)
      .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
    const openedAt = Math.max(from, row.releaseAt ?? from)
    const [first] = own
    const middle = own[Math.floor((own.length - 1) / 2)]
    const sent = submissions.filter(({ challengeId }) => challengeId === row.id)
    const wrong = sent.filter(({ result }) => result === 'incorrect').length
    return {
      id: row.id,
      name: row.name,
      category: row.category,
      initialPoints: row.pointsMax,
      points: row.scoringKind === 'static' ? row.pointsMax : row.pointsMax - own.length,
      solves: own.length,
      share: total.active === 0 ? 0 : own.length / total.active,
      openedAt,
      firstSolve: first
        ? {
            at: first.createdAt,
            afterMs: Math.max(0, first.createdAt - openedAt),
            teamId: first.teamId,
            teamName: teams.find(({ id }) => id === first.teamId)?.name ?? '',
          }
        : null,
      medianMs: middle ? Math.max(0, middle.createdAt - openedAt) : null,
      correct: sent.length - wrong,
      wrong,
    }
  })
  const pointsNow = (row: ChallengeRow) => figures.find(({ id }) => id === row.id)?.points ?? 0

  const shiftOf = (id: string, measure: (figure: (typeof figures)[number]) => number) => {
    const row = flagged.find((each) => each.id === id)
    const figure = figures.find((each) => each.id === id)
    if (!row || !figure) return 0
    const others = flagged.filter((each) => each.category === row.category && each.id !== id)
    const weight = ({ sortWeight }: ChallengeRow) => sortWeight ?? 1e9
    const isEasier = (a: ChallengeRow, b: ChallengeRow) =>
      a.pointsMax !== b.pointsMax ? a.pointsMax < b.pointsMax : weight(a) < weight(b)
    const measured = (each: ChallengeRow) => measure(figures.find((one) => one.id === each.id) ?? figure)
    // The lowest and highest rank that each order allows.
    const expected = [
      others.filter((each) => isEasier(each, row)).length,
      others.filter((each) => !isEasier(row, each)).length,
    ] as const
    const actual = [
      others.filter((each) => measured(each) < measured(row)).length,
      others.filter((each) => measured(each) <= measured(row)).length,
    ] as const
    if (actual[0] > expected[1]) return actual[0] - expected[1]
    return actual[1] < expected[0] ? actual[1] - expected[0] : 0
  }

  const earlyMs = Math.min(6 * HOUR_MS, (endTime - from) / 8)
  const earlyPeriods = Math.min(periods, Math.max(1, Math.round(earlyMs / periodMs)))
  const early = teams.filter(({ id }) => sentBy(id).some((row) => periodOf(row) < earlyPeriods))
  const stride = Math.ceil(periods / 24)
  const slots = range(Math.ceil(periods / stride)).map((slot) =>
    teams.filter(({ id }) => sentBy(id).some((row) => Math.floor(periodOf(row) / stride) === slot)),
  )
  const solvedAtLeast = (least: number) => counted.filter(({ id }) => solvedBy(id).length >= least).length
  const shownPeriods = until > from ? range(periods) : []
  const inPeriod = (rows: readonly { createdAt: number }[], period: number) =>
    rows.filter((row) => periodOf(row) === period)

  return {
    computedAt: now,
    from,
    until,
    total,
    overTime: {
      periodMs,
      solves: shownPeriods.map((period) => inPeriod(solves, period).length),
      submissions: shownPeriods.map((period) => inPeriod(submissions, period).length),
      teams: shownPeriods.map(
        (period) => teams.filter(({ id }) => inPeriod(sentBy(id), period).length > 0).length,
      ),
    },
    challenges: figures.map((figure) => ({
      ...figure,
      shift: {
        bySolves: shiftOf(figure.id, ({ solves: count }) => -count),
        byFirstSolve: shiftOf(figure.id, ({ firstSolve }) => firstSolve?.afterMs ?? 1e15),
      },
    })),
    categories: distinct(open.map(({ category }) => category)).map((category) => {
      const all = open.filter((row) => row.category === category)
      const ids = flagged.filter((row) => row.category === category).map(({ id }) => id)
      const own = solves.filter(({ challengeId }) => ids.includes(challengeId))
      const most = ids.length * total.active
      return {
        category,
        challenges: all.length,
        initialPoints: sum(all.map(({ pointsMax }) => pointsMax)),
        points: sum(all.map(pointsNow)),
        solves: own.length,
        solvers: distinct(own.map(({ teamId }) => teamId)).length,
        share: most === 0 ? 0 : own.length / most,
      }
    }),
    hours: range(24).map((hour) => {
      const sent = submissions.filter((row) => hourOf(row) === hour)
      return {
        solves: solves.filter((row) => hourOf(row) === hour).length,
        submissions: sent.length,
        teams: distinct(sent.map(({ teamId }) => teamId)).length,
      }
    }),
    countries: grouped(({ countryCode }) => countryCode).map(({ key, ...group }) => ({
      countryCode: key,
      ...group,
    })),
    divisions: grouped(({ division }) => division).map(({ key, ...group }) => ({ division: key, ...group })),
    funnel: {
      registered: counted.length,
      active: total.active,
      solvedOne: solvedAtLeast(1),
      solvedMany: solvedAtLeast(5),
      solvedHalf: solvedAtLeast(Math.max(1, flagged.length / 2)),
      solvedAll: solvedAtLeast(Math.max(1, flagged.length)),
    },
    retention: {
      earlyMs: earlyPeriods * periodMs,
      early: early.length,
      periodMs: periodMs * stride,
      returning: slots.map((active) => active.filter((team) => early.includes(team)).length),
      others: slots.map((active) => active.filter((team) => !early.includes(team)).length),
    },
  }
}

/** By sort weight ascending (unset last), then id descending. */
function inListOrder(challenges: readonly ChallengeRow[]): ChallengeRow[] {
  return challenges.toSorted(
    (a, b) => (a.sortWeight ?? 1e9) - (b.sortWeight ?? 1e9) || (a.id < b.id ? 1 : -1),
  )
}

export function naiveWrongFlags({ teams, challenges, submissions }: NaiveContest) {
  return challenges.flatMap((challenge) => {
    const wrong = submissions.filter(
      ({ challengeId, teamId, result, flag }) =>
        challengeId === challenge.id &&
        result === 'incorrect' &&
        flag.length <= 200 &&
        teams.some(({ id, banned }) => id === teamId && !banned),
    )
    return distinct(wrong.map(({ flag }) => flag))
      .map((flag) => {
        const same = wrong.filter((row) => row.flag === flag)
        const times = same.map(({ createdAt }) => createdAt)
        return {
          challengeId: challenge.id,
          flag,
          submissions: same.length,
          teams: distinct(same.map(({ teamId }) => teamId)).length,
          firstAt: Math.min(...times),
          lastAt: Math.max(...times),
        }
      })
      .filter((row) => row.submissions > 1)
      .sort((a, b) => b.teams - a.teams || b.submissions - a.submissions || (a.flag < b.flag ? -1 : 1))
      .map((row, at) => ({ ...row, place: at + 1 }))
  })
}
