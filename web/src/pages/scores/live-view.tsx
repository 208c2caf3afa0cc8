import { createContext, use, useState, type ReactNode } from 'react'
import { getLiveGraph, getLiveLeaderboard } from '@pennant/contract/leaderboard.ts'
import { queryOptions } from '@tanstack/react-query'
import { ask } from '../../api/client.ts'
import { boardQuery, graphQuery, OWN_KEY, PAGE_SIZE } from '../../api/queries.ts'
import { useMay } from '../../api/use-contest.ts'
import { FrozenNotice, useIsFrozen } from '../../layout/frozen-notice.tsx'
import { freezeMessages } from '../../text/en/freeze.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'

// Organisers may look at the standings as they are while players see frozen ones: docs/reference/freeze.md

const LiveView = createContext(false)

/** Whether the scoreboard shows the standings as they are. */
export function useLiveView(): boolean {
  return use(LiveView)
}

/** The notice about the freeze above the scoreboard, with a switch for organisers. */
export function LiveViewSwitch({ children }: { readonly children: ReactNode }) {
  const text = useMessages(freezeMessages)
  const [isWanted, setWanted] = useState(false)
  const mayRead = useMay('leaderboardRead')
  const isLive = useIsFrozen() && mayRead && isWanted
  const toggle = mayRead && (
    <Button onClick={() => setWanted(!isLive)}>{isLive ? text.showFrozen : text.showLive}</Button>
  )
  return (
    <LiveView value={isLive}>
      <FrozenNotice>
        <span>{isLive ? text.liveNow : text.others}</span>
        {toggle}
      </FrozenNotice>
      {children}
    </LiveView>
  )
}

type Board = Parameters<typeof boardQuery>[0]
type Lines = Parameters<typeof graphQuery>[0]

/** As `boardQuery`. Searches and pages are those of the public scoreboard. */
export function liveBoardQuery(board: Board) {
  const { page, division, search, limit = PAGE_SIZE } = board
  const query = {
    limit: String(limit),
    offset: String(page * limit),
    ...(division && { division }),
    ...(search && { search }),
  }
  return queryOptions({
    ...boardQuery(board),
    queryKey: [OWN_KEY, 'board', 'live', { division, search, limit }, page],
    queryFn: ({ signal }) => ask(getLiveLeaderboard, { query }, { signal }),
  })
}

/** As `graphQuery`. */
export function liveGraphQuery(wanted: Lines) {
  const { division, offset = 0, limit = 10 } = wanted
  const query = {
    limit: String(limit),
    offset: String(offset),
    sample: 'fine' as const,
    ...(division && { division }),
  }
  return queryOptions({
    ...graphQuery(wanted),
    queryKey: [OWN_KEY, 'graph', 'live', { division, offset, limit }],
    queryFn: ({ signal }) => ask(getLiveGraph, { query }, { signal }),
  })
}
