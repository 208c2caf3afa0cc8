import type { Action } from '@pennant/contract/actions.ts'
import { hasPermissions } from '@pennant/contract/permissions.ts'
import type { z } from 'zod'
import type { Fields } from '../../../lib/logged-fields.ts'
import type { WorldView } from '../../../world/model.ts'
import type { Kind } from '../../contest/kinds/kind.ts'
import type { ActionRow } from './store.ts'
import { parsed, undoOf } from './undo.ts'

export interface ActionReader {
  readonly world: WorldView
  readonly kinds: readonly Kind[]
  /** Of the caller. */
  readonly perms: number
}

export function actionView({ world, kinds, perms }: ActionReader, row: ActionRow): z.input<typeof Action> {
  const undo = undoOf(row, kinds)
  const nameOf = (id: string) =>
    world.challenge(id)?.name ??
    world.team(id)?.name ??
    kinds.map((kind) => kind.nameOf?.(id, world)).find((name) => name !== undefined)
  const before = parsed(row.before)
  const after = parsed(row.after)
  return {
    seq: row.seq,
    at: row.atMs,
    actor: {
      id: row.actorId,
      name: row.actorName,
      ...(row.personId !== null && { person: { id: row.personId, name: row.personName } }),
      ...(row.apiTokenId !== null && { apiToken: { id: row.apiTokenId, name: row.apiTokenName ?? '' } }),
    },
    action: row.action,
    route: row.route,
    targets: (row.target?.split(' ') ?? []).map((id, at) => ({
      id,
      name: nameOf(id) ?? (at === 0 ? (loggedName(after) ?? loggedName(before)) : null),
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

/** What is neither of these, or is gone, is called as in the entry. */
function loggedName(fields: Fields | null): string | null {
  const name = fields?.['name'] ?? fields?.['title']
  return typeof name === 'string' ? name : null
}
