import type { ReactNode } from 'react'
import type { Report, Table } from './queries.ts'

/** What every part of the page gets. */
export interface PartProps {
  readonly report: Report
  /** The button that downloads a table; `title` is that of the part. */
  readonly csv: (table: Table, title: string) => ReactNode
  /** The page of a challenge. */
  readonly linkOf: (challengeId: string) => string
}
