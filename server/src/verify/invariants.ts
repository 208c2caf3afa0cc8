import type { ClientBase } from 'pg'

export interface Violation {
  readonly check: string
  readonly count: number
  /** The first ones. */
  readonly examples: readonly string[]
}

export interface Invariant {
  readonly name: string
  /** What must hold, for people. */
  readonly rule: string
  /** Returns one row `found` (text) for each violation. */
  readonly query: string
}

/** Work that is this late is not only slow. */
const LATE = `interval '1 hour'`

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
      ) a on a.related_id = s.id::text and a.team_id = s.team_id and a.challenge_id = s.challenge_id and a.ip = s.ip
      where a.count is distinct from 1`,
  },
  {
    name: 'audit-of-solves',
    rule: 'A correct submission names a solve; no other result does.',
    query: `
      select id::text as found from submissions
      where kind = 'flag' and (result = 'correct') <> (related_id is not null)`,
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
