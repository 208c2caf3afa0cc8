import type { ReactNode } from 'react'
import { RequestFailure } from '../../api/failure.ts'
import { useTrouble } from '../../api/use-failure.ts'
import { useErrorText } from '../../text/errors.ts'
import { useFormat } from '../../text/format.ts'
import { ErrorState } from '../../ui/states/messages.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { usePageTitle } from '../title.ts'
import styles from './list.module.css'

interface OrganiserPageProps {
  readonly title: string
  /** Of the document, where it says more. */
  readonly documentTitle?: string | undefined
  readonly children: ReactNode
}

/** A page beside the rail, as wide as the window leaves. */
export function OrganiserPage({ title, documentTitle = title, children }: OrganiserPageProps) {
  usePageTitle(documentTitle)
  return (
    <div className={styles.page}>
      <h1>{title}</h1>
      {children}
    </div>
  )
}

interface WaitingProps {
  readonly query: Parameters<typeof useTrouble>[0]
  /** Lines of the skeleton: as many as the result will have. */
  readonly rows: number
}

/** In place of what a query did not bring yet: a skeleton, or why there is nothing. */
export function Waiting({ query, rows }: WaitingProps) {
  const errorText = useErrorText()
  const format = useFormat()
  const { failure, retry } = useTrouble(query)
  if (!(failure instanceof RequestFailure)) return <Skeleton rows={rows} height="var(--pn-row)" />
  return (
    <ErrorState onRetry={retry} kind={failure.kind} requestedAt={format.time(failure.askedAt)}>
      {errorText(failure)}
    </ErrorState>
  )
}
