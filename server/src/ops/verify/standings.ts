import type { ClientBase } from 'pg'
import { groupBy } from '../../lib/group-by.ts'
import type { ScoreFormula } from '../../lib/score-formula.ts'

export interface StandingsRules {
  readonly score: ScoreFormula
  /** Unix milliseconds, from the configuration. Settings of the database take precedence. */
  readonly startTime: number
  readonly endTime: number
}

export interface Rank {
  readonly globalPlace: number
  readonly divisionPlace: number
  readonly id: string
  readonly name: string
  readonly division: string
  readonly score: number
}

/** What counts for a team: the sum of its flag solves, a pushed score, or a score adjustment. */
interface Counted {
  readonly team: string
  readonly points: number
  /** Time of the latest row, and of the latest one that decides ties; null if there is none. */
  readonly last: number
  readonly tie: number | null
  /** A deduction neither ranks a team nor decides a tie. */
  readonly isRanking: boolean
}

/** Counted flag solves of a challenge. */
interface SolveCount {
  readonly challenge: string
  readonly count: number
  readonly firstAt: number
}

interface TeamRow {
  readonly id: string
  readonly name: string
  readonly division: string
  readonly created: number
  readonly track: string | null
}

/** The settings of a track that standings depend on. */
interface TrackSettings {
  readonly id: string
  readonly isRanked: boolean
  readonly affectsPoints: boolean
}

const ms = (column: string) => `floor(extract(epoch from ${column}) * 1000)::float8`

/** The rows of `docs/reference/scoring.md`, "Who counts", at the instant $1 with the end $2. */
const PUBLIC = `not c.hidden and (c.release_at is null or c.release_at <= $1)`
const SOLVES = `
  from solves s join teams t on t.id = s.team_id and not t.banned join challenges c on c.id = s.challenge_id
  where c.scoring_kind <> 'dynamic' and s.created_at <= $1
    and s.created_at < $2::timestamptz + interval '1 millisecond' and c.id = any ($3::text[])`
// Grouped by the database: a large contest has millions of solves.
const SOLVE_COUNTS = `
  select c.id as challenge, count(*)::float8 as count, ${ms('min(s.created_at)')} as "firstAt" ${SOLVES}
    and case when t.track = any ($4::text[]) then t.track = any ($5::text[]) else $6::boolean end
  group by c.id`
const SOLVE_SUMS = `
  select s.team_id as team, sum(v.points) as points, ${ms('max(s.created_at)')} as last,
    ${ms('max(s.created_at) filter (where s.is_tie)')} as tie, true as "isRanking"
  from (select s.team_id, s.created_at, c.id, c.tiebreak_eligible as is_tie ${SOLVES}) s
    join (select unnest($3::text[]) as id, unnest($4::float8[]) as points) v using (id)
  group by s.team_id`
/** Earlier points are the sum of the changes up to then. */
const PUSHED = `
  select f.team_id as team, ${ms('f.scored_at')} as last, true as "isRanking",
    case when c.tiebreak_eligible then ${ms('f.scored_at')} end as tie,
    case when $2::boolean then f.points::float8 else coalesce(
      (select sum(e.delta) from feed_events e
       where e.challenge_id = f.challenge_id and e.team_id = f.team_id and e.at <= $1), 0)::float8 end as points
  from feed_scores f join teams t on t.id = f.team_id and not t.banned join challenges c on c.id = f.challenge_id
  where c.id = any ($3::text[]) and c.scoring_kind = 'dynamic' and ($2::boolean or f.scored_at <= $1)`
const ADJUSTMENTS = `
  select a.team_id as team, ${ms('a.at')} as last, ${ms('a.at')} as tie, a.points::float8 as points,
    a.points > 0 as "isRanking"
  from score_adjustments a join teams t on t.id = a.team_id and not t.banned
  where a.undone_at is null and a.at <= $1`
const CHALLENGES = `
  select id, scoring_kind as kind, points_min as min, points_max as max from challenges c where ${PUBLIC}`
const TEAMS = `select id, name, division, ${ms('created_at')} as created, track from teams where not banned`
const SETTINGS = `
  select (data ->> 'startTime')::float8 as start, (data ->> 'endTime')::float8 as end, data -> 'tracks' as tracks
  from settings`

interface Settings {
  readonly start: number | null
  readonly end: number | null
  readonly tracks: readonly TrackSettings[] | null
}

/**
 * The standings at an instant (null: now, on the given clock), computed from the tables as they are: later edits of challenges
 * and bans apply to earlier instants too. Run it in a repeatable-read transaction.
 */
export async function computeStandings(
  client: ClientBase,
  rules: StandingsRules,
  { at, now }: { readonly at: number | null; readonly now: number },
): Promise<Rank[]> {
  const { rows: settings } = await client.query<Settings>(SETTINGS)
  const startTime = settings[0]?.start ?? rules.startTime
  const endTime = settings[0]?.end ?? rules.endTime
  const tracks = settings[0]?.tracks ?? []
  const instant = new Date(at ?? now)
  const until = at === null ? 'infinity' : instant
  // A release in the future hides its solves, whatever their date.
  const { rows: challenges } = await client.query<ChallengeRow>(CHALLENGES, [instant])
  const ids = challenges.map(({ id }) => id)
  const solved = [until, new Date(endTime), ids]
  const { rows: counts } = await client.query<SolveCount>(SOLVE_COUNTS, [...solved, ...pricing(tracks)])
  const points = valuesOf(challenges, counts, { ...rules, startTime, endTime })
  const { rows: solves } = await client.query<Counted>(SOLVE_SUMS, [...solved, points])
  const { rows: pushed } = await client.query<Counted>(PUSHED, [instant, at === null, ids])
  const { rows: adjustments } = await client.query<Counted>(ADJUSTMENTS, [until])
  const { rows: teams } = await client.query<TeamRow>(TEAMS)
  const isRanked = ({ track }: TeamRow) =>
    (tracks.find(({ id }) => id === track) ?? tracks[0])?.isRanked ?? true
  return rank(teams.filter(isRanked), [...solves, ...pushed, ...adjustments])
}

/** The ids of all tracks, of those whose solves values depend on, and whether they depend on those of other teams. */
function pricing(tracks: readonly TrackSettings[]): [all: string[], some: string[], others: boolean] {
  const some = tracks.filter(({ affectsPoints }) => affectsPoints)
  return [tracks.map(({ id }) => id), some.map(({ id }) => id), tracks[0]?.affectsPoints ?? true]
}

interface ChallengeRow {
  readonly id: string
  readonly kind: string
  readonly min: number
  readonly max: number
}

/** In the order of the challenges. */
function valuesOf(
  challenges: readonly ChallengeRow[],
  counts: readonly SolveCount[],
  { score, startTime, endTime }: StandingsRules,
): number[] {
  const solved = new Map(counts.map((row) => [row.challenge, row]))
  const countOf = (id: string) => solved.get(id)?.count ?? 0
  const decay = challenges.filter(({ kind }) => kind === 'decay')
  const maxSolves = Math.max(0, ...decay.map(({ id }) => countOf(id)))
  return challenges.map(({ id, kind, min, max }) => {
    if (kind !== 'decay') return kind === 'static' ? max : 0
    const firstSolveAt = solved.get(id)?.firstAt ?? null
    return score.value({ min, max, solves: countOf(id), maxSolves, startTime, endTime, firstSolveAt })
  })
}

function rank(teams: readonly TeamRow[], counted: readonly Counted[]): Rank[] {
  const byTeam = groupBy(counted, ({ team }) => team)
  const lines = teams.flatMap((team) => {
    const all = byTeam.get(team.id) ?? []
    const own = all.filter(({ isRanking }) => isRanking)
    if (own.length === 0) return []
    const ties = own.flatMap(({ tie }) => tie ?? [])
    const score = all.reduce((sum, { points }) => sum + points, 0)
    const tie = ties.length === 0 ? Infinity : latest(ties)
    return [{ ...team, score, tie, last: latest(own.map(({ last }) => last)) }]
  })
  lines.sort(
    (a, b) =>
      b.score - a.score ||
      compare(a.tie, b.tie) ||
      compare(a.last, b.last) ||
      compare(a.created, b.created) ||
      (a.id < b.id ? -1 : 1),
  )
  const places = new Map<string, number>()
  return lines.map(({ id, name, division, score }, at) => {
    const divisionPlace = (places.get(division) ?? 0) + 1
    places.set(division, divisionPlace)
    return { globalPlace: at + 1, divisionPlace, id, name, division, score }
  })
}

function latest(times: readonly number[]): number {
  return times.reduce((max, at) => Math.max(max, at), -Infinity)
}

/** Unlike a difference, also for infinite values. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1
}
