import { completeVerification, resendVerification } from '@pennant/contract/admin-verifications.ts'
import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { useJob } from '../../organisers/bulk.tsx'
import { useFailureMessage } from '../../layout/use-failure-message.ts'
import { adminVerificationsMessages } from '../../text/en/admin-verifications.ts'
import { useMessages } from '../../text/messages.ts'
import { announce } from '../../ui/announcer.tsx'
import { verificationsQuery, type Verification } from './queries.ts'

const KEY = ['verification-action']

interface Action {
  readonly row: Verification
  /** Resolves with the failure, or null. */
  readonly outcome: Promise<string | null>
  readonly onDone: () => void
}

/** Actions on pending registrations, several at a time. The list is refetched after each one. */
export function useVerificationActions() {
  const text = useMessages(adminVerificationsMessages)
  const failureMessage = useFailureMessage()
  const [failure, setFailure] = useState<string>()
  const client = useQueryClient()
  const refetch = () => void client.invalidateQueries({ queryKey: verificationsQuery.queryKey })
  const job = useJob<Verification>(refetch)
  const action = useMutation({
    mutationKey: KEY,
    mutationFn: ({ outcome }: Action) => outcome,
    onMutate: () => setFailure(undefined),
    onSuccess: (reason, { row, onDone }) => {
      if (reason === null) onDone()
      else setFailure(text.failed(row.name, reason))
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
    /** Of the last action. */
    failure,
    dialog: job.dialog,
    complete: (row: Verification) =>
      action.mutate({ row, outcome: completeOne(row), onDone: () => announce(text.completed(row.name)) }),
    resend: (row: Verification, onDone: () => void) =>
      action.mutate({ row, outcome: resendOne(row), onDone }),
    completeAll: (items: readonly Verification[]) =>
      job.start({ title: text.completing, items, run: completeOne }),
  }
}
