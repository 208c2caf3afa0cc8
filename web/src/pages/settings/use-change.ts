import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAction, type ActionResult } from '../../account/use-action.ts'
import { ownTeamQuery } from '../../api/queries.ts'

export type Change = ReturnType<typeof useChange>

/** Saves one section, confirms it, and reports in the section why it failed. */
export function useChange(failures?: Readonly<Record<string, string>>) {
  const action = useAction('change', failures)
  const queryClient = useQueryClient()
  /** What to do after the change. */
  const [next, setNext] = useState<string>()
  const refresh = () => queryClient.invalidateQueries({ queryKey: ownTeamQuery.queryKey })
  /** Returns a successful response; null for all others, which are already reported. */
  const run = async <A extends ActionResult>(request: () => Promise<A>, confirm: () => void) => {
    setNext(undefined)
    const response = await action.run(request, refresh)
    if (response) confirm()
    return response
  }
  return { ...action, run, next, setNext }
}
