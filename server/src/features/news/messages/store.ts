import type { Acting } from '../../../lib/acting-person.ts'
import { actingColumns, byColumns, byValues } from '../../../db/acting-columns.ts'
import { messageLimits } from '@pennant/contract/messages.ts'
import { randomUUID } from 'node:crypto'
import sql, { raw } from 'sql-template-tag'
import type { ChangeTransaction, Database, Queries } from '../../../db/database.ts'
import { addAllToOutbox } from '../../../db/outbox.ts'

export interface ThreadRow {
  readonly id: string
  readonly teamId: string
  readonly challengeId: string | null
  readonly subject: string
  readonly closed: boolean
  readonly assigneeId: string | null
  readonly messageCount: number
  readonly answered: boolean
  /** Messages of the organisers that the team has not read. */
  readonly unread: number
  readonly version: number
  readonly createdAt: number
  readonly lastMessageAt: number
}

/** With who of the team or of the organisers wrote it. */
export interface MessageRow extends Acting {
  readonly number: number
  readonly fromTeam: boolean
  readonly authorId: string | null
  readonly content: string
  readonly createdAt: number
}

/** Columns of `ThreadRow`. Only the organisers' messages can be unread for the team. */
export const threadColumns = raw(`
  t.id, t.team_id as "teamId", t.challenge_id as "challengeId", t.subject, t.closed,
  t.assignee_id as "assigneeId", t.message_count as "messageCount", t.answered, t.version,
  (select count(*)::int from thread_messages m
    where m.thread_id = t.id and m.number > t.team_read and not m.from_team) as unread,
  floor(extract(epoch from t.created_at) * 1000)::float8 as "createdAt",
  floor(extract(epoch from t.last_message_at) * 1000)::float8 as "lastMessageAt"`)

/** Newest first. */
export function readThreadsOfTeam(db: Queries, teamId: string): Promise<ThreadRow[]> {
  return db.query<ThreadRow>(sql`
    select ${threadColumns} from message_threads t where t.team_id = ${teamId}
    order by t.last_message_at desc, t.id limit ${messageLimits.threads}`)
}

/** Ids of at most so many teams that have a thread. */
export async function readTeamsWithThreads(db: Queries, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select distinct team_id as id from message_threads limit ${limit}`)
  return rows.map(({ id }) => id)
}

export async function findThread(db: Queries, id: string): Promise<ThreadRow | null> {
  const [row] = await db.query<ThreadRow>(
    sql`select ${threadColumns} from message_threads t where t.id = ${id}`,
  )
  return row ?? null
}

/** Oldest first. */
export function readMessages(db: Queries, threadId: string): Promise<MessageRow[]> {
  return db.query<MessageRow>(sql`
    select number, from_team as "fromTeam", author_id as "authorId", ${actingColumns}, content,
      floor(extract(epoch from created_at) * 1000)::float8 as "createdAt"
    from thread_messages where thread_id = ${threadId} order by number limit ${messageLimits.messages}`)
}

export interface Question {
  readonly by: Acting
  readonly teamId: string
  readonly subject: string
  readonly content: string
  readonly challengeId: string | null
  readonly now: number
}

/** The outbox kind of notifications about new threads. */
const OUTBOX_KIND = 'question'

/** Starts a thread and queues one notification for each destination. Returns the limit that it would exceed, if it does. */
export async function insertThread(
  db: Database,
  { teamId, subject, content, challengeId, by, now }: Question,
  destinations: readonly string[],
): Promise<{ readonly thread: ThreadRow } | { readonly max: number }> {
  return await db.change(async (tx) => {
    const [count] = await tx.query<{ open: number; all: number }>(sql`
      select count(*) filter (where not closed)::int as open, count(*)::int as all
      from message_threads where team_id = ${teamId}`)
    if ((count?.open ?? 0) >= messageLimits.openThreads) return { max: messageLimits.openThreads }
    if ((count?.all ?? 0) >= messageLimits.threads) return { max: messageLimits.threads }
    const id = await startThread(tx, { teamId, subject, content, challengeId, by, now, authorId: null })
    if (destinations.length > 0) {
      const payloads = destinations.map((destination) => ({ destination, thread: id }))
      await tx.query(addAllToOutbox(OUTBOX_KIND, payloads))
    }
    return { thread: await finish(tx, id) }
  })
}

/** Starts a thread of the team with its first message, and returns its id. Limits are up to the caller. */
export async function startThread(
  tx: Queries,
  { teamId, challengeId, subject, ...message }: Question & NewMessage,
): Promise<string> {
  const id = randomUUID()
  const at = new Date(message.now)
  await tx.query(sql`
    insert into message_threads (id, team_id, challenge_id, subject, created_at, last_message_at)
    values (${id}, ${teamId}, (select id from challenges where id = ${challengeId}), ${subject}, ${at}, ${at})`)
  await insertMessage(tx, { id, messageCount: 0 }, message)
  return id
}

export interface NewMessage {
  readonly by: Acting
  /** Null for the team itself. */
  readonly authorId: string | null
  readonly content: string
  readonly now: number
}

/** Adds a message. What the team writes means that it has read everything before. */
export async function insertMessage(
  tx: Queries,
  { id, messageCount }: Pick<ThreadRow, 'id' | 'messageCount'>,
  { authorId, by, content, now }: NewMessage,
): Promise<void> {
  const number = messageCount + 1
  const fromTeam = authorId === null
  await tx.query(sql`
    insert into thread_messages (thread_id, number, from_team, author_id, content, created_at, ${byColumns})
    values (${id}, ${number}, ${fromTeam}, ${authorId}, ${content}, ${new Date(now)}, ${byValues(by)})`)
  await tx.query(sql`
    update message_threads set message_count = ${number}, answered = ${!fromTeam}, last_message_at = ${new Date(now)},
      team_read = case when ${fromTeam} then ${number} else team_read end
    where id = ${id}`)
}

/** Adds a message of the team. `null`: no such thread of this team. */
export async function addTeamMessage(
  db: Database,
  { id, teamId }: { readonly id: string; readonly teamId: string },
  message: Omit<NewMessage, 'authorId'>,
): Promise<{ readonly thread: ThreadRow } | 'closed' | 'full' | null> {
  return await db.change(async (tx) => {
    const row = await findThread(tx, id)
    if (row?.teamId !== teamId) return null
    if (row.closed) return 'closed'
    if (row.messageCount >= messageLimits.messages) return 'full'
    await insertMessage(tx, row, { ...message, authorId: null })
    return { thread: await finish(tx, id) }
  })
}

/** Notes what the team has read. Other browsers of the team learn of it. */
export async function markRead(db: Database, id: string, number: number): Promise<void> {
  await db.change(async (tx) => {
    const [row] = await tx.query<{ teamId: string }>(sql`
      update message_threads set team_read = least(${number}, message_count)
      where id = ${id} and team_read < least(${number}, message_count) returning team_id as "teamId"`)
    if (row) tx.changed('messages', [id, row.teamId])
  })
}

/** Counts the change of a thread, reports it and returns the new row. */
export async function finish(tx: ChangeTransaction, id: string): Promise<ThreadRow> {
  await tx.query(sql`update message_threads set version = version + 1 where id = ${id}`)
  const row = await findThread(tx, id)
  if (!row) throw new Error('a thread was deleted while the change lock was held')
  tx.changed('messages', [id, row.teamId])
  return row
}
