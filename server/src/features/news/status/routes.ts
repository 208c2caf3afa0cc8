import {
  badIncident,
  badIncidentFull,
  createIncident,
  deleteIncident,
  goodIncident,
  goodIncidentDeleted,
  goodStatus,
  readStatus,
  updateIncident,
} from '@pennant/contract/status.ts'
import { DAY_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import type { z } from 'zod'
import type { Database } from '../../../db/database.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import { prepare, type Prepared } from '../../../http/response/prepared.ts'
import { memoizeFor } from '../../../lib/memoize-for.ts'
import { orderedId } from '../../../lib/uuid.ts'
import { componentStates, type StatusSource } from './components.ts'
import { addIncident, changeIncident, listIncidents, removeIncident } from './store.ts'

export interface StatusDeps {
  readonly db: Database
  readonly now: () => number
  /** What shows the state of each part that this deployment has. */
  readonly sources: readonly StatusSource[]
}

/** Other replicas show an incident after this long; all visitors together cost one check at a time. */
const FRESH_MS = 3 * SECOND_MS
const SHOWN_AFTER_END_MS = 7 * DAY_MS

/** Docs: docs/reference/status.md */
export function statusRoutes({ db, now, sources }: StatusDeps): Endpoint[] {
  let known: Pick<z.output<typeof goodStatus.data>, 'incidents' | 'incidentsAt'> = {
    incidents: [],
    incidentsAt: null,
  }
  const read = async (): Promise<Prepared> => {
    const at = now()
    // Without the database, the last known incidents are better than none.
    await listIncidents(db, at - SHOWN_AFTER_END_MS).then(
      (incidents) => (known = { incidents, incidentsAt: at }),
      () => {},
    )
    return prepare(goodStatus({ now: now(), components: await componentStates(sources), ...known }))
  }
  let shown = memoizeFor(FRESH_MS, now, read)
  const changed = () => {
    shown = memoizeFor(FRESH_MS, now, read)
  }

  return [
    on(readStatus, () => shown()),

    on(createIncident, async ({ body: { text, state, ...fields }, team: { id: actorId }, ip }) => {
      const update = { at: now(), state, text }
      const incident = await addIncident(db, { ...fields, id: orderedId(), update }, { actorId, ip })
      changed()
      return goodIncident(incident)
    }),

    on(updateIncident, async ({ params: { id }, body, team: { id: actorId }, ip }) => {
      const { text, state, ...fields } = body
      const update = { at: now(), state, text }
      const incident = await changeIncident(db, { ...fields, id, update }, { actorId, ip })
      if (incident === 'full') return badIncidentFull()
      if (incident === null) return badIncident()
      changed()
      return goodIncident(incident)
    }),

    on(deleteIncident, async ({ params: { id }, team: { id: actorId }, ip }) => {
      if (!(await removeIncident(db, id, { actorId, ip }))) return badIncident()
      changed()
      return goodIncidentDeleted()
    }),
  ]
}
