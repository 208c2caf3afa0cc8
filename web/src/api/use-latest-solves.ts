import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { isIdle } from '../state/activity.ts'
import { useTimed } from '../state/clock.ts'
import { streamedSince } from '../state/stream.ts'
import { latestSolvesQuery, ownTeamQuery } from './queries.ts'
import { isTeamStale, type LatestSolves } from './new-solves.ts'
import { useOwnTeam, usePhase } from './use-contest.ts'

/**
 * Usually answered with 304: with the jitter and one more read, a solve is shown within five seconds:
 * docs/reference/site.md#refresh-intervals
 */
const EVERY_MS = 3.5 * SECOND_MS
const IDLE_EVERY_MS = 15 * SECOND_MS
const ENDED_EVERY_MS = 120 * SECOND_MS

/** The latest solves of all teams, newest first; undefined until the response has arrived. */
export function useLatestSolves(): LatestSolves | undefined {
  return useLatest()?.solves
}

/** The latest first bloods, newest first; undefined until the response has arrived. */
export function useFirstBloods(): LatestSolves | undefined {
  return useLatest()?.firstBloods
}

function useLatest() {
  const phase = usePhase()
  const isUnused = useTimed(isIdle)
  const runningMs = isUnused ? IDLE_EVERY_MS : EVERY_MS
  const isOpen = phase === 'running' || phase === 'ended'
  return useQuery({
    ...latestSolvesQuery(phase === 'running' ? runningMs : ENDED_EVERY_MS),
    enabled: isOpen,
  }).data
}

/** Reads the scoreboard again after a new solve of any team, and the viewer's team after one by a team mate. */
export function useFollowSolves(): void {
  const queries = useQueryClient()
  const { team } = useOwnTeam()
  const solves = useLatestSolves()
  const known = useRef(solves)
  useEffect(() => {
    const before = known.current
    known.current = solves
    if (!before || !solves || before === solves) return
    // With a stream, every browser would do this in the same moment; it says when the scoreboard has changed.
    if (streamedSince.read() === null) void queries.invalidateQueries({ queryKey: ['board'] })
    if (team && isTeamStale(before, solves, team))
      void queries.invalidateQueries({ queryKey: ownTeamQuery.queryKey })
    // Once per change of the solves.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [solves])
}
