import type { ClientBase } from 'pg'
import type { ScoreFormula } from '../lib/score-formula.ts'

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

/** One row that counts: a flag solve, the pushed score of a team on a challenge, or a score adjustment. */
interface Counted {
  readonly team: string
  /** Null for a score adjustment. */
  readonly challenge: string | null
  readonly at: number
  readonly isTie: boolean
  /** Null for a flag solve, which is worth the value of its challenge. */
  readonly pushed: number | null
}

interface TeamRow {
  readonly id: string
  readonly name: string
  readonly division: string
  readonly created: number
}

const ms = (column: string) => `floor(extract(epoch from ${column}) * 1000)::float8`

/** The rows of `docs/reference/scoring.md`, "Who counts", at the instant $1 with the end $2. */
const PUBLIC = `not c.hidden and (c.release_at is null or c.release_at <= $1)`
const SOLVES = `
  select s.team_id as team, c.id as challenge, ${ms('s.created_at')} as at, c.tiebreak_eligible as "isTie", null as pushed
  from solves s join teams t on t.id = s.team_id and not t.banned join challenges c on c.id = s.challenge_id
  where ${PUBLIC} and c.scoring_kind <> 'dynamic' and s.created_at <= $1
    and s.created_at < $2::timestamptz + interval '1 millisecond'`
/** Earlier points are the sum of the changes up to then. */
const PUSHED = `
  select f.team_id as team, c.id as challenge, ${ms('f.scored_at')} as at, c.tiebreak_eligible as "isTie",
    case when $2::boolean then f.points::float8 else coalesce(
      (select sum(e.delta) from feed_events e
       where e.challenge_id = f.challenge_id and e.team_id = f.team_id and e.at <= $1), 0)::float8 end as pushed
  from feed_scores f join teams t on t.id = f.team_id and not t.banned join challenges c on c.id = f.challenge_id
  where ${PUBLIC} and c.scoring_kind = 'dynamic' and ($2::boolean or f.scored_at <= $1)`
const ADJUSTMENTS = `
  select a.team_id as team, null as challenge, ${ms('a.at')} as at, true as "isTie", a.points::float8 as pushed
  from score_adjustments a join teams t on t.id = a.team_id and not t.banned
  where a.undone_at is null and a.at <= $1`
const CHALLENGES = `
  select id, scoring_kind as kind, points_min as min, points_max as max from challenges c where ${PUBLIC}`
const TEAMS = `select id, name, division, ${ms('created_at')} as created from teams where not banned`
const TIMES = `select (data ->> 'startTime')::float8 as start, (data ->> 'endTime')::float8 as end from settings`

/**
 * The standings at an instant (null: now, on the given clock), computed from the tables as they are: later edits of challenges
 * and bans apply to earlier instants too. Run it in a repeatable-read transaction.
 */
export async function computeStandings(
  client: ClientBase,
  rules: StandingsRules,
  { at, now }: { readonly at: number | null; readonly now: number },
): Promise<Rank[]> {
  const { rows: times } = await client.query<{ start: number | null; end: number | null }>(TIMES)
  const startTime = times[0]?.start ?? rules.startTime
  const endTime = times[0]?.end ?? rules.endTime
  const instant = new Date(at ?? now)
  const until = at === null ? 'infinity' : instant
  const { rows: solves } = await client.query<Counted>(SOLVES, [until, new Date(endTime)])
  const { rows: adjustments } = await client.query<Counted>(ADJUSTMENTS, [until])
  const { rows: pushed } = await client.query<Counted>(PUSHED, [instant, at === null])
  const { rows: challenges } = await client.query<ChallengeRow>(CHALLENGES, [instant])
  const { rows: teams } = await client.query<TeamRow>(TEAMS)
  // A release in the future hides its solves, whatever their date.
  const open = new Set(challenges.map(({ id }) => id))
  const counted = [...solves, ...pushed].filter(({ challenge }) => challenge !== null && open.has(challenge))
  const values = valuesOf(challenges, counted, { ...rules, startTime, endTime })
  return rank(teams, [...counted, ...adjustments], values)
}

interface ChallengeRow {
  readonly id: string
  readonly kind: string
  readonly min: number
  readonly max: number
}

function valuesOf(
  challenges: readonly ChallengeRow[],
  counted: readonly Counted[],
  { score, startTime, endTime }: StandingsRules,
): Map<string, number> {
  const times = new Map<string, number[]>()
  for (const { challenge, at } of counted) {
    if (challenge === null) continue
    const known = times.get(challenge)
    if (known) known.push(at)
    else times.set(challenge, [at])
  }
  const countOf = (id: string) => times.get(id)?.length ?? 0
  const decay = challenges.filter(({ kind }) => kind === 'decay')
  const maxSolves = Math.max(0, ...decay.map(({ id }) => countOf(id)))
  return new Map(
    challenges.map(({ id, kind, min, max }) => {
      if (kind !== 'decay') return [id, kind === 'static' ? max : 0]
      const firstSolveAt =
        countOf(id) === 0 ? null : (times.get(id) ?? []).reduce((first, at) => Math.min(first, at), Infinity)
      return [id, score.value({ min, max, solves: countOf(id), maxSolves, startTime, endTime, firstSolveAt })]
    }),
  )
}

function rank(
  teams: readonly TeamRow[],
  counted: readonly Counted[],
  values: ReadonlyMap<string, number>,
): Rank[] {
  const byTeam = new Map<string, Counted[]>()
  for (const row of counted) {
    const own = byTeam.get(row.team)
    if (own) own.push(row)
    else byTeam.set(row.team, [row])
  }
  const latest = (rows: readonly Counted[]) => rows.reduce((max, { at }) => Math.max(max, at), -Infinity)
  const lines = teams.flatMap((team) => {
    const all = byTeam.get(team.id) ?? []
    // A deduction neither ranks a team nor decides a tie.
    const own = all.filter(({ challenge, pushed }) => challenge !== null || (pushed ?? 0) > 0)
    if (own.length === 0) return []
    const ties = own.filter(({ isTie }) => isTie)
    const score = all.reduce(
      (sum, { challenge, pushed }) => sum + (pushed ?? values.get(challenge ?? '') ?? 0),
      0,
    )
    return [{ ...team, score, tie: ties.length === 0 ? Infinity : latest(ties), last: latest(own) }]
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

/** Unlike a difference, also for infinite values. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1
}
