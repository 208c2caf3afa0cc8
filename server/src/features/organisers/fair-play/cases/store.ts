import { randomUUID } from 'node:crypto'
import { caseLimits, type Decision } from '@pennant/contract/fair-play-cases.ts'
import { messageLimits } from '@pennant/contract/messages.ts'
import sql from 'sql-template-tag'
import { recordAdminAction, type ActionBy } from '../../../../db/admin-actions.ts'
import type { ChangeTransaction, Database, Queries } from '../../../../db/database.ts'
import type { Acting } from '../../../../lib/acting-person.ts'
import { loggedChange, type Fields } from '../../../../lib/logged-fields.ts'
import { millis } from '../../../../world/rows.ts'
import { findThread, finish, insertMessage, startThread } from '../../../news/messages/store.ts'

// Cases. The action log has what was done to whom, never texts: they may be deleted with a team.

export interface CaseRow {
  readonly id: string
  readonly number: number
  readonly version: number
  readonly teamIds: readonly string[]
  readonly assigneeId: string | null
  readonly createdAt: number
  readonly decision: Decision | null
  readonly decidedAt: number | null
  readonly decidedBy: string | null
  readonly reason: string | null
  readonly done: Done | null
  /** Without an answer. */
  readonly appeals: number
}

/** What a decision did. */
export interface Done {
  readonly banned: readonly string[]
  readonly solves: readonly RemovedSolve[]
}

export interface RemovedSolve {
  readonly id: string
  readonly challengeId: string
  readonly teamId: string
  /** As text, because a number would lose microseconds. */
  readonly createdAt: string
  readonly globalPlace: number | null
  readonly divisionPlace: number | null
}

export interface MemberRow {
  readonly teamId: string
  readonly threadId: string | null
  readonly concerned: boolean
  readonly appeal: string | null
  readonly appealedAt: number | null
  readonly ruling: string | null
  readonly ruledAt: number | null
}

export interface NoteRow {
  readonly authorId: string | null
  readonly content: string
  readonly at: number
}

const columns = sql`c.id, number, version, assignee_id as "assigneeId", ${millis('created_at')} as "createdAt", decision,
  ${millis('decided_at')} as "decidedAt", decided_by as "decidedBy", reason, done,
  array(select team_id from fair_play_case_teams t where t.case_id = c.id order by team_id) as "teamIds",
  (select count(*)::int from fair_play_case_teams t
    where t.case_id = c.id and appealed_at is not null and ruled_at is null) as appeals`

export async function readCases(
  db: Queries,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly total: number; readonly rows: readonly CaseRow[] }> {
  const [count] = await db.query<{ total: number }>(sql`select count(*)::int as total from fair_play_cases`)
  const rows = await db.query<CaseRow>(sql`
    select * from (select ${columns} from fair_play_cases c) as one
    order by decision is null or appeals > 0 desc, number desc limit ${limit} offset ${offset}`)
  return { total: count?.total ?? 0, rows }
}

export async function findCase(db: Queries, id: string): Promise<CaseRow | null> {
  const [row] = await db.query<CaseRow>(sql`select ${columns} from fair_play_cases c where c.id = ${id}`)
  return row ?? null
}

export function readMembers(db: Queries, caseId: string): Promise<MemberRow[]> {
  return db.query<MemberRow>(sql`
    select team_id as "teamId", thread_id as "threadId", concerned, appeal, ${millis('appealed_at')} as "appealedAt",
      ruling, ${millis('ruled_at')} as "ruledAt"
    from fair_play_case_teams where case_id = ${caseId} order by team_id limit ${caseLimits.teams}`)
}

export function readNotes(db: Queries, caseId: string): Promise<NoteRow[]> {
  return db.query<NoteRow>(sql`
    select author_id as "authorId", content, ${millis('at')} as at from fair_play_notes
    where case_id = ${caseId} order by id limit ${caseLimits.notes}`)
}

/** Returns the id. `unknown`: one of the teams does not exist, or has permissions. */
export async function openCase(
  db: Database,
  teamIds: readonly string[],
  by: ActionBy,
): Promise<{ readonly id: string } | 'unknown' | 'full'> {
  const wanted = [...new Set(teamIds)]
  return await db.change(async (tx) => {
    const [count] = await tx.query<{ all: number }>(sql`select count(*)::int as all from fair_play_cases`)
    if ((count?.all ?? 0) >= caseLimits.cases) return 'full'
    const found = await tx.query(sql`select from teams where id = any(${wanted}::text[]) and perms = 0`)
    if (found.length < wanted.length) return 'unknown'
    const id = randomUUID()
    await tx.query(sql`insert into fair_play_cases (id, created_by) values (${id}, ${by.actorId})`)
    await tx.query(sql`
      insert into fair_play_case_teams (case_id, team_id) select ${id}, unnest(${wanted}::text[])`)
    await logCase(tx, id, { by, action: 'create', after: { teams: wanted } })
    return { id }
  })
}

interface CaseAction {
  readonly by: ActionBy
  readonly action: 'create' | 'assign' | 'note' | 'message' | 'decide' | 'undo' | 'rule'
  readonly before?: Fields
  readonly after?: Fields
  readonly keys?: readonly string[]
}

export async function logCase(tx: Queries, id: string, { by, action, before, after, keys }: CaseAction) {
  await tx.query(sql`update fair_play_cases set version = version + 1 where id = ${id}`)
  const change = before || after ? loggedChange(before ?? null, after ?? null) : {}
  await tx.query(
    recordAdminAction({
      ...by,
      ...change,
      action: `fair-play.case-${action}`,
      target: id,
      ...(keys && { keys }),
    }),
  )
}

export type Outcome<More extends string = never> = 'done' | 'gone' | { readonly version: number } | More

/** Runs the change if the case exists and has this version, while no other change runs. */
export async function changeCase<More extends string = never>(
  db: Database,
  { id, version }: { readonly id: string; readonly version?: number },
  work: (tx: ChangeTransaction, row: CaseRow) => Promise<Outcome<More>>,
): Promise<Outcome<More>> {
  return await db.change(async (tx) => {
    const row = await findCase(tx, id)
    if (!row) return 'gone'
    return version === undefined || row.version === version ? await work(tx, row) : { version: row.version }
  })
}

export function assignCase(
  db: Database,
  {
    id,
    version,
    assigneeId,
  }: { readonly id: string; readonly version: number; readonly assigneeId: string | null },
  by: ActionBy,
): Promise<Outcome> {
  return changeCase(db, { id, version }, async (tx, row) => {
    await tx.query(sql`
      update fair_play_cases set assignee_id = (select id from teams where id = ${assigneeId}) where id = ${id}`)
    const before = { assigneeId: row.assigneeId }
    await logCase(tx, id, { by, action: 'assign', before, after: { assigneeId }, keys: ['assigneeId'] })
    return 'done'
  })
}

export function addNote(
  db: Database,
  { id, content }: { readonly id: string; readonly content: string },
  by: ActionBy,
): Promise<Outcome<'full'>> {
  return changeCase<'full'>(db, { id }, async (tx) => {
    const [count] = await tx.query<{ all: number }>(
      sql`select count(*)::int as all from fair_play_notes where case_id = ${id}`,
    )
    if ((count?.all ?? 0) >= caseLimits.notes) return 'full'
    await tx.query(sql`
      insert into fair_play_notes (case_id, author_id, content) values (${id}, ${by.actorId}, ${content})`)
    await logCase(tx, id, { by, action: 'note', keys: ['content'] })
    return 'done'
  })
}

export interface CaseMessage {
  readonly id: string
  readonly teamId: string
  readonly content: string
  readonly by: Acting
  readonly now: number
}

/** Starts a thread with the team, or goes on with it. A closed one is open again. */
export function writeToTeam(
  db: Database,
  { id, teamId, content, by: acting, now }: CaseMessage,
  by: ActionBy,
): Promise<Outcome<'unknown' | 'full'>> {
  return changeCase<'unknown' | 'full'>(db, { id }, async (tx, { number }) => {
    const member = (await readMembers(tx, id)).find((each) => each.teamId === teamId)
    if (!member) return 'unknown'
    const message = { authorId: by.actorId, by: acting, content, now }
    const thread = member.threadId === null ? null : await findThread(tx, member.threadId)
    if (thread && thread.messageCount >= messageLimits.messages) return 'full'
    let threadId = thread?.id
    if (thread) {
      await insertMessage(tx, thread, message)
      await tx.query(sql`update message_threads set closed = false where id = ${thread.id}`)
    } else {
      const [count] = await tx.query<{ all: number }>(
        sql`select count(*)::int as all from message_threads where team_id = ${teamId}`,
      )
      if ((count?.all ?? 0) >= messageLimits.threads) return 'full'
      threadId = await startThread(tx, {
        ...message,
        teamId,
        challengeId: null,
        subject: `Fair play, case ${number}`,
      })
      await tx.query(sql`
        update fair_play_case_teams set thread_id = ${threadId} where case_id = ${id} and team_id = ${teamId}`)
    }
    if (threadId !== undefined) await finish(tx, threadId)
    await logCase(tx, id, { by, action: 'message', after: { teams: [teamId] }, keys: ['content'] })
    return 'done'
  })
}

/** `state`: the team has not appealed, or has its answer. */
export function ruleAppeal(
  db: Database,
  {
    id,
    teamId,
    ruling,
    now,
  }: { readonly id: string; readonly teamId: string; readonly ruling: string; readonly now: number },
  by: ActionBy,
): Promise<Outcome<'state'>> {
  return changeCase<'state'>(db, { id }, async (tx) => {
    const ruled = await tx.query(sql`
      update fair_play_case_teams set ruling = ${ruling}, ruled_at = ${new Date(now)}
      where case_id = ${id} and team_id = ${teamId} and appealed_at is not null and ruled_at is null returning case_id`)
    if (ruled.length === 0) return 'state'
    await logCase(tx, id, { by, action: 'rule', after: { teams: [teamId] }, keys: ['ruling'] })
    return 'done'
  })
}

export interface OwnCaseRow extends MemberRow {
  readonly id: string
  readonly number: number
  readonly decision: Decision
  readonly reason: string
  readonly decidedAt: number
}

/** What a team sees: decisions about it. */
export function readOwnCases(db: Queries, teamId: string): Promise<OwnCaseRow[]> {
  return db.query<OwnCaseRow>(sql`
    select id, number, decision, reason, ${millis('decided_at')} as "decidedAt", thread_id as "threadId", appeal,
      ${millis('appealed_at')} as "appealedAt", ruling, ${millis('ruled_at')} as "ruledAt"
    from fair_play_cases c join fair_play_case_teams t on t.case_id = c.id
    where team_id = ${teamId} and concerned and decision is not null order by number desc limit ${caseLimits.cases}`)
}

/** Against removed solves and bans, once. */
export function mayAppeal({ decision, appealedAt }: Pick<OwnCaseRow, 'decision' | 'appealedAt'>): boolean {
  return appealedAt === null && (decision === 'solveRemoved' || decision === 'banned')
}

export async function appeal(
  db: Database,
  { id, teamId }: { readonly id: string; readonly teamId: string },
  { content, now }: { readonly content: string; readonly now: number },
): Promise<'done' | 'gone' | 'refused'> {
  return await db.change(async (tx) => {
    const row = (await readOwnCases(tx, teamId)).find((each) => each.id === id)
    if (!row) return 'gone'
    if (!mayAppeal(row)) return 'refused'
    await tx.query(sql`
      update fair_play_case_teams set appeal = ${content}, appealed_at = ${new Date(now)}
      where case_id = ${id} and team_id = ${teamId}`)
    await tx.query(sql`update fair_play_cases set version = version + 1 where id = ${id}`)
    return 'done'
  })
}
