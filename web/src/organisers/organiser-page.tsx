import type { ReactNode } from 'react'
import { useFailure } from '../api/use-failure.ts'
import { Skeleton } from '../ui/states/skeleton.tsx'
import { LoadState } from '../layout/states/load-state.tsx'
import { usePageTitle } from '../layout/title.ts'
import styles from './organiser-page.module.css'

interface OrganiserPageProps {
  readonly title: string
  /** Document title, if it differs from the heading. */
  readonly documentTitle?: string | undefined
  /** Beside the heading, where there is room. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/** A page next to the rail, using the full remaining width. */
export function OrganiserPage({ title, documentTitle = title, aside, children }: OrganiserPageProps) {
  usePageTitle(documentTitle)
  return (
    <div className={styles.page}>
      <div className={styles.heading}>
        <h1>{title}</h1>
        {aside}
      </div>
      {children}
    </div>
  )
}

interface WaitingProps {
  readonly query: Parameters<typeof useFailure>[0]
  /** Number of skeleton lines: as many as the result will have. */
  readonly rows: number
}

/** Shown until a query has data: a skeleton, or the error. */
export function Waiting({ query, rows }: WaitingProps) {
  return (
    <LoadState failure={useFailure(query)}>
      <Skeleton rows={rows} height="var(--pn-row)" />
    </LoadState>
  )
}
