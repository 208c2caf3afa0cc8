import { completeVerification, resendVerification } from '@pennant/contract/admin-verifications.ts'
import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { send } from '../../api/client.ts'
import { useJob } from '../../organisers/bulk.tsx'
import { useFailureMessage } from '../../layout/use-failure-message.ts'
import { adminVerificationsMessages } from '../../text/en/admin-verifications.ts'
import { useMessages } from '../../text/messages.ts'
import { useToasts } from '../../ui/layers/toasts.tsx'
import { verificationsQuery, type Verification } from './queries.ts'

const KEY = ['verification-action']

interface Action {
  readonly row: Verification
  readonly failure: Promise<string | null>
  /** Message on success. */
  readonly done: string
}

/** Actions on pending registrations, several at a time. The list is refetched after each one. */
export function useVerificationActions() {
  const text = useMessages(adminVerificationsMessages)
  const failureMessage = useFailureMessage()
  const toasts = useToasts()
  const client = useQueryClient()
  const refetch = () => void client.invalidateQueries({ queryKey: verificationsQuery.queryKey })
  const job = useJob<Verification>(refetch)
  const action = useMutation({
    mutationKey: KEY,
    mutationFn: ({ failure }: Action) => failure,
    onSuccess: (failure, { row, done }) => {
      toasts.show(failure === null ? done : text.failed(row.name, failure), failure === null ? 'ok' : 'bad')
      refetch()
    },
  })
  const pendingIds = useMutationState({
    filters: { mutationKey: KEY, status: 'pending' },
    select: ({ state }) => (state.variables as Action).row.id,
  })
  const completeOne = ({ id }: Verification) => failureMessage(send(completeVerification, { params: { id } }))
  const resendOne = ({ id }: Verification) => failureMessage(send(resendVerification, { params: { id } }))
  return {
    pendingIds,
    dialog: job.dialog,
    complete: (row: Verification) =>
      action.mutate({ row, failure: completeOne(row), done: text.completed(row.name) }),
    resend: (row: Verification) =>
      action.mutate({ row, failure: resendOne(row), done: text.resent(row.name) }),
    completeAll: (items: readonly Verification[]) =>
      job.start({ title: text.completing, items, run: completeOne }),
  }
}
