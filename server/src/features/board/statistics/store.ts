import sql, { join, raw, type Sql } from 'sql-template-tag'
import { WRONG_FLAG_LENGTH, WRONG_FLAGS } from '@pennant/contract/statistics.ts'
import type { Database, Queries } from '../../../db/database.ts'
import type { FirstSolveRow, GroupRow } from './rows.ts'
import type { Scope } from './scope.ts'

// Figures over tables with millions of rows. What is counted: docs/reference/statistics.md#what-is-counted

/**
 * One snapshot for all figures. Sorts and hash tables beyond `work_mem` go to disk: a computation must not take
 * the memory of the submissions, and never more than one processor.
 */
const LIMITS = [
  'set transaction isolation level repeatable read, read only',
  `set local statement_timeout = '30s'`,
  `set local work_mem = '8MB'`,
  'set local hash_mem_multiplier = 1',
  'set local max_parallel_workers_per_gather = 0',
  'set local jit = off',
].join('; ')

export async function readFigures(
  db: Database,
  scope: Scope,
): Promise<{ readonly groups: readonly GroupRow[]; readonly firsts: readonly FirstSolveRow[] }> {
  return await readOnly(db, async (tx) => ({
    groups: await tx.query<GroupRow>(figures(scope)),
    firsts: await tx.query<FirstSolveRow>(firstSolves(scope)),
  }))
}

/** Reads one snapshot within the limits above. */
async function readOnly<T>(db: Database, work: (tx: Queries) => Promise<T>): Promise<T> {
  return await db.transaction(async (tx) => {
    await tx.query(raw(LIMITS))
    return await work(tx)
  })
}

/** Submissions are counted by challenge in a pass of its own: sorting millions of ids would take longer. */
function figures(scope: Scope): Sql {
  const { until, endTime, challenges, earlyPeriods, stride } = scope
  const ids = challenges.map(({ id }) => id)
  const categories = challenges.map(({ category }) => category)
  return sql`
    with challenge as materialized (
      select * from unnest(${ids}::text[], ${categories}::text[]) as challenge (id, category)
    ), solve as (
      select challenge.id as challenge, challenge.category, teams.n as team,
        ${periodOf(scope, 'solves')} as period, ${hourOf('solves')} as hour
      from solves join challenge on challenge.id = solves.challenge_id
        join teams on teams.id = solves.team_id and not teams.banned
      where solves.created_at <= ${new Date(endTime)}
    ), solved as materialized (
      select challenge, category, team, period, hour, count(*)::int as solves from solve
      group by grouping sets ((challenge), (team), (category, team), (period), (hour))
    ), flag as (
      select teams.n as team, ${periodOf(scope, 'submissions')} as period, ${hourOf('submissions')} as hour
      from submissions join teams on teams.id = submissions.team_id and not teams.banned
      where ${isCounted(scope)}
    ), submitted as materialized (
      select team, period, hour, count(*)::int as submissions from flag group by grouping sets ((team, period), (team, hour))
    ), attempted as (
      select challenge_id as challenge, count(*)::int as submissions,
        (count(*) filter (where result = 'incorrect'))::int as wrong
      from submissions join teams on teams.id = team_id and not teams.banned
      where ${isCounted(scope)} group by challenge_id
    ), team as materialized (
      select teams.n, teams.division, teams.country_code, coalesce(solved.solves, 0) as solves,
        coalesce(sent.submissions, 0) as submissions,
        solved.team is not null or sent.team is not null as is_active
      from teams left join solved on solved.team = teams.n and solved.category is null
        left join (
          select team, sum(submissions)::int as submissions from submitted where hour is not null group by team
        ) as sent on sent.team = teams.n
      where not teams.banned
        and (teams.created_at <= ${new Date(until)} or solved.team is not null or sent.team is not null)
    ), early as materialized (
      select distinct team from submitted where period < ${earlyPeriods}
    ), later as (
      select distinct team, period / ${stride}::int as slot from submitted where period is not null
    )
    ${join(
      [
        sql`select 'challenge' as part, challenge as key, ${numbers({ solves: 'solves', submissions: 'submissions', wrong: 'wrong' })}
          from (select challenge, solves, 0 as submissions, 0 as wrong from solved where challenge is not null
            union all select challenge, 0, submissions, wrong from attempted) as both_parts
          group by challenge`,
        sql`select 'category', category, ${numbers({ solvers: '1', solves: 'solves' })}
          from solved where category is not null group by category`,
        byTime('period'),
        byTime('hour'),
        sql`select 'country', country_code, ${teamNumbers} from team group by country_code`,
        sql`select 'division', division, ${teamNumbers} from team group by division`,
        sql`select 'solved', solves::text, ${teamNumbers} from team group by solves`,
        sql`select 'early', null, ${numbers({ teams: '1' })} from early`,
        sql`select 'later', slot::text, ${numbers({ teams: 'case when early.team is null then 0 else 1 end', active: '1' })}
          from later left join early using (team) group by slot`,
      ],
      ' union all ',
    )}`
}

/** Flags during the event, of the challenges that are counted. */
function isCounted({ from, endTime, challenges }: Scope): Sql {
  return sql`submissions.kind = 'flag'
    and submissions.challenge_id = any(${challenges.map(({ id }) => id)}::text[])
    and submissions.created_at between ${new Date(from)} and ${new Date(endTime)}`
}

/** Numbered from 0. Earlier and later rows are in the first and the last period. */
function periodOf({ from, periodMs, periods }: Scope, table: 'solves' | 'submissions'): Sql {
  const starts = Array.from({ length: periods }, (_, at) => new Date(from + at * periodMs))
  return sql`greatest(width_bucket(${raw(`${table}.created_at`)}, ${starts}::timestamptz[]) - 1, 0)`
}

function hourOf(table: 'solves' | 'submissions'): Sql {
  return raw(`extract(hour from ${table}.created_at at time zone 'UTC')::int`)
}

function byTime(column: 'period' | 'hour'): Sql {
  const key = raw(column)
  return sql`select ${raw(`'${column}'`)}, ${key}::text, ${numbers({ active: 'active', solves: 'solves', submissions: 'submissions' })}
    from (select ${key}, 0 as active, solves, 0 as submissions from solved where ${key} is not null
      union all select ${key}, 1, 0, submissions from submitted where ${key} is not null) as both_parts
    group by ${key}`
}

type NumberColumn = Exclude<keyof GroupRow, 'part' | 'key'>

/** The sums of the given expressions, in the order of the columns of `GroupRow`. */
function numbers(sums: Readonly<Partial<Record<NumberColumn, string>>>): Sql {
  const columns = ['teams', 'active', 'solvers', 'solves', 'submissions', 'wrong'] as const
  return raw(columns.map((name) => `coalesce(sum(${sums[name] ?? '0'}), 0)::int as ${name}`).join(', '))
}

const teamNumbers = numbers({
  teams: '1',
  active: 'is_active::int',
  solvers: '(solves > 0)::int',
  solves: 'solves',
  submissions: 'submissions',
})

function firstSolves({ challenges, endTime }: Scope): Sql {
  return sql`
    with placed as (
      select challenge_id, team_id, solves.created_at,
        row_number() over (partition by challenge_id order by solves.created_at, solves.id) as place,
        count(*) over (partition by challenge_id) as solves
      from solves join teams on teams.id = team_id and not teams.banned
      where challenge_id = any(${challenges.map(({ id }) => id)}::text[])
        and solves.created_at <= ${new Date(endTime)}
    )
    select first.challenge_id as "challengeId", first.team_id as "teamId", teams.name as "teamName",
      ${milliseconds('first.created_at')} as "firstAt", ${milliseconds('middle.created_at')} as "medianAt"
    from placed as first join teams on teams.id = first.team_id
      join placed as middle on middle.challenge_id = first.challenge_id and middle.place = (middle.solves + 1) / 2
    where first.place = 1`
}

export interface WrongFlagRow {
  readonly challengeId: string
  readonly flag: string
  readonly submissions: number
  readonly teams: number
  readonly firstAt: number
  readonly lastAt: number
  /** From 1 within the challenge, most teams first. */
  readonly place: number
}

/** The most common wrong flags of each challenge that were submitted at least twice, in no particular order. */
export async function readWrongFlags(db: Database, challengeIds: readonly string[]): Promise<WrongFlagRow[]> {
  const statement = sql`
    with each as (
      select challenge_id, details ->> 'submittedFlag' as flag, teams.n, count(*) as submissions,
        min(submissions.created_at) as first_at, max(submissions.created_at) as last_at
      from submissions join teams on teams.id = team_id and not teams.banned
      where result = 'incorrect' and challenge_id = any(${challengeIds}::text[])
        and length(details ->> 'submittedFlag') <= ${WRONG_FLAG_LENGTH}
      group by 1, 2, 3
    ), flag as (
      select challenge_id, flag, sum(submissions)::int as submissions, count(*)::int as teams,
        min(first_at) as first_at, max(last_at) as last_at
      from each group by 1, 2 having sum(submissions) > 1
    ), placed as (
      select *, (row_number() over (
        partition by challenge_id order by teams desc, submissions desc, flag collate "C"))::int as place
      from flag
    )
    select challenge_id as "challengeId", flag, submissions, teams, ${milliseconds('first_at')} as "firstAt",
      ${milliseconds('last_at')} as "lastAt", place
    from placed where place <= ${WRONG_FLAGS}`
  return await readOnly(db, (tx) => tx.query<WrongFlagRow>(statement))
}

/** Which of the texts, in lower case, are flags that were minted for a team. Reads all minted flags. */
export async function findMinted(db: Database, lowered: readonly string[]): Promise<string[]> {
  const statement = sql`
    select distinct lower(flag) as flag from dynamic_flags where lower(flag) = any(${lowered}::text[])`
  return (await readOnly(db, (tx) => tx.query<{ flag: string }>(statement))).map(({ flag }) => flag)
}

function milliseconds(column: string): Sql {
  return raw(`floor(extract(epoch from ${column}) * 1000)::float8`)
}
