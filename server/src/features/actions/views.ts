import type { Action } from '@pennant/contract/actions.ts'
import { hasPermissions } from '@pennant/contract/permissions.ts'
import type { z } from 'zod'
import type { WorldView } from '../../world/model.ts'
import type { ActionRow } from './store.ts'
import { parsed, undoOf } from './undo.ts'

/** `perms` are those of the caller. */
export function actionView(world: WorldView, row: ActionRow, perms: number): z.input<typeof Action> {
  const undo = undoOf(row)
  return {
    seq: row.seq,
    at: row.atMs,
    actor: { id: row.actorId, name: row.actorName },
    action: row.action,
    route: row.route,
    targets: (row.target?.split(' ') ?? []).map((id) => ({
      id,
      name: world.challenge(id)?.name ?? world.team(id)?.name ?? null,
    })),
    before: parsed(row.before),
    after: parsed(row.after),
    ip: row.ip,
    requestId: row.requestId,
    undoes: row.undoes,
    undoneBy: row.undoneBy,
    canUndo: undo !== null && hasPermissions(perms, undo.perms),
    previousHash: row.previousHash,
    hash: row.hash,
  }
}
