import type { ReactNode } from 'react'
import { Button } from '../buttons/button.tsx'
import { cx } from '../cx.ts'
import { useWords } from '../words.ts'
import { Panel } from './panel.tsx'
import styles from './states.module.css'

interface EmptyStateProps {
  /** One sentence. */
  readonly children: ReactNode
  /** One thing that helps. */
  readonly action?: ReactNode
}

/** Nothing to show, which is not a failure. */
export function EmptyState({ children, action }: EmptyStateProps) {
  return (
    <div className={styles.message}>
      <p>{children}</p>
      {action}
    </div>
  )
}

interface ErrorStateProps {
  /** What failed, in words. */
  readonly children?: ReactNode
  readonly onRetry?: () => void
  readonly isRetrying?: boolean
  /** For whoever is told of it: the answer's kind and when it was asked for. */
  readonly kind?: string
  readonly requestedAt?: string
}

/** A region that has nothing to show because its request failed. */
export function ErrorState({ children, onRetry, isRetrying = false, kind, requestedAt }: ErrorStateProps) {
  const words = useWords()
  const small = [kind, requestedAt === undefined ? undefined : words.requestTime(requestedAt)]
  return (
    <div role="alert" className={cx(styles.panel, styles.message, styles.error)}>
      <p>{children ?? words.noAnswer}</p>
      {onRetry && (
        <Button onClick={onRetry} busy={isRetrying}>
          {words.tryAgain}
        </Button>
      )}
      {small.some(Boolean) && <p className={styles.small}>{small.filter(Boolean).join(' · ')}</p>}
    </div>
  )
}

interface NotFoundProps {
  readonly title?: string
  readonly children?: ReactNode
  /** A way on, such as a link to the list. */
  readonly action?: ReactNode
}

/** What the address names is not there, or not for this visitor. */
export function NotFound({ title, children, action }: NotFoundProps) {
  const words = useWords()
  return (
    <Panel title={title ?? words.notFoundTitle}>
      <EmptyState action={action}>{children ?? words.gone}</EmptyState>
    </Panel>
  )
}

interface NoPermissionProps {
  /** The one that is missing, in words; without it: all of them. */
  readonly right?: string | undefined
  readonly action?: ReactNode
}

/** The page is there, but not for everybody. */
export function NoPermission({ right, action }: NoPermissionProps) {
  const words = useWords()
  return (
    <Panel title={words.noPermissionTitle}>
      <EmptyState action={action}>
        {right === undefined ? words.organisersOnly : words.needs(right)}
      </EmptyState>
    </Panel>
  )
}
