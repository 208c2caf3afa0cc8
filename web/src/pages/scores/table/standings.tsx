import {
  lazy,
  Suspense,
  useEffect,
  useEffectEvent,
  useState,
  type CSSProperties,
  type RefObject,
} from 'react'
import { Link } from 'react-router'
import { useOwnTeam } from '../../../api/use-contest.ts'
import type { Failure } from '../../../api/use-failure.ts'
import { LoadState } from '../../../layout/states/load-state.tsx'
import { paths } from '../../../paths.ts'
import { frameMessages } from '../../../text/en/frame.ts'
import { scoresMessages } from '../../../text/en/scores.ts'
import { useMessages } from '../../../text/messages.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { EmptyState } from '../../../ui/states/messages.tsx'
import { Skeleton } from '../../../ui/states/skeleton.tsx'
import { BoardTable } from './board-table.tsx'
import ownStyles from './own-row.module.css'
import { OwnRow } from './own-row.tsx'
import styles from '../scores.module.css'
import { MAX_COMPARED } from '../compare/compared-row.ts'
import { scrollbarsPx } from './scrollbars.ts'
import { TeamSheet } from './team-sheet.tsx'
import type { useAddress } from '../use-address.ts'
import { NeedsChallenges } from '../needs-challenges.tsx'
import { useBoardChallenges } from '../use-board-challenges.ts'
import type { Board, BoardRow } from '../use-board.ts'

const MatrixTable = lazy(async () => ({ default: (await import('../matrix/matrix-table.tsx')).MatrixTable }))
const WAITING_ROWS = 12

interface StandingsProps {
  readonly board: Board
  readonly address: ReturnType<typeof useAddress>
  /** Row index of the own team; null if it is not listed. */
  readonly ownRow: number | null
  /** Pixels. */
  readonly rowHeight: number
  readonly scrollerRef: RefObject<HTMLDivElement | null>
  readonly onJump: () => void
  readonly onClear: () => void
}

/** The scoreboard, or the reason why there is none. */
export function Standings(props: StandingsProps) {
  const { board, address, rowHeight, onClear } = props
  const text = useMessages(scoresMessages)
  const isFiltered = Boolean(
    address.filter.search ??
    address.filter.division ??
    (address.filter.track === 'main' ? undefined : address.filter.track),
  )
  if (board.total === undefined) return <WaitingRows failure={board.failure} rowHeight={rowHeight} />
  if (board.total === 0 && !isFiltered) return <NobodyYet />
  if (board.total === 0) {
    return (
      <EmptyState action={<Button onClick={onClear}>{text.clearFilters}</Button>}>{text.noMatch}</EmptyState>
    )
  }
  return <Shown {...props} total={board.total} />
}

interface WaitingRowsProps {
  readonly failure: Failure
  /** Pixels. */
  readonly rowHeight: number
}

function WaitingRows({ failure, rowHeight }: WaitingRowsProps) {
  return (
    <LoadState failure={failure}>
      <Skeleton rows={WAITING_ROWS} height={`${rowHeight}px`} />
    </LoadState>
  )
}

function NobodyYet() {
  const text = useMessages(scoresMessages)
  const frame = useMessages(frameMessages)
  const { challenges } = useBoardChallenges()
  const count = Object.keys(challenges ?? {}).length
  return (
    <EmptyState action={<Link to={paths.challenges()}>{frame.challenges}</Link>}>
      {[text.noScores, count > 0 && text.unsolved(count)].filter(Boolean).join(' ')}
    </EmptyState>
  )
}

/** What the sheet of a team offers: the first team is compared with the own one, if there is one. */
function comparisonOf(
  { compared, compare }: StandingsProps['address'],
  { opened, own, close }: { opened: BoardRow | null; own: string | undefined; close: () => void },
) {
  const isCompared = opened !== null && compared.includes(opened.id)
  if (!isCompared && compared.length === MAX_COMPARED) return { isCompared, onCompare: undefined }
  return {
    isCompared,
    onCompare(id: string) {
      close()
      const others = compared.filter((each) => each !== id)
      if (isCompared) return compare(others)
      compare(others.length === 0 && own !== undefined && own !== id ? [own, id] : [...others, id])
    },
  }
}

function Shown(props: StandingsProps & { readonly total: number }) {
  const { board, address, ownRow, rowHeight, scrollerRef, onJump, total } = props
  const { isMatrix, isGraph, order, startRow, filter } = address
  const { team } = useOwnTeam()
  const [opened, setOpened] = useState<BoardRow | null>(null)
  const { from } = board.rested
  const { change } = address
  const updateAddress = useEffectEvent((row: number) => {
    // An open layer has its own history entry, which must not be replaced.
    if (row !== startRow && opened === null) change({ at: row === 0 ? '' : String(row + 1) })
  })
  // Scrolling updates the URL, not the other way round.
  useEffect(() => updateAddress(from), [from])
  const table = { board, total, rowHeight, scrollerRef, startRow, onOpen: setOpened }
  const { visible } = board
  const isInSight = ownRow !== null && ownRow >= visible.from && ownRow < visible.to
  const edge = ownRow !== null && ownRow < visible.from ? 'above' : 'below'
  const own = team && (
    <OwnRow team={team} board={board} division={filter.division} row={ownRow} onJump={onJump} />
  )
  const bars = scrollbarsPx(scrollerRef.current)
  const { challenges, isForbidden, failure } = useBoardChallenges({ wanted: isMatrix })
  const waiting = <WaitingRows failure={failure} rowHeight={rowHeight} />
  return (
    <>
      {isMatrix && isForbidden && <NeedsChallenges />}
      <div
        className={styles.place}
        key={`${filter.division} ${filter.track} ${filter.search} ${isMatrix}`}
        style={{ '--digits': String(total).length } as CSSProperties}
      >
        {isMatrix && !isForbidden ? (
          <Suspense fallback={waiting}>
            {challenges ? (
              <MatrixTable
                {...{ ...table, challenges, order }}
                graph={isGraph ? { division: filter.division, track: filter.track } : null}
              />
            ) : (
              waiting
            )}
          </Suspense>
        ) : (
          <BoardTable {...table} />
        )}
        {ownRow !== null && !isInSight && (
          <div
            className={ownStyles.pinned}
            data-edge={edge}
            data-matrix={isMatrix || undefined}
            style={{ insetInlineEnd: bars.side, insetBlockEnd: edge === 'below' ? bars.bottom : undefined }}
          >
            {own}
          </div>
        )}
      </div>
      {ownRow === null && own}
      <TeamSheet
        row={opened}
        place={opened && board.placeOf(opened)}
        onClose={() => setOpened(null)}
        {...comparisonOf(address, { opened, own: team?.id, close: () => setOpened(null) })}
      />
    </>
  )
}
