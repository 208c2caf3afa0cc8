import { submitFlag } from '@pennant/contract/submissions.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ask, send } from '../../api/client.ts'
import { listSolvesV2 } from '@pennant/contract/challenges.ts'
import { ownKey, ownTeamQuery } from '../../api/queries.ts'
import { serverNow, useTimed } from '../../state/clock.ts'
import { useText } from '../../text/catalogue.ts'
import { useErrorText } from '../../text/errors.ts'
import { useFormat } from '../../text/format.ts'
import type { Challenge } from './list-rules.ts'
import { words } from './words.ts'

const SECOND_MS = 1000
/** Site specification 2.5: so long after a right flag the lists are read anew, spread by as much again. */
const REFETCH_AFTER_MS = 250
const REFETCH_SPREAD_MS = 500

export interface Outcome {
  readonly tone: 'ok' | 'bad' | 'warn'
  readonly text: string
}

/** Sends flags for one challenge, one at a time, and keeps in words what came of the last. */
export function useSubmission(challenge: Challenge) {
  const text = useText(words)
  const errorText = useErrorText()
  const accepted = useAccepted(challenge)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [isSending, setSending] = useState(false)
  const [waitUntil, setWaitUntil] = useState(0)
  const underway = useRef(false)
  /** What was wrong before; the second press sends it all the same. */
  const wrong = useRef(new Set<string>())
  const asked = useRef<string | null>(null)
  const leftS = useTimed((now) => Math.max(0, Math.ceil((waitUntil - now) / SECOND_MS)))

  const submit = async (flag: string) => {
    if (underway.current || leftS > 0) return
    if (wrong.current.has(flag) && asked.current !== flag) {
      asked.current = flag
      return setOutcome({ tone: 'warn', text: text.tried })
    }
    asked.current = null
    underway.current = true
    setSending(true)
    setOutcome(null)
    try {
      const answer = await send(submitFlag, { params: { id: challenge.id }, body: { flag } })
      if (answer.kind === 'goodFlag' || answer.kind === 'badAlreadySolvedChallenge') {
        setOutcome(await accepted(answer.kind === 'goodFlag'))
        return
      }
      if (answer.kind === 'badFlag') wrong.current.add(flag)
      if (answer.kind === 'badRateLimit') {
        // The countdown says it, and ends by itself.
        setWaitUntil(serverNow() + (answer.data?.timeLeft ?? SECOND_MS))
        return
      }
      setOutcome({ tone: 'bad', text: errorText(answer) })
    } catch {
      // A repeat is safe: a solve counts once.
      setOutcome({ tone: 'warn', text: text.lost })
    } finally {
      underway.current = false
      setSending(false)
    }
  }
  return { submit, outcome, isSending, waitText: leftS > 0 ? text.wait(String(leftS)) : null }
}

/** What follows a solve: it is told with the place, and every list learns of it soon. */
function useAccepted(challenge: Challenge) {
  const text = useText(words)
  const format = useFormat()
  const queries = useQueryClient()
  return async (isNew: boolean): Promise<Outcome> => {
    const { id, points } = challenge
    setTimeout(
      () => {
        void queries.invalidateQueries({ queryKey: ownTeamQuery.queryKey })
        void queries.invalidateQueries({ queryKey: [ownKey, 'solves', id] })
        void queries.invalidateQueries({ queryKey: ['challenges'] })
      },
      REFETCH_AFTER_MS + REFETCH_SPREAD_MS * Math.random(),
    )
    if (!isNew) return { tone: 'ok', text: text.solvedAlready }
    const said = text.correct(format.number(points))
    const query = { limit: '1', offset: '0' }
    const position = await ask(listSolvesV2, { params: { id }, query }, { asTeam: true })
      .then((solves) => solves.mySolvePosition)
      // The flag was right: that the place is not known changes nothing.
      .catch(() => null)
    if (typeof position !== 'number') return { tone: 'ok', text: said }
    const blood = text.blood[position - 1]
    return { tone: 'ok', text: `${said} ${blood ?? text.position(text.ordinal(position))}` }
  }
}
