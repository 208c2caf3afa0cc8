import { Readable } from 'node:stream'
import * as contract from '@pennant/contract/actions.ts'
import { hasPermissions } from '@pennant/contract/permissions.ts'
import { badPerms } from '@pennant/contract/replies.ts'
import { parseTimestamp } from '@pennant/contract/timestamps.ts'
import type { ChangeTransaction, Database } from '../../../db/database.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import type { Streamed } from '../../../http/response/streamed.ts'
import type { Log } from '../../../lib/log.ts'
import type { WorldView } from '../../../world/model.ts'
import { exportLines, type ExportFormat } from './export.ts'
import type { Kind } from '../../contest/kinds/kind.ts'
import { UndoRefusedError, type UndoBy } from '../../contest/kinds/undo-kind.ts'
import * as store from './store.ts'
import { changedSince, undoOf, type FoundUndo } from './undo.ts'
import { actionView } from './views.ts'

export interface ActionDeps {
  readonly db: Database
  readonly world: () => WorldView
  readonly kinds: readonly Kind[]
  readonly now: () => number
  readonly log: Log
}

const DEFAULT_LIMIT = 50

export function actionRoutes({ db, world, kinds, now, log }: ActionDeps): Endpoint[] {
  const streamed = (format: ExportFormat, query: FilterQuery): Streamed => {
    const lines = exportLines(store.readAllActions(db, filterOf(query)), format)
    const content = Readable.from(lines, { objectMode: false })
    // The response has begun: the client only sees that it ends early.
    content.once('error', (error) => log.error({ err: error }, 'an export of the action log failed'))
    return { kind: 'streamed', fileName: `actions.${format}`, sizeBytes: null, content }
  }
  return [
    on(contract.listActions, async ({ query, team }) => {
      const { limit = DEFAULT_LIMIT, before } = query
      // One more shows whether there is a next page.
      const found = await store.listActions(db, filterOf(query), { limit: limit + 1, before })
      const page = found.slice(0, limit)
      return contract.goodActions({
        actions: page.map((row) => actionView({ world: world(), kinds, perms: team.perms }, row)),
        next: found.length > limit ? (page.at(-1)?.seq ?? null) : null,
        head: await store.readHead(db),
      })
    }),

    on(contract.exportActionsCsv, ({ query }) => streamed('csv', query)),
    on(contract.exportActionsJson, ({ query }) => streamed('jsonl', query)),

    on(contract.undoAction, async ({ params: { id }, team, ip }) => {
      const row = await store.findAction(db, id)
      if (!row) return contract.badAction()
      const undo = undoOf(row, kinds)
      if (!undo) return contract.badActionUndo()
      if (!hasPermissions(team.perms, undo.perms)) return badPerms()
      const { startTime } = world()
      const outcome = await carryOut(db, undo, { actorId: team.id, ip, undoes: id, now: now(), startTime })
      if ('fields' in outcome) return contract.badActionChanged({ fields: [...outcome.fields] })
      return contract.goodActionUndo({
        action: actionView({ world: world(), kinds, perms: team.perms }, outcome),
      })
    }),
  ]
}

interface FilterQuery extends Omit<store.ActionFilter, 'after' | 'until'> {
  readonly after?: string | undefined
  readonly until?: string | undefined
}

function filterOf({ actor, action, target, after, until }: FilterQuery): store.ActionFilter {
  return { actor, action, target, after: instantOf(after), until: instantOf(until) }
}

function instantOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(parseTimestamp(text))
}

/** Under the change lock, so nothing changes between the comparison and the write. */
async function carryOut(
  db: Database,
  undo: FoundUndo,
  by: UndoBy,
): Promise<store.ActionRow | { readonly fields: readonly string[] }> {
  try {
    return await db.change((tx) => carryOutIn(tx, undo, by))
  } catch (error) {
    if (!(error instanceof UndoRefusedError)) throw error
    return { fields: error.fields }
  }
}

async function carryOutIn(tx: ChangeTransaction, undo: FoundUndo, by: UndoBy) {
  const current = await undo.current(tx)
  if (!current) return { fields: [] }
  const fields = changedSince(current, undo.after)
  if (fields.length > 0) return { fields }
  const preventing = await undo.apply(tx, by)
  if (preventing.length > 0) return { fields: preventing }
  const entry = await store.findUndo(tx, by.undoes)
  if (!entry) throw new Error('an undo left no entry in the action log')
  return entry
}
