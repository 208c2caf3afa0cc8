import sql, { empty } from 'sql-template-tag'
import type { Queries } from '../../../db/database.ts'
import type { RowKind } from '../../../world/row-kind.ts'
import { millis } from '../../../world/rows.ts'

// Waves as stored in the database: docs/reference/waves.md

export interface WaveRow {
  readonly id: string
  readonly name: string
  /** Null: not scheduled. */
  readonly openAt: number | null
  readonly announce: boolean
  readonly forward: boolean
  readonly countdown: boolean
  /** Of the announcement; null for the default. */
  readonly title: string | null
  readonly text: string | null
  readonly announcedAt: number | null
  readonly announcementId: string | null
  readonly version: number
  readonly createdAt: number
}

const timeOf = ({ openAt }: WaveRow) => openAt ?? Number.MAX_VALUE

/** By time, those without one last. The order of two of the same time is the same in every process. */
export const waveRows: RowKind<WaveRow, readonly WaveRow[]> = {
  kind: 'waves',
  read: readWaves,
  keyOf: ({ id }) => id,
  slice: (rows) =>
    [...rows.values()].flat().toSorted((a, b) => timeOf(a) - timeOf(b) || (a.id < b.id ? -1 : 1)),
}

/** The waves with the given ids, or all. */
export function readWaves(db: Queries, ids?: readonly string[]): Promise<WaveRow[]> {
  return db.query<WaveRow>(sql`
    select id, name, ${millis('open_at')} as "openAt", announce, forward, countdown, title, content as text,
      ${millis('announced_at')} as "announcedAt", announcement_id as "announcementId", version,
      ${millis('created_at')} as "createdAt"
    from waves ${ids ? sql`where id = any(${ids})` : empty}`)
}
