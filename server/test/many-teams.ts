import sql from 'sql-template-tag'
import type { Database } from '../src/db/database.ts'

/** A hundred thousand solves per statement, which a busy machine can insert within the statement timeout. */
const TEAMS_AT_ONCE = 1000

interface ManyTeams {
  /**
   * Team ids in ranking order. Existing teams are kept and moved to the division that their position
   * determines.
   */
  readonly teams: readonly string[]
  readonly countries: readonly (string | null)[]
  readonly challenges: readonly string[]
  /** Odd positions belong to the first division, even ones to the second. */
  readonly divisions: readonly [string, string]
  /** Time of the first solves; each further position solves 200 ms later. */
  readonly began: Date
}

/**
 * Inserts teams named `Crew <position>`. The number of their solves decreases with the position; each has at
 * least one. Sends no change notifications: use it for a server that starts afterwards and loads everything.
 */
export async function putManyTeams(db: Database, many: ManyTeams): Promise<void> {
  const { teams, countries, challenges, divisions, began } = many
  await db.change(async (tx) => {
    await tx.query(sql`
      insert into teams (id, name, email, division, country_code)
      select id, 'Crew ' || n, n || '@crews.test', case when n % 2 = 1 then ${divisions[0]} else ${divisions[1]} end, country
      from unnest(${teams}::text[], ${countries}::text[]) with ordinality as crew (id, country, n)
      on conflict (id) do update set division = excluded.division`)
    for (let from = 0; from < teams.length; from += TEAMS_AT_ONCE)
      await tx.query(sql`
        insert into solves (id, challenge_id, team_id, created_at, ip)
        select md5(crew.n || '-' || task.n)::uuid, task.id, crew.id,
          ${began}::timestamptz + crew.n * interval '200 milliseconds', '203.0.113.1'
        from (
            select id, n + ${from}::int as n
            from unnest(${teams.slice(from, from + TEAMS_AT_ONCE)}::text[]) with ordinality as slice (id, n)
          ) as crew,
          unnest(${challenges}::text[]) with ordinality as task (id, n)
        where task.n <= greatest(1, ${challenges.length}::int - crew.n * ${challenges.length}::int / ${teams.length}::int)`)
  })
}
