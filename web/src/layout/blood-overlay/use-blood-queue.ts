import { useEffect, useRef, useState } from 'react'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { newFirstBloods, type LatestSolves } from '../../api/new-solves.ts'
import { serverNow } from '../../state/clock.ts'

/** How long a first blood is shown. */
const SHOWN_MS = 7 * SECOND_MS
/** With more at once, e.g. after a reconnection, the older ones are only in the lists. */
const MAX_WAITING = 3

/** The first blood to show now: each new one for some seconds, one after the other. */
export function useBloodQueue(solves: LatestSolves | undefined): LatestSolves[number] | undefined {
  const known = useRef(solves)
  const [queue, setQueue] = useState<LatestSolves>([])
  useEffect(() => {
    const before = known.current
    known.current = solves
    if (!before || !solves) return
    const fresh = newFirstBloods(before, solves, { teamId: undefined, now: serverNow() })
    if (fresh.length > 0) setQueue((waiting) => [...waiting, ...fresh.toReversed()].slice(-MAX_WAITING))
  }, [solves])
  const shown = queue[0]
  useEffect(() => {
    if (!shown) return
    const timer = setTimeout(() => setQueue((waiting) => waiting.filter((each) => each !== shown)), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [shown])
  return shown
}
