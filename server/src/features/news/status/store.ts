import { MAX_UPDATES, type Incident } from '@pennant/contract/status.ts'
import sql, { raw } from 'sql-template-tag'
import type { z } from 'zod'
import { recordAdminAction, type ActionBy } from '../../../db/admin-actions.ts'
import type { Database, Queries } from '../../../db/database.ts'
import { loggedChange, type LoggedChange } from '../../../lib/logged-fields.ts'

type IncidentView = z.output<typeof Incident>
type Update = IncidentView['updates'][number]

export type Author = ActionBy

export type NewIncident = Pick<IncidentView, 'id' | 'title' | 'severity' | 'components'> & {
  readonly update: Update
}

/** What is absent stays as it is. */
export interface IncidentChange {
  readonly id: string
  readonly title?: IncidentView['title'] | undefined
  readonly severity?: IncidentView['severity'] | undefined
  readonly components?: IncidentView['components'] | undefined
  readonly update: Update
}

const COLUMNS = raw(`id, title, severity, components, updates, updates -> 0 ->> 'state' as state,
  (extract(epoch from started_at) * 1000)::float8 as "startedAt",
  (extract(epoch from resolved_at) * 1000)::float8 as "resolvedAt"`)

/** More than an event has: older ones are left out. */
const MAX_LISTED = 50

/** Incidents that last or ended after `since`, newest first. */
export function listIncidents(db: Queries, since: number): Promise<IncidentView[]> {
  return db.query<IncidentView>(sql`
    select ${COLUMNS} from incidents where resolved_at is null or resolved_at > ${new Date(since)}
    order by started_at desc, id limit ${MAX_LISTED}`)
}

export async function addIncident(
  db: Database,
  { id, title, severity, components, update }: NewIncident,
  author: Author,
): Promise<IncidentView> {
  return await db.transaction(async (tx) => {
    const [row] = await tx.query<IncidentView>(sql`
      insert into incidents (id, title, severity, components, updates, started_at, resolved_at)
      values (${id}, ${title}, ${severity}, ${components}, ${JSON.stringify([update])}, ${new Date(update.at)},
        ${resolvedAt(update)})
      returning ${COLUMNS}`)
    if (!row) throw new Error('the incident was not stored')
    await note(tx, { action: 'incident.create', id, author, ...loggedChange(null, loggedFields(row)) })
    return row
  })
}

/** Null: there is no such incident. `full`: it has as many updates as possible. */
export async function changeIncident(
  db: Database,
  { id, update, title, severity, components }: IncidentChange,
  author: Author,
): Promise<IncidentView | null | 'full'> {
  return await db.transaction(async (tx) => {
    const [before] = await tx.query<IncidentView>(
      sql`select ${COLUMNS} from incidents where id = ${id} for update`,
    )
    const [row] = await tx.query<IncidentView>(sql`
      update incidents set updates = ${JSON.stringify([update])}::jsonb || updates,
        title = coalesce(${title ?? null}, title), severity = coalesce(${severity ?? null}, severity),
        components = coalesce(${components ?? null}::text[], components), resolved_at = ${resolvedAt(update)}
      where id = ${id} and jsonb_array_length(updates) < ${MAX_UPDATES} returning ${COLUMNS}`)
    if (!row || !before) return before ? 'full' : null
    const change = loggedChange(loggedFields(before), { ...loggedFields(row), update: row.updates[0] })
    await note(tx, { action: 'incident.update', id, author, ...change })
    return row
  })
}

/** Whether there was one. */
export async function removeIncident(db: Database, id: string, author: Author): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const [gone] = await tx.query<IncidentView>(
      sql`delete from incidents where id = ${id} returning ${COLUMNS}`,
    )
    if (gone)
      await note(tx, { action: 'incident.delete', id, author, ...loggedChange(loggedFields(gone), null) })
    return gone !== undefined
  })
}

function resolvedAt({ state, at }: Update): Date | null {
  return state === 'resolved' ? new Date(at) : null
}

function loggedFields({ title, severity, components, state }: IncidentView) {
  return { title, severity, components, state }
}

interface Action extends LoggedChange {
  readonly action: `incident.${'create' | 'update' | 'delete'}`
  readonly id: string
  readonly author: Author
}

async function note(tx: Queries, { author, id, ...action }: Action): Promise<void> {
  await tx.query(recordAdminAction({ ...author, ...action, target: id }))
}
