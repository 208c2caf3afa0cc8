import type { Kind } from '../kinds/kind.ts'
import { adjustmentRows } from './rows.ts'
import { undoAdjustment } from './undo.ts'

export const adjustmentKind: Kind = {
  rows: [adjustmentRows],
  undo: { 'adjustment.create': undoAdjustment },
}
