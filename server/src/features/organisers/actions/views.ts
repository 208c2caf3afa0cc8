import type { Action } from '@pennant/contract/actions.ts'
import { hasPermissions } from '@pennant/contract/permissions.ts'
import type { z } from 'zod'
import type { Fields } from '../../../lib/logged-fields.ts'
import type { WorldView } from '../../../world/model.ts'
import type { ActionRow } from './store.ts'
import { parsed, undoOf } from './undo.ts'
import { announcementRows } from '../../news/announcements/rows.ts'
import { waveRows } from '../../news/waves/rows.ts'

/** `perms` are those of the caller. */
export function actionView(world: WorldView, row: ActionRow, perms: number): z.input<typeof Action> {
  const undo = undoOf(row)
  const before = parsed(row.before)
  const after = parsed(row.after)
  return {
    seq: row.seq,
    at: row.atMs,
    actor: { id: row.actorId, name: row.actorName },
    action: row.action,
    route: row.route,
    targets: (row.target?.split(' ') ?? []).map((id, at) => ({
      id,
      name: currentName(world, id) ?? (at === 0 ? (loggedName(after) ?? loggedName(before)) : null),
    })),
    before,
    after,
    ip: row.ip,
    requestId: row.requestId,
    undoes: row.undoes,
    undoneBy: row.undoneBy,
    canUndo: undo !== null && hasPermissions(perms, undo.perms),
    previousHash: row.previousHash,
    hash: row.hash,
  }
}

function currentName(world: WorldView, id: string): string | null {
  return (
    world.challenge(id)?.name ??
    world.team(id)?.name ??
    world.rows(waveRows).find((wave) => wave.id === id)?.name ??
    world.rows(announcementRows).find((announcement) => announcement.id === id)?.title ??
    null
  )
}

/** What is neither of these, or is gone, is called as in the entry. */
function loggedName(fields: Fields | null): string | null {
  const name = fields?.['name'] ?? fields?.['title']
  return typeof name === 'string' ? name : null
}
