import type { BoardRowV2 } from '@pennant/contract/leaderboard.ts'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { z } from 'zod'
import { boardQuery, pageSize, type BoardFilter } from '../../api/queries.ts'
import { usePhase } from '../../api/use-contest.ts'
import type { Span } from '../../ui/data/rows-in-view.ts'
import { pagesOf } from './pages-of.ts'

export type BoardRow = z.output<typeof BoardRowV2>

/** Fast scrolling asks for nothing on the way. */
const SETTLE_MS = 120
const RUNNING_EVERY_MS = 15_000
const ENDED_EVERY_MS = 300_000
const START: Span = { from: 0, to: pageSize }

/** The standings as far as the eye is: pages of 25 are asked for where it rests, and only those are refreshed. */
export function useBoard(filter: BoardFilter, enabled: boolean) {
  const [looked, setLooked] = useState(START)
  const [span, setSpan] = useState(START)
  const everyMs = usePhase() === 'running' ? RUNNING_EVERY_MS : ENDED_EVERY_MS
  useEffect(() => {
    const timer = setTimeout(() => setSpan(looked), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [looked])
  const pages = pagesOf(span, pageSize)
  const results = useQueries({
    queries: pages.map((page) => ({ ...boardQuery({ ...filter, page, everyMs }), enabled })),
  })
  const loaded = new Map<number, readonly BoardRow[]>()
  for (const [at, { data, isPlaceholderData }] of results.entries()) {
    // Rows kept from before stand at other places than these.
    if (data && !isPlaceholderData) loaded.set(pages[at] ?? 0, data.leaderboard)
  }
  const total = useKeptTotal(filter, results.find(({ data }) => data)?.data?.total)
  return {
    total,
    rowAt: (index: number) => loaded.get(Math.floor(index / pageSize))?.[index % pageSize],
    onSpan: setLooked,
    updatedAt: Math.max(0, ...results.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    error: total === undefined ? (results.find(({ error }) => error)?.error ?? null) : null,
    retry: () => void Promise.all(results.map((result) => result.refetch())),
  }
}

/** Between two pages none may be here: the board must not lose its length, and with it where it stands. */
function useKeptTotal({ division = '', search = '' }: BoardFilter, known: number | undefined) {
  const key = `${division}\n${search}`
  const [kept, setKept] = useState<{ readonly key: string; readonly total: number } | null>(null)
  useEffect(() => {
    if (known !== undefined) setKept({ key, total: known })
  }, [key, known])
  return known ?? (kept?.key === key ? kept.total : undefined)
}
