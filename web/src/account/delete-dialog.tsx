import type { ReactNode } from 'react'
import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query'
import { FailureLine } from './failure-line.tsx'
import { Confirm } from '../ui/layers/confirm.tsx'
import { announce } from '../ui/announcer.tsx'
import { useFailureMessage } from '../layout/use-failure-message.ts'
import { accountMessages } from '../text/en/account.ts'
import { useMessages } from '../text/messages.ts'

interface DeleteDialogProps {
  readonly title: string
  readonly about: string
  /** Announced to screen readers after it is deleted. */
  readonly deleted: string
  /** Has to be typed first. */
  readonly word?: string
  readonly request: () => Promise<{ kind: string; message: string }>
  /** Read again afterwards, also after a failure. */
  readonly queryKey: QueryKey
  readonly onClose: () => void
  /** Below the text. */
  readonly children?: ReactNode
}

/** Asks before it deletes something, and stays open with the reason if that fails. */
export function DeleteDialog({
  about,
  deleted,
  request,
  queryKey,
  onClose,
  children,
  ...confirm
}: DeleteDialogProps) {
  const text = useMessages(accountMessages)
  const failureMessage = useFailureMessage()
  const queries = useQueryClient()
  const deletion = useMutation({
    mutationFn: () => failureMessage(request()),
    onSuccess: async (failure) => {
      await queries.invalidateQueries({ queryKey })
      if (failure !== null) return
      announce(deleted)
      onClose()
    },
  })
  return (
    <Confirm
      open
      onClose={onClose}
      onConfirm={() => deletion.mutate()}
      action={text.delete}
      busy={deletion.isPending}
      {...confirm}
    >
      <p>{about}</p>
      {children}
      <FailureLine>{deletion.data ?? undefined}</FailureLine>
    </Confirm>
  )
}
