import type { ClientBase } from 'pg'
import { peopleInvariants, type Invariant } from './people-invariants.ts'

export interface Violation {
  readonly check: string
  readonly count: number
  /** The first ones. */
  readonly examples: readonly string[]
}

/** Work that is this late is not only slow. */
const LATE = `interval '1 hour'`

/** Removals by organisers. What was removed before the oldest entry that the log still has is not known. */
const REMOVALS = `
  removal as (select action, target, max(at) as at from admin_actions
    where action in ('solve.delete', 'team.solves.delete', 'team.delete', 'challenge.delete') group by 1, 2),
  logged as (select case when pruned_seq = 0 then '-infinity' else (select min(at) from admin_actions) end as since
    from action_chain)`

/** Rows that something refers to, although they are gone and no organiser removed them. */
function missingRows(
  table: 'teams' | 'challenges',
  { id, action }: { readonly id: string; readonly action: string },
) {
  return `
    with ${REMOVALS}, known as (
      select id, max(at) as at from (
        select ${id} as id, max(created_at) as at from submissions group by 1
        union all select unnest(ids), at from changes where kind = '${table}') referring group by 1)
    select k.id as found from known k left join ${table} t using (id)
      left join removal r on r.action = '${action}' and r.target = k.id
    where t.id is null and r.at is null and k.at >= (select since from logged)`
}

/** Logged fields of a challenge that decide about scores. */
const SCORING = `jsonb_build_object('pointsMin', points_min, 'pointsMax', points_max, 'scoringKind', scoring_kind,
  'tiebreakEligible', tiebreak_eligible)`

export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'one-solve-per-pair',
    rule: 'A team solves a challenge at most once.',
    query: `select challenge_id || ' by ' || team_id as found from solves group by challenge_id, team_id having count(*) > 1`,
  },
  {
    name: 'solves-in-audit',
    rule: 'Each solve has exactly one correct submission with the same team, challenge and address.',
    query: `
      select s.challenge_id || ' by ' || s.team_id as found from solves s left join (
        select related_id, team_id, challenge_id, ip, count(*) as count from submissions
        where result = 'correct' group by related_id, team_id, challenge_id, ip
      ) a on a.related_id = s.id::text and a.team_id = s.team_id and a.challenge_id = s.challenge_id
        -- An address may have been erased.
        and (a.ip = s.ip or 'unknown' in (a.ip, s.ip))
      where a.count is distinct from 1`,
  },
  {
    name: 'audit-in-solves',
    rule: 'Each correct submission has its solve, of the same team, challenge and time, unless organisers removed it.',
    // A flag that was accepted before the end and stored after it is dated at the end.
    query: `
      with ${REMOVALS}, ends as (
        select data ->> 'endTime' as at from settings union select old_value #>> '{}' from settings_history where key = 'endTime')
      select a.challenge_id || ' by ' || a.team_id || case
          when s.id is null then ' is missing, submitted at ' || a.created_at
          when s.team_id <> a.team_id or s.challenge_id <> a.challenge_id
            then ' became ' || s.challenge_id || ' by ' || s.team_id
          else ' at ' || s.created_at || ' was submitted at ' || a.created_at end as found
      from submissions a left join solves s on s.id::text = a.related_id
        left join removal one on one.action = 'solve.delete' and one.target = a.challenge_id || ' ' || a.team_id
        left join removal every on every.action = 'team.solves.delete' and every.target = a.team_id
        left join removal team on team.action = 'team.delete' and team.target = a.team_id
        left join removal challenge on challenge.action = 'challenge.delete' and challenge.target = a.challenge_id
      where a.kind = 'flag' and a.result = 'correct' and case
        when s.id is null then a.created_at >= (select since from logged)
          and coalesce(greatest(one.at, every.at, team.at, challenge.at) < a.created_at, true)
        when s.team_id <> a.team_id or s.challenge_id <> a.challenge_id or s.created_at > a.created_at then true
        when s.created_at = a.created_at then false
        else s.created_at < a.created_at - interval '1 minute' or not (
          s.created_at = date_trunc('second', s.created_at)
          or (extract(epoch from s.created_at) * 1000)::bigint::text in (select at from ends where at is not null)) end`,
  },
  {
    name: 'audit-of-solves',
    rule: 'A correct submission names a solve; no other result does.',
    query: `
      select id::text as found from submissions
      where kind = 'flag' and (result = 'correct') <> (related_id is not null)`,
  },
  {
    name: 'audit-details',
    rule: 'The details of a submission are a JSON object.',
    query: `select id::text as found from submissions where jsonb_typeof(details) <> 'object'`,
  },
  {
    name: 'teams',
    rule: 'Teams that submitted or changed exist, unless organisers deleted them.',
    query: missingRows('teams', { id: 'team_id', action: 'team.delete' }),
  },
  {
    name: 'challenges',
    rule: 'Challenges that were attempted or edited exist, unless organisers deleted them.',
    query: missingRows('challenges', { id: 'challenge_id', action: 'challenge.delete' }),
  },
  {
    name: 'points',
    rule: 'Points and scoring of a challenge are those of its last edit in the action log.',
    query: `
      with edit as (
        select distinct on (x.target, f.key) x.target, f.key, f.value::jsonb as value, x.id
        from admin_actions x cross join lateral json_each(x.after) f
        where x.action in ('challenge.create', 'challenge.update') and json_typeof(x.after) = 'object'
          and f.key in ('pointsMin', 'pointsMax', 'scoringKind', 'tiebreakEligible')
        order by x.target, f.key, x.id desc)
      select c.id || ': ' || e.key || ' is ' || (c.scoring ->> e.key) || ', but entry ' || e.id || ' says ' || (e.value #>> '{}') as found
      from (select id, ${SCORING} as scoring from challenges) c join edit e on e.target = c.id
      where c.scoring -> e.key <> e.value`,
  },
  {
    name: 'single-rows',
    rule: 'The tables settings, message_options and action_chain have their row.',
    query: `
      select 'settings' as found where not exists (select from settings)
      union all select 'message_options' where not exists (select from message_options)
      union all select 'action_chain' where not exists (select from action_chain)`,
  },
  {
    name: 'ranks',
    rule: 'Ranks at solve time are recorded together, start at 1, and the rank in the division is not below the global one.',
    query: `
      select challenge_id || ' by ' || team_id as found from solves
      where (global_place is null) <> (division_place is null)
        or division_place < 1 or division_place > global_place`,
  },
  {
    name: 'score-events',
    rule: 'A pushed score is the sum of its changes.',
    query: `
      select challenge_id || ' of ' || team_id as found
      from (select challenge_id, team_id, points::bigint as points from feed_scores) f
        full join (select challenge_id, team_id, sum(delta) as points from feed_events group by 1, 2) e
          using (challenge_id, team_id)
      where coalesce(f.points, 0) <> coalesce(e.points, 0)`,
  },
  {
    name: 'hints',
    rule: 'A bought hint has a score adjustment of its team with the price; no other adjustment of this kind counts.',
    query: `
      select coalesce(p.hint_id || ' by ' || p.team_id, a.id || ' of ' || a.team_id) as found
      from hint_purchases p full join (select * from score_adjustments where kind = 'hint') a on a.id = p.adjustment_id
      where (p.hint_id is null and a.undone_at is null)
        or (p.hint_id is not null and (a.id is null or a.team_id <> p.team_id or a.points <> -p.price or a.at <> p.at))`,
  },
  {
    name: 'capacity-slots',
    rule: 'A capacity slot ends after it was claimed, and is freed within an hour of its end.',
    query: `
      select instancer || ' ' || integration_id || ' of ' || team_id as found from instance_slots
      where ends_at < claimed_at or ends_at < clock_timestamp() - ${LATE}`,
  },
  {
    name: 'outbox',
    rule: 'Outgoing mail and messages are tried within an hour of their due time.',
    query: `
      select kind || ' ' || id as found from outbox where failed_at is null and due_at < clock_timestamp() - ${LATE}`,
  },
  ...peopleInvariants,
]

const MAX_EXAMPLES = 20

/** Runs one check. */
export type Attempt = (name: string, find: () => Promise<Violation[]>) => Promise<readonly Violation[]>

/** @param attempt What happens if a check cannot be made; by default, its error is thrown. */
export async function findViolations(
  client: ClientBase,
  attempt: Attempt = (_, find) => find(),
): Promise<Violation[]> {
  const violations: Violation[] = []
  for (const { name, query } of INVARIANTS)
    violations.push(...(await attempt(name, () => violationsOf(client, name, query))))
  const late = await attempt('sequences', () => findLateSequences(client))
  return [...violations, ...late]
}

async function violationsOf(client: ClientBase, name: string, query: string): Promise<Violation[]> {
  const { rows } = await client.query<{ count: string; examples: string[] }>(`
    with violation as materialized (${query}),
      example as (select found from violation order by found limit ${MAX_EXAMPLES})
    select (select count(*) from violation)::text as count, array(select found from example) as examples`)
  const count = Number(rows[0]?.count ?? 0)
  return count > 0 ? [{ check: name, count, examples: rows[0]?.examples ?? [] }] : []
}

/** A sequence behind its table makes the next insert fail, for example after a restore by hand. */
async function findLateSequences(client: ClientBase): Promise<Violation[]> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(`
    select c.relname as table, a.attname::text as column,
      pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attidentity <> '' order by 1, 2`)
  const late: string[] = []
  for (const { table, column, sequence } of rows) {
    const { rows: states } = await client.query<{ isLate: boolean }>(`
      select coalesce((select max("${column}") from "${table}"), 0) > last_value as "isLate" from ${sequence}`)
    if (states[0]?.isLate) late.push(`${table}.${column}`)
  }
  return late.length === 0
    ? []
    : [{ check: 'sequences', count: late.length, examples: late.slice(0, MAX_EXAMPLES) }]
}
