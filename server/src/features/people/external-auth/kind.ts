import type { Kind } from '../../contest/kinds/kind.ts'
import { endedClientRows } from './rows.ts'

export const externalAuthKind: Kind = { rows: [endedClientRows] }
