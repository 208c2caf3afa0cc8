import { valueOf, type CustomField } from '@pennant/contract/custom-field-values.ts'
import sql, { raw } from 'sql-template-tag'
import type { ChangeTransaction, Queries } from '../../../db/database.ts'
import { millis } from '../../../world/rows.ts'
import { personAnswerRows, teamAnswerRows, type Owner } from './rows.ts'

/** A checked answer. */
export interface NewAnswer {
  readonly field: string
  /** Of a consent; 0 for others. */
  readonly version: number
  /** An empty text clears the answer. */
  readonly value: string
  /** The person who answers; null for the team's own token and for organisers. */
  readonly by: string | null
}

export interface OwnAnswers {
  readonly owner: Owner
  readonly answers: readonly NewAnswer[]
}

/** Stores answers. Skips teams and people that no longer exist. */
export async function writeAnswers(tx: ChangeTransaction, given: readonly OwnAnswers[]): Promise<void> {
  const rows = given.flatMap(({ owner, answers }) => answers.map((answer) => ({ ...owner, ...answer })))
  if (rows.length === 0) return
  const source = sql`json_to_recordset(${JSON.stringify(rows)}::json)
    as t ("teamId" text, "personId" text, field text, version integer, value text, "by" text)`
  // Whoever withdraws a consent withdraws all versions; one that is given again keeps its time.
  await tx.query(sql`
    delete from field_answers using ${source}
    where field_answers.field = t.field and (team_id = t."teamId" or person_id = t."personId")
      and (t.value = '' or t.version = 0)`)
  await tx.query(sql`
    insert into field_answers (team_id, person_id, field, version, value, answered_by)
    select teams.id, persons.id, field, version, value, (select id from persons where id = t."by")
    from ${source} left join teams on teams.id = t."teamId" left join persons on persons.id = t."personId"
    where value <> '' and (teams.id is not null or persons.id is not null)
    on conflict do nothing`)
  changedOf(
    tx,
    given.map(({ owner }) => owner),
  )
}

function changedOf(tx: ChangeTransaction, owners: readonly Owner[]): void {
  const teams = new Set(owners.flatMap((owner) => ('teamId' in owner ? owner.teamId : [])))
  const people = new Set(owners.flatMap((owner) => ('personId' in owner ? owner.personId : [])))
  if (teams.size > 0) tx.changed(teamAnswerRows, [...teams])
  if (people.size > 0) tx.changed(personAnswerRows, [...people])
}

/** An answer as stored, for whoever downloads or exports what is known about a team or person. */
export interface StoredAnswer {
  readonly ownerId: string
  readonly field: string
  /** Of a consent; 0 for others. */
  readonly version: number
  readonly value: string
  readonly answeredBy: string | null
  /** Unix milliseconds. */
  readonly answeredAt: number
}

/** Every stored answer of teams or of people, oldest first, with every version of consents. */
export function valuesOf(
  db: Queries,
  of: 'team' | 'person',
  ids: readonly string[],
): Promise<StoredAnswer[]> {
  const owner = raw(of === 'team' ? 'team_id' : 'person_id')
  return db.query<StoredAnswer>(sql`
    select ${owner} as "ownerId", field, version, value, answered_by as "answeredBy",
      ${millis('answered_at')} as "answeredAt"
    from field_answers where ${owner} = any(${ids}) order by answered_at, field, version`)
}

/** Teams and people with an answer, by field. */
export async function countAnswers(db: Queries): Promise<Record<string, number>> {
  const rows = await db.query<{ field: string; count: number }>(sql`
    select field, count(distinct coalesce(team_id, person_id))::int as count from field_answers group by field`)
  return Object.fromEntries(rows.map(({ field, count }) => [field, count]))
}

export interface FieldChange {
  readonly before: readonly CustomField[]
  readonly after: readonly CustomField[]
  /** How many answers may go with deleted fields. */
  readonly deletedAnswers: number
}

export interface RefusedChange {
  readonly deleted: number
  readonly unfitting: { readonly field: string; readonly answers: number }[]
}

/** Deletes the answers to fields that are gone. Refuses, and returns why, if more would go, or if answers do not fit a new definition. */
export async function changeFields(
  tx: ChangeTransaction,
  { before, after, deletedAnswers }: FieldChange,
): Promise<RefusedChange | null> {
  const next = new Map(after.map((field) => [field.id, field]))
  const gone = before.flatMap(({ id }) => (next.has(id) ? [] : id))
  const answered = await tx.query<{ teamId: string | null; personId: string | null; count: number }>(sql`
    select team_id as "teamId", person_id as "personId", count(distinct field)::int as count from field_answers
    where field = any(${gone}) group by 1, 2`)
  const deleted = answered.reduce((sum, { count }) => sum + count, 0)
  const unfitting = await findUnfitting(tx, after)
  if (deleted > deletedAnswers || unfitting.length > 0) return { deleted, unfitting }
  await tx.query(sql`delete from field_answers where field = any(${gone})`)
  changedOf(
    tx,
    answered.map(({ teamId, personId }) => (teamId === null ? { personId: personId ?? '' } : { teamId })),
  )
  return null
}

/** Consents of earlier versions stay: they are what was agreed to. */
async function findUnfitting(
  tx: Queries,
  fields: readonly CustomField[],
): Promise<RefusedChange['unfitting']> {
  const rows = await tx.query<{
    field: string
    value: string
    of: 'team' | 'person'
    consent: boolean
    count: number
  }>(sql`
    select field, value, version > 0 as consent, case when team_id is null then 'person' else 'team' end as of,
      count(*)::int as count
    from field_answers where field = any(${fields.map(({ id }) => id)}) group by 1, 2, 3, 4`)
  const counts = new Map<string, number>()
  const known = new Map(fields.map((field) => [field.id, field]))
  for (const { field: id, value, of, consent, count } of rows) {
    const field = known.get(id)
    const isConsent = field?.kind === 'consent'
    const fits = field?.of === of && consent === isConsent && (isConsent || valueOf(field, value) !== null)
    if (!fits) counts.set(id, (counts.get(id) ?? 0) + count)
  }
  return [...counts].map(([field, answers]) => ({ field, answers }))
}
