import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query'
import { useFailureMessage } from '../layout/use-failure-message.ts'
import { announce } from '../ui/announcer.tsx'

/** Awaits the response of one action at a time, keeps its error message, and refetches what it may have changed. */
export function useListAction(queryKey: QueryKey) {
  const client = useQueryClient()
  const action = useMutation({ mutationFn: useFailureMessage() })
  /** Returns whether the action succeeded. */
  const run = async (
    response: Promise<{ kind: string; message: string }>,
    done?: string,
  ): Promise<boolean> => {
    const failure = await action.mutateAsync(response)
    if (failure === null && done !== undefined) announce(done)
    await client.invalidateQueries({ queryKey })
    return failure === null
  }
  return { isPending: action.isPending, failure: action.data ?? null, run }
}
