import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAction, type ActionResult } from '../../account/use-action.ts'
import { ownTeamQuery } from '../../api/queries.ts'

export type Change = ReturnType<typeof useChange>

/** Saves one section and reports the result in the section: done, rejected, or no response. */
export function useChange() {
  const action = useAction()
  const queryClient = useQueryClient()
  const [done, setDone] = useState<string>()
  /** Returns a successful response; null for all others, which are already reported. */
  const run = <A extends ActionResult>(request: () => Promise<A>, said: string) => {
    setDone(undefined)
    return action.run(request, () => {
      setDone(said)
      return queryClient.invalidateQueries({ queryKey: ownTeamQuery.queryKey })
    })
  }
  return { ...action, run, done }
}
