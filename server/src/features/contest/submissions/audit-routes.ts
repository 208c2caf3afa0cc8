import {
  filterSubmissions,
  goodAdminSubmissions,
  listSubmissions,
} from '@pennant/contract/admin-submissions.ts'
import type { Database } from '../../../db/database.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import { prepare, type Prepared } from '../../../http/response/prepared.ts'
import { createSharedRuns } from '../../../lib/shared-runs.ts'
import { createSemaphore } from '../../../lib/semaphore.ts'
import type { PersonName } from '../../../lib/acting-person.ts'
import type { WorldView } from '../../../world/model.ts'
import type { Paging } from './audit-pages.ts'
import { isSearching, scopeOf, type AuditFilter, type AuditSearch, type GoneIds } from './audit-scope.ts'
import { readAuditPage, readNamedIds } from './audit-store.ts'
import { createTallies, type TallySource } from './audit-tallies.ts'
import { auditView } from './audit-views.ts'

export interface AuditDeps {
  readonly db: Database
  readonly world: () => WorldView
  /** Resolves once this process's world includes everything committed before the call. */
  readonly caughtUp: () => Promise<void>
  readonly now: () => number
  readonly personName: PersonName
}

/** Limits the connections that audit lists use at the same time, so that the contest keeps the others. */
const SLOTS = { slots: 4, maxQueue: 64 }

export function auditRoutes(deps: AuditDeps): Endpoint[] {
  const context = { ...deps, tallies: createTallies(deps.now) }
  const inSlot = createSemaphore(SLOTS)
  const shared = createSharedRuns<Prepared>()
  const respond = (query: Query, filter: AuditFilter) =>
    shared(JSON.stringify([query, filter]), () => inSlot(() => readPage(context, query, filter)))
  return [
    on(listSubmissions, ({ query }) => respond(query, {})),
    on(filterSubmissions, ({ query, body }) => respond(query, body)),
  ]
}

type Query = Paging & AuditSearch
type Context = AuditDeps & { readonly tallies: TallySource }

async function readPage(context: Context, query: Query, filter: AuditFilter): Promise<Prepared> {
  const { db, world, caughtUp, tallies, personName } = context
  const gone = isSearching(query) ? await findGone(context) : { challenges: [], teams: [] }
  const scope = scopeOf(world(), { search: query, filter }, gone)
  const { total, rows } = await readAuditPage(db, tallies, { world: world(), scope, paging: query })
  // A team or challenge that another process has just created is not deleted: wait for the world to catch up.
  const isKnown = rows.every((row) => world().team(row.teamId) && world().challenge(row.challengeId))
  if (!isKnown) await caughtUp()
  const view = world()
  return prepare(
    goodAdminSubmissions({ total, submissions: rows.map((row) => auditView(view, row, personName)) }),
  )
}

async function findGone({ db, world, tallies }: Context): Promise<GoneIds> {
  const named = await readNamedIds(db, tallies)
  return {
    challenges: named.challenges.filter((id) => !world().challenge(id)),
    teams: named.teams.filter((id) => !world().team(id)),
  }
}
