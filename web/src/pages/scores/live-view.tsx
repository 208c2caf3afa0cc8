import { createContext, lazy, Suspense, use, useState, type ReactNode } from 'react'
import { getLiveGraph, getLiveLeaderboard } from '@pennant/contract/leaderboard.ts'
import { queryOptions } from '@tanstack/react-query'
import { requestData } from '../../api/client.ts'
import { boardQuery, graphQuery, OWN_KEY, PAGE_SIZE } from '../../api/queries.ts'
import { useConfig, useMay } from '../../api/use-contest.ts'
import { useTimed } from '../../state/clock.ts'

// Organisers may look at the standings as they are while players see frozen ones: docs/reference/freeze.md

// Lazy: few contests have a freeze.
const FrozenBar = lazy(async () => ({ default: (await import('./frozen-bar.tsx')).FrozenBar }))

const LiveView = createContext(false)

/** Whether the scoreboard shows the standings as they are. */
export function useLiveView(): boolean {
  return use(LiveView)
}

/** The notice about the freeze above the scoreboard, with a switch for organisers. Nothing without a freeze. */
export function LiveViewSwitch({ children }: { readonly children: ReactNode }) {
  const [isWanted, setWanted] = useState(false)
  const mayRead = useMay('leaderboardRead')
  const freezeTime = useConfig()?.freezeTime
  const isFrozen = useTimed((now) => freezeTime !== undefined && now >= freezeTime)
  const isLive = isFrozen && mayRead && isWanted
  return (
    <LiveView value={isLive}>
      {freezeTime !== undefined && (
        <Suspense>
          <FrozenBar isLive={isLive} onChange={mayRead ? setWanted : undefined} />
        </Suspense>
      )}
      {children}
    </LiveView>
  )
}

type Board = Parameters<typeof boardQuery>[0]
type Lines = Parameters<typeof graphQuery>[0]

/** As `boardQuery`. Searches and pages are those of the public scoreboard. */
export function liveBoardQuery(board: Board) {
  const { page, division, track, search, limit = PAGE_SIZE } = board
  const query = {
    limit: String(limit),
    offset: String(page * limit),
    ...(division && { division }),
    ...(track && { track }),
    ...(search && { search }),
  }
  return queryOptions({
    ...boardQuery(board),
    queryKey: [OWN_KEY, 'board', 'live', { division, track, search, limit }, page],
    queryFn: ({ signal }) => requestData(getLiveLeaderboard, { query }, { signal }),
  })
}

/** As `graphQuery`. */
export function liveGraphQuery(wanted: Lines) {
  const { division, track, offset = 0, limit = 10 } = wanted
  const query = {
    limit: String(limit),
    offset: String(offset),
    sample: 'fine' as const,
    ...(division && { division }),
    ...(track && { track }),
  }
  return queryOptions({
    ...graphQuery(wanted),
    queryKey: [OWN_KEY, 'graph', 'live', { division, track, offset, limit }],
    queryFn: ({ signal }) => requestData(getLiveGraph, { query }, { signal }),
  })
}
