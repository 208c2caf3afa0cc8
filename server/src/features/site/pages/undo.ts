import { undoOfChange, type UndoRule } from '../../contest/kinds/undo-kind.ts'
import { readPages } from './rows.ts'
import * as store from './store.ts'

type Transaction = Parameters<typeof store.replacePage>[0]

async function loggedNow(tx: Transaction, id: string) {
  const [row] = await readPages(tx, [id])
  return row ? store.loggedPage(row) : null
}

/** Back to the earlier version, as a new one. */
const undoUpdate = undoOfChange(({ id, before }) => ({
  perms: ['settingsWrite'],
  current: (tx) => loggedNow(tx, id),
  async apply(tx, { actorId, ip, undoes }) {
    const [old] = await readPages(tx, [id])
    const earlier = await store.findVersion(tx, { id, version: Number(before['version']) })
    if (!old || !earlier) return ['version']
    const saved = await store.replacePage(
      tx,
      { old, next: store.fieldsOf(earlier.data) },
      { actorId, ip, undoes },
    )
    return 'problem' in saved ? ['slug'] : []
  },
}))

/** Deletes a page that no one has edited since. */
const undoCreate: UndoRule = ({ id }) => ({
  perms: ['settingsWrite'],
  current: (tx) => loggedNow(tx, id),
  async apply(tx, { actorId, ip, undoes }) {
    const [row] = await readPages(tx, [id])
    if (row) await store.deletePageRow(tx, row, { actorId, ip, undoes })
    return []
  },
})

const undoOrder = undoOfChange(({ before }) => ({
  perms: ['settingsWrite'],
  current: async (tx) => ({ order: await store.readOrder(tx) }),
  async apply(tx, { actorId, ip, undoes }) {
    const order = before['order'] as readonly string[]
    return (await store.writeOrder(tx, order, { actorId, ip, undoes })) ? [] : ['order']
  },
}))

export const pageUndo: Readonly<Record<string, UndoRule>> = {
  'page.create': undoCreate,
  'page.update': undoUpdate,
  'page.order': undoOrder,
}
