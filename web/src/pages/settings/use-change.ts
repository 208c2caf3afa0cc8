import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { accountWords } from '../../account/words.ts'
import { isGood } from '../../api/client.ts'
import { ownTeamQuery } from '../../api/queries.ts'
import { useWait } from '../../state/use-wait.ts'
import { useText } from '../../text/catalogue.ts'
import { useErrorText } from '../../text/errors.ts'

interface Answer {
  readonly kind: string
  readonly message: string
  readonly data?: unknown
}

export type Change = ReturnType<typeof useChange>

/** Sends one section's changes. What comes of it is told in the section: done, refused, or no answer. */
export function useChange() {
  const account = useText(accountWords)
  const errorText = useErrorText('change')
  const queryClient = useQueryClient()
  const [failure, setFailure] = useState<string>()
  const [done, setDone] = useState<string>()
  const wait = useWait()
  const [isBusy, setBusy] = useState(false)

  /** Gives back a good answer; null for every other, which is told already. */
  const run = async <A extends Answer>(ask: () => Promise<A>, said: string) => {
    setFailure(undefined)
    setDone(undefined)
    setBusy(true)
    try {
      const answer = await ask()
      if (isGood(answer)) {
        setDone(said)
        await queryClient.invalidateQueries({ queryKey: ownTeamQuery.queryKey })
        return answer
      }
      if (!wait.begin(answer)) setFailure(errorText(answer))
    } catch {
      setFailure(account.noAnswer)
    } finally {
      setBusy(false)
    }
    return null
  }
  return { run, failure, setFailure, done, waitS: wait.leftS, isBusy }
}
