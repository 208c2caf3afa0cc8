import type { BoardRowV2 } from '@pennant/contract/leaderboard.ts'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { z } from 'zod'
import { kindOf } from '../../api/failure.ts'
import { boardQuery, PAGE_SIZE, type BoardFilter } from '../../api/queries.ts'
import { useFailure } from '../../api/use-failure.ts'
import { useGate, usePhase } from '../../api/use-contest.ts'
import type { Span } from '../../ui/data/rows-in-view.ts'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import { liveBoardQuery, useLiveView } from './live-view.tsx'
import { pagesOf } from './pages-of.ts'
import { changesOf, type Change } from './table/row-changes.ts'

export type BoardRow = z.output<typeof BoardRowV2>
export type Board = ReturnType<typeof useBoard>

/** Debounce, so that fast scrolling does not load every page on the way. */
const SETTLE_MS = 120
const RUNNING_EVERY_MS = 15_000
const ENDED_EVERY_MS = 300_000
/** Maximum number of pages that stay cached while not shown: docs/reference/site.md#scoreboard */
const MAX_KEPT = 40

/**
 * The visible part of the scoreboard: pages of 25 rows are loaded where scrolling stops, and only those are
 * refreshed.
 */
export function useBoard(filter: BoardFilter, startRow: number) {
  const { isOpen, isEarly } = useGate('leaderboardRead')
  const queryClient = useQueryClient()
  const [visible, setVisible] = useState<Span>({ from: startRow, to: startRow + 1 })
  const rested = useDebouncedValue(visible, SETTLE_MS)
  const everyMs = usePhase() === 'running' ? RUNNING_EVERY_MS : ENDED_EVERY_MS
  const isLive = useLiveView()
  const queryOf = (page: number) =>
    isLive
      ? liveBoardQuery({ ...filter, page, everyMs })
      : boardQuery({ ...filter, page, everyMs, bypass: isEarly })
  const pages = pagesOf(rested, PAGE_SIZE)
  const results = useQueries({ queries: pages.map((page) => ({ ...queryOf(page), enabled: isOpen })) })
  const loaded = results.flatMap(({ data, dataUpdatedAt, isPlaceholderData }, at) =>
    // Placeholder rows belong to other positions.
    data && !isPlaceholderData ? [{ page: pages[at] ?? 0, rows: data.leaderboard, dataUpdatedAt }] : [],
  )
  const total = useKeptTotal(filter, results.find(({ data }) => data)?.data?.total)
  // A rate limit shows no error as long as the request is retried: docs/reference/site.md#scoreboard
  const failed = results.find(
    ({ failureReason, error }) => error ?? (failureReason && kindOf(failureReason) !== 'badRateLimit'),
  )
  const failure = useFailure({
    data: total,
    error: failed?.error ?? null,
    failureReason: failed?.failureReason ?? null,
  })
  useForgetting()
  return {
    total,
    /** A request was refused at least twice by the rate limit and is still being retried. */
    isLimited: results.some(
      ({ failureCount, failureReason }) =>
        failureCount > 1 && failureReason !== null && kindOf(failureReason) === 'badRateLimit',
    ),
    rowAt(index: number): BoardRow | undefined {
      const page = Math.floor(index / PAGE_SIZE)
      const rows =
        loaded.find((each) => each.page === page)?.rows ??
        queryClient.getQueryData(queryOf(page).queryKey)?.leaderboard
      return rows?.[index % PAGE_SIZE]
    },
    placeOf: (row: BoardRow) => (filter.division === undefined ? row.globalPlace : row.divisionPlace),
    /** Ranks gained in the last hour, in the shown list; undefined if the server does not know it. */
    movementOf: ({ trend }: BoardRow) =>
      filter.division === undefined ? trend?.globalPlaceChange : trend?.divisionPlaceChange,
    changeOf: useChanges(filter, loaded),
    visible,
    /** Visible rows after scrolling has stopped. */
    rested,
    onVisible: setVisible,
    updatedAt: Math.max(0, ...results.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    failure,
  }
}

/**
 * Keeps the total while no visible page is loaded; otherwise the list would collapse and lose its scroll
 * position.
 */
function useKeptTotal({ division = '', track = '', search = '' }: BoardFilter, known: number | undefined) {
  const key = `${division}\n${track}\n${search}`
  const [kept, setKept] = useState<{ readonly key: string; readonly total: number } | null>(null)
  useEffect(() => {
    if (known !== undefined) setKept({ key, total: known })
  }, [key, known])
  return known ?? (kept?.key === key ? kept.total : undefined)
}

/** Evicts the least recently updated pages that are not shown. */
function useForgetting(): void {
  const cache = useQueryClient().getQueryCache()
  useEffect(
    () =>
      cache.subscribe(({ type }) => {
        if (type !== 'added') return
        const idle = cache.findAll({ queryKey: ['board'], type: 'inactive' })
        const oldest = idle.sort((left, right) => left.state.dataUpdatedAt - right.state.dataUpdatedAt)
        for (const query of oldest.slice(0, -MAX_KEPT)) cache.remove(query)
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
function useChanges({ division, track }: BoardFilter, loaded: readonly LoadedPage[]) {
  const [changes, setChanges] = useState<ReadonlyMap<string, Change>>(new Map())
  const seen = useRef(new Map<number, number>())
  // Ranks in a division or track differ from overall ranks.
  const idOf = (row: BoardRow) => `${division ?? ''} ${track ?? ''} ${row.id}`
  const update = useEffectEvent(() => {
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
  const versions = loaded.map(({ page, dataUpdatedAt }) => `${page} ${dataUpdatedAt}`).join()
  useEffect(() => update(), [versions])
  return (row: BoardRow): Change | undefined => changes.get(idOf(row))
}
