import { listSolvesV2 } from '@pennant/contract/challenges.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { requestData, send } from '../../../api/client.ts'
import { configQuery, OWN_KEY, ownProfileQuery, ownTeamQuery } from '../../../api/queries.ts'
import { serverNow } from '../../../state/clock.ts'
import { preference } from '../../../state/preferences.ts'
import { play } from '../../../state/sounds.ts'
import { useStore } from '../../../state/store.ts'
import { challengesMessages } from '../../../text/en/challenges.ts'
import { invisibleIn } from '../../../text/invisible.ts'
import type { Challenge } from '../../../challenge/challenge.ts'
import { useErrorText, useMessages } from '../../../text/messages.ts'
import { flagMemories, storeTries, storeWrongFlag, memoryOf } from './flag-memory.ts'
import { withTry, withWait } from './tries.ts'

/**
 * Delay after a correct flag before the lists are read again, and the random spread added to it:
 * docs/reference/site.md#refresh-intervals
 */
const REFETCH_AFTER_MS = 250
const REFETCH_SPREAD_MS = 500
/** How many kinds of invisible characters a warning names. */
const MAX_NAMED = 3
const LISTS = [ownTeamQuery.queryKey, ['challenges'], ['board-challenges'], ['board']] as const

export interface Outcome {
  readonly tone: 'ok' | 'bad' | 'warn'
  readonly text: string
  /** Position of the team's solve among all solves of the challenge, from 1. */
  readonly place?: number
  /** What the solve counts for the team, in points. */
  readonly points?: number
  /** The team's rank before and after the solve. */
  readonly ranks?: { readonly from: number; readonly to: number }
}

type Sent = 'wrong' | 'other'

/** Submits flags for one challenge, one at a time, and keeps the last result as text. */
export function useSubmission(challenge: Challenge) {
  const { id } = challenge
  const text = useMessages(challengesMessages)
  const errorText = useErrorText()
  const accepted = useAccepted(challenge)
  const queries = useQueryClient()
  const { tries, wrong } = memoryOf(useStore(flagMemories), id)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [work, setWork] = useState<'sending' | 'locked' | null>(null)
  const running = useRef(false)
  // Retrying is safe: a solve counts once.
  const lost: Outcome = { tone: 'warn', text: text.unconfirmed }
  /** A flag that the user was warned about: a second click submits it anyway. */
  const asked = useRef<string | null>(null)

  const deliver = async (flag: string): Promise<Sent> => {
    const response = await send(submitFlag, { params: { id }, body: { flag } })
    const now = serverNow()
    switch (response.kind) {
      case 'goodFlag':
      case 'badAlreadySolvedChallenge':
        await accepted(response.kind === 'goodFlag', setOutcome)
        return 'other'
      case 'badRateLimit':
        // The countdown shows this and clears itself.
        storeTries(id, withWait(response.data?.timeLeft ?? SECOND_MS, now))
        return 'other'
      case 'badFlag':
        storeWrongFlag(id, flag)
        storeTries(id, withTry(tries, now))
        setOutcome({ tone: 'bad', text: errorText(response) })
        return 'wrong'
      case 'badEnded':
      case 'badNotStarted':
        setOutcome({ tone: 'bad', text: errorText(response) })
        setWork('locked')
        // The browser clock or the cached event times are wrong.
        await queries.refetchQueries({ queryKey: configQuery.queryKey })
        return 'other'
      default: {
        const isLost = response.kind.startsWith('error')
        setOutcome(isLost ? lost : { tone: 'bad', text: errorText(response) })
        return 'other'
      }
    }
  }

  const submit = async (flag: string): Promise<Sent> => {
    if (running.current || serverNow() < tries.waitUntil) return 'other'
    if (asked.current !== flag) {
      const hidden = invisibleIn(flag)
      const isKnown = wrong.includes(flag)
      if (isKnown || hidden.length > 0) {
        asked.current = flag
        const because = isKnown ? text.alreadyTried : text.invisible(hidden.slice(0, MAX_NAMED).join(', '))
        setOutcome({ tone: 'warn', text: because })
        return isKnown ? 'wrong' : 'other'
      }
    }
    asked.current = null
    running.current = true
    setWork('sending')
    setOutcome(null)
    try {
      return await deliver(flag)
    } catch {
      setOutcome(lost)
      return 'other'
    } finally {
      running.current = false
      setWork(null)
    }
  }
  const clear = () => setOutcome(null)
  return { submit, clear, outcome, tries, isSending: work === 'sending', isLocked: work !== null }
}

/**
 * After a solve: marks it immediately, shows the points that the team got and its position, and refreshes the
 * lists soon after.
 */
export function useAccepted({ id }: Pick<Challenge, 'id'>) {
  const text = useMessages(challengesMessages)
  const queries = useQueryClient()
  return async (isNew: boolean, tell: (outcome: Outcome) => void): Promise<void> => {
    const said = { tone: 'ok', text: isNew ? text.correct : text.solvedAlready } as const
    tell(said)
    if (isNew && preference('sound') === true) play('solve')
    const rankBefore = queries.getQueryData(ownTeamQuery.queryKey)?.globalPlace
    // A read that began before the solve would overwrite it.
    await queries.cancelQueries({ queryKey: ownTeamQuery.queryKey })
    queries.setQueryData(ownTeamQuery.queryKey, (team) => {
      if (!team || team.solves.some((solve) => solve.id === id)) return team
      return { ...team, solves: [{ id, createdAt: Date.now(), bloodIndex: null }, ...team.solves] }
    })
    const refetch = () => {
      for (const queryKey of [...LISTS, [OWN_KEY, 'solves', id]]) void queries.invalidateQueries({ queryKey })
    }
    setTimeout(refetch, REFETCH_AFTER_MS + REFETCH_SPREAD_MS * Math.random())
    // The flag is correct even if these cannot be loaded.
    const [team, place] = await Promise.all([
      queries.fetchQuery({ ...ownProfileQuery, staleTime: 0, retry: false }).catch(() => undefined),
      isNew
        ? requestData(listSolvesV2, { params: { id }, query: { limit: '1', offset: '0' } }, { asTeam: true })
            .then((response) => response.mySolvePosition ?? undefined)
            .catch(() => undefined)
        : undefined,
    ])
    const credited = team?.solves.find((solve) => solve.id === id)?.points ?? undefined
    const rankAfter = team?.globalPlace
    tell({
      ...said,
      ...(isNew && rankBefore && rankAfter && { ranks: { from: rankBefore, to: rankAfter } }),
      ...(credited !== undefined && { points: credited }),
      ...(place !== undefined && { place }),
    })
  }
}
