import type { Row } from './copy-text.ts'

/** The tables of rCTF that an import reads, by name. All others are left out. */
export const RCTF_TABLES = [
  'users',
  'user_members',
  'challenges',
  'solves',
  'score_events',
  'submission_logs',
  'dynamic_flags',
  'admin_bot_jobs',
  'pending_user_verifications',
  'external_auth_clients',
  'ext_auth_clients',
  'settings',
  'pgmigrations',
] as const

export type RctfTable = (typeof RCTF_TABLES)[number]

export function isRctfTable(name: string): name is RctfTable {
  return (RCTF_TABLES as readonly string[]).includes(name)
}

/** The tables of a source, which can be read more than once and are the same each time. */
export interface RctfTables extends AsyncDisposable {
  /** Calls back for each row of the wanted tables. Returns the columns of every table of the source. */
  scan(
    wanted: ReadonlySet<RctfTable>,
    onRow: (table: RctfTable, row: Row) => void,
  ): Promise<ReadonlyMap<RctfTable, readonly string[]>>
  /** The rows of one table. */
  rows(table: RctfTable): AsyncIterable<Row>
}
