import { lazy, Suspense, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { RequestFailure } from '../../api/failure.ts'
import { useConfig, useGate, useOwnTeam, usePhase } from '../../api/use-contest.ts'
import { NotOpenYet } from '../../layout/not-open-yet.tsx'
import { usePageTitle } from '../../layout/title.ts'
import { useText } from '../../text/catalogue.ts'
import { useErrorText } from '../../text/errors.ts'
import { useFormat } from '../../text/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { EmptyState, ErrorState } from '../../ui/states/messages.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { BoardTable, rowHeight } from './board-table.tsx'
import { BoardTools } from './board-tools.tsx'
import { OwnRow } from './own-row.tsx'
import styles from './scores.module.css'
import { useBoard } from './use-board.ts'
import { words } from './words.ts'

const Graph = lazy(async () => ({ default: (await import('./graph.tsx')).Graph }))

export function Component() {
  const text = useText(words)
  usePageTitle(text.title)
  const { isOpen } = useGate('leaderboardRead')
  if (usePhase() === 'before' && !isOpen) return <NotOpenYet />
  return (
    <div className={styles.page}>
      <h1 className="pn-hidden">{text.title}</h1>
      <Scores isOpen={isOpen} />
    </div>
  )
}

function Scores({ isOpen }: { readonly isOpen: boolean }) {
  const text = useText(words)
  const format = useFormat()
  const scroller = useRef<HTMLDivElement>(null)
  const { filter, isGraph, change } = useAddress()
  const board = useBoard(filter, isOpen)
  const { team } = useOwnTeam()
  const place = filter.division ? team?.divisionPlace : team?.globalPlace
  const canJump = typeof place === 'number' && (!filter.division || filter.division === team?.division)
  const jump = () => {
    const middle = (scroller.current?.clientHeight ?? 0) / 2
    scroller.current?.scrollTo({ top: ((place ?? 1) - 1) * rowHeight - middle })
  }
  const asOf = board.updatedAt > 0 ? text.asOf(format.time(board.updatedAt)) : ''
  const count = board.total === undefined ? '' : text.total(board.total, format.number(board.total))
  return (
    <>
      <BoardTools
        filter={filter}
        isGraph={isGraph}
        onChange={change}
        onJump={canJump && filter.search === undefined ? jump : undefined}
        note={[count, asOf].filter(Boolean).join(' · ')}
      />
      {isGraph && (
        <Suspense fallback={<Skeleton height="220px" />}>
          <Graph division={filter.division} />
        </Suspense>
      )}
      <Standings
        board={board}
        scrollerRef={scroller}
        isFiltered={Boolean(filter.search ?? filter.division)}
        onClear={() => change({ q: '', division: '' })}
      />
      {team && <OwnRow team={team} division={filter.division} onJump={canJump ? jump : undefined} />}
    </>
  )
}

/** What the page shows stands in its address. A division that is not of this event counts as none. */
function useAddress() {
  const [search, setSearch] = useSearchParams()
  const divisions = useConfig()?.divisions
  const division = search.get('division') ?? ''
  const query = (search.get('q') ?? '').trim()
  const change = (changes: Readonly<Record<string, string>>) => {
    setSearch(
      (now) => {
        const next = new URLSearchParams(now)
        for (const [name, value] of Object.entries(changes)) {
          if (value === '') next.delete(name)
          else next.set(name, value)
        }
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  }
  const filter = {
    division: divisions && Object.hasOwn(divisions, division) ? division : undefined,
    // Shorter ones are refused by the API.
    search: query.length >= 2 ? query : undefined,
  }
  return { filter, isGraph: search.get('graph') === '1', change }
}

interface StandingsProps {
  readonly board: ReturnType<typeof useBoard>
  readonly scrollerRef: React.RefObject<HTMLDivElement | null>
  readonly isFiltered: boolean
  readonly onClear: () => void
}

function Standings({ board, scrollerRef, isFiltered, onClear }: StandingsProps) {
  const text = useText(words)
  const errorText = useErrorText()
  const format = useFormat()
  if (board.error instanceof RequestFailure) {
    const { kind, askedAt } = board.error
    return (
      <ErrorState onRetry={board.retry} kind={kind} requestedAt={format.time(askedAt)}>
        {errorText(board.error)}
      </ErrorState>
    )
  }
  if (board.total === undefined) return <Skeleton rows={12} height={`${rowHeight}px`} />
  if (board.total === 0) {
    return (
      <EmptyState action={isFiltered && <Button onClick={onClear}>{text.clear}</Button>}>
        {isFiltered ? text.noMatch : text.noTeams}
      </EmptyState>
    )
  }
  return <BoardTable board={board} total={board.total} scrollerRef={scrollerRef} />
}
