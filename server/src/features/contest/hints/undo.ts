import type { Permission } from '@pennant/contract/permissions.ts'
import { undoOfChange, type UndoRule } from '../kinds/undo-kind.ts'
import { lockOrder, readLogged, restoreHint, withdrawHint, writeOrder } from './store.ts'

const PERMS: readonly Permission[] = ['challsRead', 'challsWrite']

/** What teams paid stays as it is. */
const undoHint: UndoRule = ({ id, before }) => ({
  perms: PERMS,
  current: (tx) => readLogged(tx, id),
  async apply(tx, { actorId, ip, undoes }) {
    const by = { actorId, ip, undoes }
    if (!before) return await withdrawHint(tx, id, by)
    await restoreHint(tx, { id, fields: before }, by)
    return []
  },
})

/** The fields of the entry name the same hints, and so do those of now if no one changed them. */
const undoOrder = undoOfChange(({ id, before, after }) => ({
  perms: PERMS,
  current: async (tx) => ({ order: await lockOrder(tx, id) }),
  async apply(tx, { actorId, ip, undoes }) {
    const orders = { before: after['order'] as string[], hintIds: before['order'] as string[] }
    await writeOrder(tx, id, { ...orders, by: { actorId, ip, undoes } })
    return []
  },
}))

export const hintUndo: Readonly<Record<string, UndoRule>> = {
  'hint.create': undoHint,
  'hint.update': undoOfChange(undoHint),
  'hint.release': undoOfChange(undoHint),
  'hint.order': undoOrder,
}
