import type { Kind } from '../kinds/kind.ts'
import { hintArchive } from './archive.ts'
import { hintRows, purchaseRows } from './rows.ts'
import { hintEvents, purchaseEvents } from './stream.ts'
import { hintUndo } from './undo.ts'

export const hintKind: Kind = {
  rows: [hintRows, purchaseRows],
  events: [hintEvents, purchaseEvents],
  undo: hintUndo,
  archive: hintArchive,
}
