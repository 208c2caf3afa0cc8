import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { newFirstBloods, type LatestSolves } from '../../api/new-solves.ts'
import { challengesQuery, latestSolvesQuery } from '../../api/queries.ts'
import { useOwnTeam } from '../../api/use-contest.ts'
import { serverNow } from '../../state/clock.ts'
import { usePreferences } from '../../state/preferences.ts'
import { play } from '../../state/sounds.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { useToasts } from '../../ui/layers/toasts.tsx'
import { CategoryMark } from '../../ui/marks/category-mark.tsx'

/** Later ones are only in the lists of the latest solves. */
const AT_MOST_EVERY_MS = MINUTE_MS

/**
 * Shows first bloods of other teams as toasts, unless switched off or shown large. Sends no request: it observes the latest
 * solves that the pages of the contest read.
 * @param showLarge called instead of a toast where the viewer prefers it.
 */
export function useBloodToasts(showLarge: (blood: LatestSolves[number]) => void): void {
  const text = useMessages(frameMessages)
  const format = useFormat()
  const queries = useQueryClient()
  const toasts = useToasts()
  const { firstBloods = true, bloodMoments, sound } = usePreferences()
  const { team } = useOwnTeam()
  const solves = useQuery({ ...latestSolvesQuery(MINUTE_MS), enabled: false }).data?.solves
  const known = useRef(solves)
  const shownAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const before = known.current
    known.current = solves
    if (!firstBloods || !before || !solves) return
    const [blood] = newFirstBloods(before, solves, { teamId: team?.id, now: serverNow() })
    if (!blood || Date.now() - shownAt.current < AT_MOST_EVERY_MS) return
    shownAt.current = Date.now()
    if (sound) play('firstBlood')
    if (bloodMoments) return showLarge(blood)
    const { challengeId, challengeName, category, userName } = blood
    const { points } =
      queries.getQueryData(challengesQuery().queryKey)?.find(({ id }) => id === challengeId) ?? {}
    const isOpen = team !== undefined && !team.solves.some(({ id }) => id === challengeId)
    const facts = [points !== undefined && text.points(format.number(points)), isOpen && text.youHaveNot]
    const note = (
      <>
        <CategoryMark name={category} size={14} />
        {facts.filter(Boolean).map((fact) => ` · ${String(fact)}`)}
      </>
    )
    toasts.show(text.solvedBy(userName, challengeName), 'blood', { title: text.firstBlood, note })
    // Once per change of the solves.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [solves])
}
