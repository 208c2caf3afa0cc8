import { COMMAND_LINE } from '@pennant/contract/actions.ts'
import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { Queries } from '../../../db/database.ts'

/** An entry as it is stored. `before` and `after` are the exact texts, which the hash covers. */
export interface ActionRow {
  readonly seq: number
  /** UTC with microseconds, as the hash covers it. */
  readonly at: string
  readonly atMs: number
  readonly actorId: string | null
  readonly actorName: string | null
  readonly action: string
  readonly route: string | null
  readonly target: string | null
  readonly keys: readonly string[]
  readonly before: string | null
  readonly after: string | null
  readonly ip: string | null
  readonly requestId: string | null
  readonly undoes: number | null
  readonly undoneBy: number | null
  readonly personId: string | null
  readonly personName: string | null
  readonly apiTokenId: string | null
  readonly apiTokenName: string | null
  readonly previousHash: string
  readonly hash: string
  /** For the fields that are not erased, as JSON; null in entries of older versions. */
  readonly salts: string | null
  /** As text, which the hash covers. */
  readonly digests: string | null
}

export interface ActionFilter {
  readonly actor?: string | undefined
  readonly action?: string | undefined
  readonly target?: string | undefined
  readonly after?: Date | undefined
  readonly until?: Date | undefined
}

const columns = sql`
  id as seq, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
  floor(extract(epoch from at) * 1000)::float8 as "atMs", actor_id as "actorId", actor_name as "actorName", action,
  route, target, keys, before::text as before, after::text as after, ip, request_id as "requestId", undoes,
  (select max(u.id) from admin_actions u where u.undoes = a.id) as "undoneBy",
  person_id as "personId", person_name as "personName", api_token_id as "apiTokenId",
  api_token_name as "apiTokenName", previous_hash as "previousHash", hash,
  salts::text as salts, digests`

function conditions({ actor, action, target, after, until }: ActionFilter): Sql[] {
  const found: Sql[] = [sql`true`]
  if (actor === COMMAND_LINE) found.push(sql`actor_id is null and actor_name = 'command line'`)
  else if (actor !== undefined) found.push(sql`actor_id = ${actor}`)
  if (action !== undefined) found.push(sql`(action = ${action} or starts_with(action, ${`${action}.`}))`)
  if (target !== undefined) found.push(sql`string_to_array(target, ' ') @> array[${target}]::text[]`)
  if (after !== undefined) found.push(sql`at >= ${after}`)
  if (until !== undefined) found.push(sql`at < ${until}`)
  return found
}

interface NewestPage {
  readonly limit: number
  /** Exclusive. */
  readonly before?: number | undefined
}

/** Newest first. */
export function listActions(
  db: Queries,
  filter: ActionFilter,
  { limit, before }: NewestPage,
): Promise<ActionRow[]> {
  const older = before === undefined ? empty : sql`and id < ${before}`
  return db.query<ActionRow>(sql`
    select ${columns} from admin_actions a where ${join(conditions(filter), ' and ')} ${older}
    order by id desc limit ${limit}`)
}

export async function findAction(db: Queries, seq: number): Promise<ActionRow | null> {
  const [row] = await db.query<ActionRow>(sql`select ${columns} from admin_actions a where id = ${seq}`)
  return row ?? null
}

/** The newest entry that takes this one back. */
export async function findUndo(db: Queries, seq: number): Promise<ActionRow | null> {
  const [row] = await db.query<ActionRow>(sql`
    select ${columns} from admin_actions a where undoes = ${seq} order by id desc limit 1`)
  return row ?? null
}

export async function readHead(db: Queries): Promise<{ readonly seq: number; readonly hash: string }> {
  const [head] = await db.query<{ seq: number; hash: string }>(sql`select seq, hash from action_chain`)
  if (!head) throw new Error('the action log has no head')
  return head
}

/** Entries of 64 KiB each at most, so that an export takes little memory. */
const BATCH = 100

/** Oldest first, those that existed at the beginning. Holds no connection between two pages. */
export async function* readAllActions(db: Queries, filter: ActionFilter): AsyncGenerator<ActionRow> {
  const { seq: last } = await readHead(db)
  let from = 0
  while (from < last) {
    const rows = await db.query<ActionRow>(sql`
      select ${columns} from admin_actions a
      where ${join(conditions(filter), ' and ')} and id > ${from} and id <= ${last} order by id limit ${BATCH}`)
    yield* rows
    from = rows.length < BATCH ? last : (rows.at(-1)?.seq ?? last)
  }
}
