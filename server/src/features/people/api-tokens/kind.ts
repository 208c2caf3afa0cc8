import type { Kind } from '../../contest/kinds/kind.ts'
import { apiTokenRows } from './rows.ts'

export const apiTokenKind: Kind = {
  rows: [apiTokenRows],
  nameOf: (id, world) => [...world.rows(apiTokenRows).values()].find((row) => row.id === id)?.name,
}
