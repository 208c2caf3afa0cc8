import { useEffect, useMemo } from 'react'
import { serverNow, useTimed } from '../../state/clock.ts'
import { useStore } from '../../state/store.ts'
import type { Challenge } from '../../challenge/challenge.ts'
import { keepOfList, listMemory } from './list-memory.ts'
import { isSameSeen, newOf, withSeen, type Seen } from './seen.ts'

const NOTHING: Seen = {}

/** When challenges appeared in this browser, and which of them are new. */
export function useSeen(challenges: readonly Challenge[]) {
  const seen = useStore(listMemory).seen ?? NOTHING
  useEffect(() => {
    const before = listMemory.read().seen
    const next = withSeen(
      before,
      challenges.map(({ id }) => id),
      serverNow(),
    )
    if (!isSameSeen(before, next)) keepOfList({ seen: next })
  }, [challenges])
  const fresh = useTimed((now) => JSON.stringify(newOf(seen, now)))
  return { seen, fresh: useMemo(() => new Set<string>(JSON.parse(fresh)), [fresh]) }
}
