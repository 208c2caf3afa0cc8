import type { BoardRowV2 } from '@pennant/contract/leaderboard.ts'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import { kindOf } from '../../api/failure.ts'
import { boardQuery, pageSize, type BoardFilter } from '../../api/queries.ts'
import { useTrouble } from '../../api/use-failure.ts'
import { useGate, usePhase } from '../../api/use-contest.ts'
import type { Span } from '../../ui/data/rows-in-view.ts'
import { useRested } from '../../ui/use-rested.ts'
import { pagesOf } from './pages-of.ts'
import { changesOf, type Change } from './row-changes.ts'

export type BoardRow = z.output<typeof BoardRowV2>
export type Board = ReturnType<typeof useBoard>

/** Fast scrolling asks for nothing on the way. */
const SETTLE_MS = 120
const RUNNING_EVERY_MS = 15_000
const ENDED_EVERY_MS = 300_000
/** Site specification 2.9: of the pages that were seen, so many stay. */
const MOST_KEPT = 40

/** The standings as far as the eye is: pages of 25 are asked for where it rests, and only those are refreshed. */
export function useBoard(filter: BoardFilter, startRow: number) {
  const { isOpen, isEarly } = useGate('leaderboardRead')
  const queryClient = useQueryClient()
  const [visible, setVisible] = useState<Span>({ from: startRow, to: startRow + 1 })
  const rested = useRested(visible, SETTLE_MS)
  const everyMs = usePhase() === 'running' ? RUNNING_EVERY_MS : ENDED_EVERY_MS
  const queryOf = (page: number) => boardQuery({ ...filter, page, everyMs, bypass: isEarly })
  const pages = pagesOf(rested, pageSize)
  const results = useQueries({ queries: pages.map((page) => ({ ...queryOf(page), enabled: isOpen })) })
  const loaded = results.flatMap(({ data, dataUpdatedAt, isPlaceholderData }, at) =>
    // Rows kept from before stand at other places than these.
    data && !isPlaceholderData ? [{ page: pages[at] ?? 0, rows: data.leaderboard, dataUpdatedAt }] : [],
  )
  const total = useKeptTotal(filter, results.find(({ data }) => data)?.data?.total)
  // Site specification 2.9: what is asked for too fast waits without a word, as long as it is tried again.
  const failed = results.find(
    ({ failureReason, error }) => error ?? (failureReason && kindOf(failureReason) !== 'badRateLimit'),
  )
  const trouble = useTrouble({
    data: total,
    error: failed?.error ?? null,
    failureReason: failed?.failureReason ?? null,
  })
  useForgetting()
  return {
    total,
    rowAt(index: number): BoardRow | undefined {
      const page = Math.floor(index / pageSize)
      const rows =
        loaded.find((each) => each.page === page)?.rows ??
        queryClient.getQueryData(queryOf(page).queryKey)?.leaderboard
      return rows?.[index % pageSize]
    },
    placeOf: (row: BoardRow) => (filter.division === undefined ? row.globalPlace : row.divisionPlace),
    changeOf: useChanges(filter, loaded),
    visible,
    /** Where the eye came to rest. */
    rested,
    onVisible: setVisible,
    updatedAt: Math.max(0, ...results.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    trouble,
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

/** Lets go of the pages that were seen longest ago. */
function useForgetting(): void {
  const cache = useQueryClient().getQueryCache()
  useEffect(
    () =>
      cache.subscribe(({ type }) => {
        if (type !== 'added') return
        const idle = cache.findAll({ queryKey: ['board'], type: 'inactive' })
        const oldest = idle.sort((left, right) => left.state.dataUpdatedAt - right.state.dataUpdatedAt)
        for (const query of oldest.slice(0, -MOST_KEPT)) cache.remove(query)
      }),
    [cache],
  )
}

interface LoadedPage {
  readonly page: number
  readonly rows: readonly BoardRow[]
  readonly dataUpdatedAt: number
}

/** What the last refresh changed, by row. */
function useChanges({ division }: BoardFilter, loaded: readonly LoadedPage[]) {
  const [changes, setChanges] = useState<ReadonlyMap<string, Change>>(new Map())
  const seen = useRef(new Map<number, number>())
  // The places of a division are not those of the whole.
  const idOf = (row: BoardRow) => `${division ?? ''} ${row.id}`
  useEffect(() => {
    const fresh = loaded.filter(({ page, dataUpdatedAt }) => seen.current.get(page) !== dataUpdatedAt)
    if (fresh.length === 0) return
    seen.current = new Map(loaded.map(({ page, dataUpdatedAt }) => [page, dataUpdatedAt]))
    const standings = fresh.flatMap(({ rows }) =>
      rows.map((row) => ({
        id: idOf(row),
        place: (division === undefined ? row.globalPlace : row.divisionPlace) ?? 0,
        score: row.score,
      })),
    )
    setChanges((now) => changesOf(now, standings))
  })
  return (row: BoardRow): Change | undefined => changes.get(idOf(row))
}
