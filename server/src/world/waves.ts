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

/** By time, those without one last. The order of two of the same time is the same in every process. */
export function sortWaves(rows: readonly WaveRow[]): readonly WaveRow[] {
  const timeOf = ({ openAt }: WaveRow) => openAt ?? Number.MAX_VALUE
  return rows.toSorted((a, b) => timeOf(a) - timeOf(b) || (a.id < b.id ? -1 : 1))
}
