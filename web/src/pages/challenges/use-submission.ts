import { submitFlag } from '@pennant/contract/submissions.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { send } from '../../api/client.ts'
import { configQuery } from '../../api/queries.ts'
import { serverNow } from '../../state/clock.ts'
import { useStore } from '../../state/store.ts'
import { useText } from '../../text/catalogue.ts'
import { useErrorText } from '../../text/errors.ts'
import type { Challenge } from '../../challenge/challenge.ts'
import { words } from '../../challenge/words.ts'
import { flagMemories, keepTries, keepWrong, memoryOf } from './flag-memory.ts'
import { withTry, withWait } from './tries.ts'
import { useAccepted } from './use-accepted.ts'

const SECOND_MS = 1000

export interface Outcome {
  readonly tone: 'ok' | 'bad' | 'warn'
  readonly text: string
  /** From 1, of who solved it first. */
  readonly blood?: number
}

type Sent = 'wrong' | 'other'

/** Sends flags for one challenge, one at a time, and keeps in words what came of the last. */
export function useSubmission(challenge: Challenge) {
  const { id } = challenge
  const text = useText(words)
  const errorText = useErrorText()
  const accepted = useAccepted(challenge)
  const queries = useQueryClient()
  const { tries, wrong } = memoryOf(useStore(flagMemories), id)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [work, setWork] = useState<'sending' | 'locked' | null>(null)
  const underway = useRef(false)
  // A repeat is safe: a solve counts once.
  const lost: Outcome = { tone: 'warn', text: text.lost }
  /** A known wrong one that was told of: the second press sends it all the same. */
  const asked = useRef<string | null>(null)

  const deliver = async (flag: string): Promise<Sent> => {
    const answer = await send(submitFlag, { params: { id }, body: { flag } })
    const now = serverNow()
    switch (answer.kind) {
      case 'goodFlag':
      case 'badAlreadySolvedChallenge':
        await accepted(answer.kind === 'goodFlag', setOutcome)
        return 'other'
      case 'badRateLimit':
        // The countdown says it, and ends by itself.
        keepTries(id, withWait(answer.data?.timeLeft ?? SECOND_MS, now))
        return 'other'
      case 'badFlag':
        keepWrong(id, flag)
        keepTries(id, withTry(tries, now))
        setOutcome({ tone: 'bad', text: errorText(answer) })
        return 'wrong'
      case 'badEnded':
      case 'badNotStarted':
        setOutcome({ tone: 'bad', text: errorText(answer) })
        setWork('locked')
        // Our clock, or the times that we know, are wrong.
        await queries.refetchQueries({ queryKey: configQuery.queryKey })
        return 'other'
      default: {
        const isLost = answer.kind.startsWith('error')
        setOutcome(isLost ? lost : { tone: 'bad', text: errorText(answer) })
        return 'other'
      }
    }
  }

  const submit = async (flag: string): Promise<Sent> => {
    if (underway.current || serverNow() < tries.waitUntil) return 'other'
    if (wrong.includes(flag) && asked.current !== flag) {
      asked.current = flag
      setOutcome({ tone: 'warn', text: text.tried })
      return 'wrong'
    }
    asked.current = null
    underway.current = true
    setWork('sending')
    setOutcome(null)
    try {
      return await deliver(flag)
    } catch {
      setOutcome(lost)
      return 'other'
    } finally {
      underway.current = false
      setWork(null)
    }
  }
  return { submit, outcome, tries, isSending: work === 'sending', isLocked: work !== null }
}
