import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWhy } from '../../layout/organiser-list/use-why.ts'
import { useToasts } from '../../ui/layers/toasts.tsx'
import { teamsKey } from './queries.ts'

/** One deed at a time: whether it is underway, why the last failed, and the list read anew when one is done. */
export function useDeed() {
  const why = useWhy()
  const toasts = useToasts()
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  /** Gives back whether it is done. */
  const run = async (asked: Promise<{ kind: string; message: string }>, said?: string): Promise<boolean> => {
    setBusy(true)
    setFailure(null)
    const reason = await why(asked)
    setBusy(false)
    setFailure(reason)
    if (reason === null && said !== undefined) toasts.show(said, 'ok')
    await client.invalidateQueries({ queryKey: teamsKey })
    return reason === null
  }
  return { busy, failure, run }
}
