import { completeVerification, resendVerification } from '@pennant/contract/admin-verifications.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { useJob } from '../../layout/organiser-list/bulk.tsx'
import { useWhy } from '../../layout/organiser-list/use-why.ts'
import { useText } from '../../text/catalogue.ts'
import { useToasts } from '../../ui/layers/toasts.tsx'
import { verificationsQuery, type Verification } from './queries.ts'
import { words } from './words.ts'

/** What an organiser may do to waiting registrations. The list is read anew after each. */
export function useDeeds() {
  const text = useText(words)
  const why = useWhy()
  const toasts = useToasts()
  const client = useQueryClient()
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  const refetch = () => void client.invalidateQueries({ queryKey: verificationsQuery.queryKey })
  const job = useJob<Verification>(refetch)

  const completeOne = ({ id }: Verification) => why(send(completeVerification, { params: { id } }))
  const single = async ({ id, name }: Verification, deed: Promise<string | null>, said: string) => {
    setBusy((old) => new Set([...old, id]))
    const failure = await deed
    setBusy((old) => new Set([...old].filter((other) => other !== id)))
    toasts.show(failure === null ? said : text.failed(name, failure), failure === null ? 'ok' : 'bad')
    refetch()
  }
  return {
    busy,
    dialog: job.dialog,
    complete: (row: Verification) => single(row, completeOne(row), text.completed(row.name)),
    resend: (row: Verification) =>
      single(row, why(send(resendVerification, { params: { id: row.id } })), text.resent(row.name)),
    completeAll: (items: readonly Verification[]) =>
      void job.start({ title: text.completing, items, deed: completeOne }),
  }
}
