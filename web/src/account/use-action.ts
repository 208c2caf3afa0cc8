import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isGood } from '../api/client.ts'
import { useWait } from '../state/use-wait.ts'
import { accountMessages } from '../text/en/account.ts'
import { useErrorText, useMessages } from '../text/messages.ts'

export interface ActionResult {
  readonly kind: string
  readonly message: string
  readonly data?: unknown
}

interface Call {
  readonly send: () => Promise<ActionResult>
  readonly onGood: (() => Promise<unknown>) | undefined
}

/**
 * Runs one request at a time and reports what went wrong: rejected, rate-limited, or no response. `failures`: texts by
 * kind that only some pages need.
 */
export function useAction(
  request: 'once' | 'change' = 'change',
  failures: Readonly<Record<string, string>> = {},
) {
  const account = useMessages(accountMessages)
  const errorText = useErrorText(request)
  const [failure, setFailure] = useState<string>()
  const wait = useWait()
  const action = useMutation({
    mutationFn: async ({ send, onGood }: Call) => {
      const response = await send()
      if (isGood(response)) await onGood?.()
      return response
    },
  })
  /** Returns a successful response; null for all others, which are already reported. */
  const run = async <A extends ActionResult>(send: () => Promise<A>, onGood?: () => Promise<unknown>) => {
    setFailure(undefined)
    try {
      const response = (await action.mutateAsync({ send, onGood })) as A
      if (isGood(response)) return response
      if (!wait.begin(response)) setFailure(failures[response.kind] ?? errorText(response))
    } catch {
      setFailure(account.unconfirmed)
    }
    return null
  }
  return { run, failure, setFailure, waitS: wait.leftS, isPending: action.isPending }
}
