import type { ReactNode } from 'react'
import { RequestFailure } from '../../api/failure.ts'
import type { Trouble } from '../../api/use-failure.ts'
import { useErrorText } from '../../text/errors.ts'
import { useFormat } from '../../text/format.ts'
import { ErrorState } from '../../ui/states/messages.tsx'

interface AwaitedProps {
  readonly trouble: Trouble
  /** What holds the place while nothing has failed. */
  readonly children: ReactNode
}

/** Stands where something is not here yet: a skeleton, or why it does not come. */
export function Awaited({ trouble: { failure, retry }, children }: AwaitedProps) {
  const errorText = useErrorText()
  const format = useFormat()
  if (!(failure instanceof RequestFailure)) return children
  return (
    <ErrorState onRetry={retry} kind={failure.kind} requestedAt={format.time(failure.askedAt)}>
      {errorText(failure)}
    </ErrorState>
  )
}
