import type { UndoRule } from '../kinds/undo-kind.ts'
import { readCounting, takeBack } from './store.ts'

export const undoAdjustment: UndoRule = ({ id }) => ({
  perms: ['challsSolveWrite'],
  async current(tx) {
    const row = await readCounting(tx, id)
    return row && { ...row }
  },
  async apply(tx, by) {
    await takeBack(tx, id, by)
    return []
  },
})
