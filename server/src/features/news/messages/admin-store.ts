import type { Acting } from '../../../lib/acting-person.ts'
import { messageLimits, type MessageFilter, type MessageOptions } from '@pennant/contract/messages.ts'
import sql, { join, type Sql } from 'sql-template-tag'
import type { z } from 'zod'
import { recordAdminAction } from '../../../db/admin-actions.ts'
import { loggedChange } from '../../../lib/logged-fields.ts'
import type { ChangeTransaction, Database, Queries } from '../../../db/database.ts'
import type { Scope } from './rules.ts'
import { findThread, finish, insertMessage, threadColumns, type ThreadRow } from './store.ts'

export interface QueueQuery {
  readonly filter: z.output<typeof MessageFilter>
  readonly challengeId: string | undefined
  readonly scope: Scope
  /** Whose threads are `mine`. */
  readonly organiserId: string
  readonly limit: number
  readonly offset: number
}

export interface Queue {
  readonly total: number
  readonly rows: readonly ThreadRow[]
  readonly counts: { readonly open: number; readonly mine: number; readonly unassigned: number }
}

/** Threads that wait for an answer: the longest waiting first. Others: the newest first. */
export async function readQueue(db: Database, query: QueueQuery): Promise<Queue> {
  const { filter, challengeId, limit, offset, organiserId } = query
  const inScope = query.scope === 'all' ? sql`true` : sql`t.challenge_id is not null`
  const conditions = [inScope, conditionOf(filter, organiserId)]
  if (challengeId !== undefined) conditions.push(sql`t.challenge_id = ${challengeId}`)
  const where = join(conditions, ' and ')
  const order = filter === 'open' || filter === 'unassigned' ? sql`asc` : sql`desc`
  return await db.transaction(async (tx) => {
    const [total] = await tx.query<{ count: number }>(
      sql`select count(*)::int as count from message_threads t where ${where}`,
    )
    const rows = await tx.query<ThreadRow>(sql`
      select ${threadColumns} from message_threads t where ${where}
      order by t.last_message_at ${order}, t.id limit ${limit} offset ${offset}`)
    const [counts] = await tx.query<Queue['counts']>(sql`
      select count(*) filter (where ${conditionOf('open', organiserId)})::int as open,
        count(*) filter (where ${conditionOf('mine', organiserId)})::int as mine,
        count(*) filter (where ${conditionOf('unassigned', organiserId)})::int as unassigned
      from message_threads t where ${inScope} and not t.closed`)
    return { total: total?.count ?? 0, rows, counts: counts ?? { open: 0, mine: 0, unassigned: 0 } }
  })
}

function conditionOf(filter: QueueQuery['filter'], organiserId: string): Sql {
  const open = sql`not t.closed and not t.answered`
  const conditions = {
    open,
    mine: sql`not t.closed and t.assignee_id = ${organiserId}`,
    unassigned: sql`${open} and t.assignee_id is null`,
    answered: sql`not t.closed and t.answered`,
    closed: sql`t.closed`,
    all: sql`true`,
  }
  return conditions[filter]
}

export interface Organiser {
  readonly id: string
  readonly ip: string
  readonly scope: Scope
  readonly by: Acting
}

/** `conflict`: the version that was seen is no longer the current one. `assigned`: to another organiser. */
export type Changed =
  | { readonly thread: ThreadRow }
  | { readonly conflict: ThreadRow }
  | { readonly assigned: string }
  | 'full'
  | null

export interface Answer {
  readonly content: string
  readonly version: number
  readonly close: boolean
  readonly now: number
}

/** Null if there is no such thread in the organiser's scope. */
export async function addAnswer(
  db: Database,
  id: string,
  { organiser, answer }: { readonly organiser: Organiser; readonly answer: Answer },
): Promise<Changed> {
  const { content, version, close, now } = answer
  return await db.change(async (tx) => {
    const row = await threadInScope(tx, id, organiser.scope)
    if (!row) return null
    if (row.version !== version) return { conflict: row }
    if (row.assigneeId !== null && row.assigneeId !== organiser.id) return { assigned: row.assigneeId }
    if (row.messageCount >= messageLimits.messages) return 'full'
    await insertMessage(tx, row, { authorId: organiser.id, by: organiser.by, content, now })
    await tx.query(sql`
      update message_threads set assignee_id = ${organiser.id}, closed = ${close} where id = ${id}`)
    const keys = close ? ['content', 'close'] : ['content']
    const change = loggedChange(stateOf(row), { assigneeId: organiser.id, closed: close })
    const action = 'message.answer'
    await tx.query(recordAdminAction({ ...actorOf(organiser), ...change, action, target: id, keys }))
    return { thread: await finish(tx, id) }
  })
}

/** What the action log keeps of a thread: never its texts, which are private. */
function stateOf({ assigneeId, closed }: ThreadRow) {
  return { assigneeId, closed }
}

export interface ThreadPatch {
  readonly version: number
  readonly assigneeId?: string | null | undefined
  readonly closed?: boolean | undefined
}

export interface ThreadChange {
  readonly organiser: Organiser
  readonly patch: ThreadPatch
  /** Whether the new assignee may answer the thread. */
  readonly mayAssign: (row: ThreadRow) => boolean
}

/** Null if there is no such thread in the organiser's scope. `assignee`: the new one may not answer it. */
export async function changeThread(
  db: Database,
  id: string,
  { organiser, patch, mayAssign }: ThreadChange,
): Promise<Exclude<Changed, 'full' | { readonly assigned: string }> | 'assignee'> {
  return await db.change(async (tx) => {
    const row = await threadInScope(tx, id, organiser.scope)
    if (!row) return null
    if (row.version !== patch.version) return { conflict: row }
    if (!mayAssign(row)) return 'assignee'
    const { assigneeId = row.assigneeId, closed = row.closed } = patch
    await tx.query(sql`
      update message_threads set assignee_id = (select id from teams where id = ${assigneeId}), closed = ${closed} where id = ${id}`)
    const keys = Object.keys(patch).filter((key) => key !== 'version')
    const change = loggedChange(stateOf(row), { assigneeId, closed })
    const action = 'message.update'
    await tx.query(recordAdminAction({ ...actorOf(organiser), ...change, action, target: id, keys }))
    return { thread: await finish(tx, id) }
  })
}

export async function threadInScope(db: Queries, id: string, scope: Scope): Promise<ThreadRow | null> {
  const row = await findThread(db, id)
  return row && (scope === 'all' || row.challengeId !== null) ? row : null
}

function actorOf({ id, ip }: Organiser) {
  return { actorId: id, ip }
}

export type Options = z.output<typeof MessageOptions>

export async function readOptions(db: Queries): Promise<Options> {
  const [row] = await db.query<Options>(sql`
    select enabled, before_start as "beforeStart", after_end as "afterEnd", answers, version from message_options`)
  if (!row) throw new Error('the row of message_options is missing')
  return row
}

export interface OptionsEdit {
  readonly version: number
  readonly patch: { readonly [K in keyof Omit<Options, 'version'>]?: Options[K] | undefined }
}

/** `conflict`: the version that was seen is no longer the current one. */
export async function changeOptions(
  db: Database,
  { version, patch }: OptionsEdit,
  organiser: Organiser,
): Promise<Options | { readonly conflict: number }> {
  return await db.change(async (tx: ChangeTransaction) => {
    const old = await readOptions(tx)
    if (old.version !== version) return { conflict: old.version }
    const {
      enabled = old.enabled,
      beforeStart = old.beforeStart,
      afterEnd = old.afterEnd,
      answers = old.answers,
    } = patch
    await tx.query(sql`
      update message_options set enabled = ${enabled}, before_start = ${beforeStart}, after_end = ${afterEnd},
        answers = ${JSON.stringify(answers)}, version = version + 1`)
    const keys = Object.keys(patch)
    const change = loggedChange(
      { enabled: old.enabled, beforeStart: old.beforeStart, afterEnd: old.afterEnd, answers: old.answers },
      { enabled, beforeStart, afterEnd, answers },
    )
    const action = 'message.options'
    await tx.query(recordAdminAction({ ...actorOf(organiser), ...change, action, target: null, keys }))
    // Without a thread: what is kept of the options is read again.
    tx.changed('messages', [])
    return await readOptions(tx)
  })
}
