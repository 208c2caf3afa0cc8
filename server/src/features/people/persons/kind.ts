import type { Kind } from '../../contest/kinds/kind.ts'
import { endedSessionRows, personRows } from './rows.ts'

export const personKind: Kind = {
  rows: [personRows, endedSessionRows],
  nameOf: (id, world) => world.rows(personRows).find(id)?.name,
}
