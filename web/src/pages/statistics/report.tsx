import type { ReactNode } from 'react'
import { CsvButton } from './csv-button.tsx'
import { Expectation } from './expectation.tsx'
import { FirstSolves } from './first-solves.tsx'
import { Hours } from './hours.tsx'
import { OverTime } from './over-time.tsx'
import type { PartProps } from './part.ts'
import type { Table } from './queries.ts'
import { Retention } from './retention.tsx'
import styles from './statistics.module.css'
import { Categories, Countries, Divisions, Funnel } from './tables.tsx'
import { Totals } from './totals.tsx'

interface ReportViewProps extends Pick<PartProps, 'report' | 'linkOf'> {
  readonly isOrganiser: boolean
  /** Between the plots and the tables. */
  readonly children?: ReactNode
}

/** All figures of a report. */
export function ReportView({ report, linkOf, isOrganiser, children }: ReportViewProps) {
  const csv = (table: Table, title: string) => (
    <CsvButton table={table} title={title} isOrganiser={isOrganiser} />
  )
  const part = { report, csv, linkOf }
  return (
    <div className={styles.report}>
      <Totals total={report.total} />
      <OverTime {...part} />
      <Expectation {...part} />
      <FirstSolves {...part} />
      {children}
      <Categories {...part} />
      <div className={styles.pair}>
        <Hours {...part} />
        <Retention {...part} />
      </div>
      <div className={styles.pair}>
        <div className={styles.report}>
          <Funnel {...part} />
          <Divisions {...part} />
        </div>
        <Countries {...part} />
      </div>
    </div>
  )
}
