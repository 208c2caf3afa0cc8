import type { Kind } from '../../contest/kinds/kind.ts'
import { endedSessionRows, personRows } from './rows.ts'
import { personUndo } from './undo.ts'

export const personKind: Kind = {
  rows: [personRows, endedSessionRows],
  undo: personUndo,
  nameOf: (id, world) => world.rows(personRows).find(id)?.name,
}
