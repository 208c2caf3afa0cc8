import type { Kind } from '../../contest/kinds/kind.ts'
import { acceptanceRows, pageRows } from './rows.ts'
import { pageEvents } from './stream.ts'
import { pageUndo } from './undo.ts'

export const pageKind: Kind = {
  rows: [pageRows, acceptanceRows],
  events: [pageEvents],
  undo: pageUndo,
  nameOf: (id, world) => world.rows(pageRows).find((page) => page.id === id)?.texts[0]?.title,
}
