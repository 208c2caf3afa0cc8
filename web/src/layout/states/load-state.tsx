import type { ReactNode } from 'react'
import { isPassing, RequestFailure } from '../../api/failure.ts'
import type { Failure } from '../../api/use-failure.ts'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useErrorText, useFormat, useMessages } from '../../text/messages.ts'
import { ErrorState } from '../../ui/states/messages.tsx'
import { StatusNote } from '../status-link.tsx'

interface LoadStateProps {
  readonly failure: Failure
  /** Placeholder with the geometry of the result, while nothing has failed. */
  readonly children: ReactNode
}

/** Shown instead of data that is not loaded: the placeholder, or the error. */
export function LoadState({ failure: { error, retry }, children }: LoadStateProps) {
  const errorText = useErrorText()
  const format = useFormat()
  const frame = useMessages(frameMessages)
  if (!(error instanceof RequestFailure)) return children
  return (
    <ErrorState
      onRetry={retry}
      kind={error.kind}
      requestedAt={format.time(error.requestedAt)}
      requestId={error.requestId}
    >
      {errorText(error)} {isPassing(error) && <StatusNote />}
      {error.kind === 'badNoTeam' && <Link to={paths.join()}>{frame.join}</Link>}
    </ErrorState>
  )
}
