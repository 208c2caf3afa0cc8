import type { ClientBase } from 'pg'
import { StartError } from '../../lib/errors.ts'

const COUNTS = `
  select (select count(*) from teams where perms = 0)::int as teams, (select count(*) from challenges)::int as challenges,
    (select count(*) from solves)::int as solves, (select count(*) from submissions)::int as submissions,
    (select count(*) from feed_scores)::int as "pushed scores"`
const EARLIER = `
  select coalesce(after ->> 'source', target) as source, extract(epoch from at)::float8 * 1000 as at from admin_actions
  where action = 'contest.import' order by id desc limit 1`

/** Throws unless the contest is empty: no challenges, no submissions, no teams except organisers. */
export async function requireEmptyContest(client: Pick<ClientBase, 'query'>): Promise<void> {
  const refusal = await importRefusal(client)
  if (refusal !== null) throw new StartError(`${refusal} Nothing was changed.`)
}

/** Why nothing can be imported into the contest; null if it is empty. */
export async function importRefusal(client: Pick<ClientBase, 'query'>): Promise<string | null> {
  const { rows } = await client.query<Readonly<Record<string, number>>>(COUNTS)
  const filled = Object.entries(rows[0] ?? {}).filter(([, count]) => count > 0)
  if (filled.length === 0) return null
  const { rows: earlier } = await client.query<{ source: string; at: number }>(EARLIER)
  const [last] = earlier
  const found = filled.map(([name, count]) => `${count} ${name}`).join(', ')
  const reason = last
    ? `${last.source} was imported into this contest on ${new Date(last.at).toISOString()}, and cannot be imported twice`
    : 'A contest can only be imported into an empty one'
  return `This contest has ${found}. ${reason}. Use a new database.`
}
