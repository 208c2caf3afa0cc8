import type { ReactNode } from 'react'
import { Button } from '../buttons/button.tsx'
import { cx } from '../cx.ts'
import { useUiMessages } from '../ui-messages.ts'
import { Panel } from './panel.tsx'
import styles from './states.module.css'

interface EmptyStateProps {
  /** One sentence. */
  readonly children: ReactNode
  /** The next step: one link or button. */
  readonly action: ReactNode
}

interface EmptyPartProps {
  readonly children: ReactNode
  /** Not needed if the next step follows, or belongs to the whole page. */
  readonly action?: ReactNode
  /** A plot, or one list of several. */
  readonly isPart: true
}

/** An empty list or page; not an error. Each has a next step. */
export function EmptyState(props: EmptyStateProps | EmptyPartProps) {
  return (
    <div className={cx(styles.message, 'isPart' in props && styles.part)}>
      <p>{props.children}</p>
      {props.action}
    </div>
  )
}

interface ErrorStateProps {
  /** What failed, as text. */
  readonly children?: ReactNode
  readonly onRetry?: () => void
  readonly isRetrying?: boolean
  /** For bug reports: the kind of the response, the time of the request and its id in the server's log. */
  readonly kind?: string
  readonly requestedAt?: string
  readonly requestId?: string | null
}

/** A region without content because its request failed. */
export function ErrorState({ children, onRetry, isRetrying = false, ...report }: ErrorStateProps) {
  const messages = useUiMessages()
  const { kind, requestedAt, requestId } = report
  const small = [
    kind,
    requestedAt && messages.requestTime(requestedAt),
    requestId && messages.requestId(requestId),
  ]
  return (
    <div role="alert" className={cx(styles.panel, styles.message, styles.error)}>
      <p>{children ?? messages.loadFailed}</p>
      {onRetry && (
        <Button onClick={onRetry} busy={isRetrying}>
          {messages.tryAgain}
        </Button>
      )}
      {small.some(Boolean) && <p className={styles.small}>{small.filter(Boolean).join(' · ')}</p>}
    </div>
  )
}

interface NotFoundProps {
  readonly title?: string
  readonly children?: ReactNode
  /** Another way to continue, such as a link to the list. */
  readonly action: ReactNode
}

/** The page does not exist, or this visitor is not allowed to see it. */
export function NotFound({ title, children, action }: NotFoundProps) {
  const messages = useUiMessages()
  return (
    <Panel title={title ?? messages.notFoundTitle}>
      <EmptyState action={action}>{children ?? messages.gone}</EmptyState>
    </Panel>
  )
}

interface NoPermissionProps {
  /** The missing permission as text; if not given, all of them. */
  readonly right?: string | undefined
  readonly action: ReactNode
}

/** The page exists, but the visitor lacks the permission. */
export function NoPermission({ right, action }: NoPermissionProps) {
  const messages = useUiMessages()
  return (
    <NotFound title={messages.noPermissionTitle} action={action}>
      {right === undefined ? messages.organisersOnly : messages.needs(right)}
    </NotFound>
  )
}
