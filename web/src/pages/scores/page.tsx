import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useFollowSolves } from '../../api/use-latest-solves.ts'
import { useGate, useIsArchive, useOwnTeam, usePhase } from '../../api/use-contest.ts'
import { NotOpenYet } from '../../layout/states/not-open-yet.tsx'
import { usePageTitle } from '../../layout/title.ts'
import { scoresMessages } from '../../text/en/scores.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { usePreferences } from '../../state/preferences.ts'
import { serverNow } from '../../state/clock.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { BoardTools } from './board-tools.tsx'
import { Graph } from './graph/graph.tsx'
import { LiveViewSwitch } from './live-view.tsx'
import { focusRow } from './table/row-focus.ts'
import styles from './scores.module.css'
import { Standings } from './table/standings.tsx'
import { useAddress } from './use-address.ts'
import { useBoard } from './use-board.ts'

const MATRIX_PX = 36
const COMPACT_PX = 36
const USUAL_PX = 44
/** With a mouse: twelve rows on a screen of 1440 by 900. */
const MOUSE_PX = 40
/** Two lines of text. */
const PHONE_PX = 60

const Comparison = lazy(async () => ({ default: (await import('./compare/comparison.tsx')).Comparison }))
const PictureDialog = lazy(async () => ({
  default: (await import('./export/picture-dialog.tsx')).PictureDialog,
}))
const Replay = lazy(async () => ({ default: (await import('./replay/replay.tsx')).Replay }))
const PrintDialog = lazy(async () => ({ default: (await import('./export/print-dialog.tsx')).PrintDialog }))

export function Component() {
  const text = useMessages(scoresMessages)
  usePageTitle(text.title)
  const { isOpen } = useGate('leaderboardRead')
  const address = useAddress()
  const isArchive = useIsArchive()
  if (usePhase() === 'before' && !isOpen) return <NotOpenYet />
  const { time, filter, change } = address
  return (
    <div className={styles.page} data-fills>
      <h1 className="pn-hidden">{text.title}</h1>
      <LiveViewSwitch>
        {time === null || isArchive ? (
          <Scores
            address={address}
            onReplay={isArchive ? undefined : () => change({ time: String(Math.floor(serverNow())) })}
          />
        ) : (
          <Suspense fallback={<Skeleton rows={10} height="var(--pn-row)" />}>
            <Replay
              time={time}
              division={filter.division}
              track={filter.track}
              onTime={(at) => change({ time: String(at) })}
              onClose={() => change({ time: '' })}
            />
          </Suspense>
        )}
      </LiveViewSwitch>
    </div>
  )
}

interface ScoresProps {
  readonly address: ReturnType<typeof useAddress>
  /** Undefined where there are no earlier standings. */
  readonly onReplay: (() => void) | undefined
}

function Scores({ address, onReplay }: ScoresProps) {
  const text = useMessages(scoresMessages)
  const format = useFormat()
  const scroller = useRef<HTMLDivElement>(null)
  const { filter, change } = address
  const board = useBoard(filter, address.startRow)
  useFollowSolves()
  const { isOpening } = useGate('leaderboardRead')
  const [asked, setAsked] = useState<'image' | 'print' | null>(null)
  const ownRow = useOwnRow(filter)
  const rowHeight = useRowHeight(address.isMatrix)
  const jump = () => {
    const box = scroller.current
    if (!box || ownRow === null) return
    box.scrollTo({ top: ownRow * rowHeight - box.clientHeight / 2 })
    // The pinned row with the clicked button disappears, so move the focus.
    focusRow(box, ownRow)
  }
  usePrintKey(() => setAsked('print'))
  const asOf = board.updatedAt > 0 ? text.asOf(format.time(board.updatedAt)) : ''
  const count = board.total === undefined ? '' : text.total(board.total, format.number(board.total))
  const dialog = {
    division: filter.division,
    track: filter.track,
    total: board.total ?? 0,
    onClose: () => setAsked(null),
  }
  if (isOpening && board.total === undefined && board.failure.error === null) return <NotOpenYet />
  return (
    <>
      <BoardTools
        address={address}
        onJump={ownRow === null ? undefined : jump}
        onReplay={onReplay}
        onImage={() => setAsked('image')}
        onPrint={() => setAsked('print')}
        note={[count, asOf].filter(Boolean).join(' · ')}
      />
      {address.isUnknownDivision && <p className={styles.status}>{text.unknownDivision}</p>}
      <p className={styles.limited} role="status">
        {board.isLimited && text.limited}
      </p>
      {/* Show one error only once. */}
      {address.isGraph && !address.isMatrix && board.failure.error === null && (
        <Graph division={filter.division} track={filter.track} />
      )}
      <Standings
        {...{ board, address, ownRow, rowHeight }}
        scrollerRef={scroller}
        onJump={jump}
        onClear={() => change({ q: '', division: '', track: '', at: '' })}
      />
      <ComparisonBar address={address} />
      <Suspense>
        {asked === 'image' && <PictureDialog {...dialog} />}
        {asked === 'print' && <PrintDialog {...dialog} />}
      </Suspense>
    </>
  )
}

/** Ctrl+P: the browser itself would print the rows that are in view, because only these are rendered. */
function usePrintKey(print: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (
      event.key.toLowerCase() !== 'p' ||
      !(event.ctrlKey || event.metaKey) ||
      event.altKey ||
      event.shiftKey
    )
      return
    event.preventDefault()
    print()
  })
  useEffect(() => {
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}

/** The teams chosen for a comparison, which opens automatically when there are two. */
function ComparisonBar({
  address: { compared, compare },
}: {
  readonly address: ReturnType<typeof useAddress>
}) {
  const text = useMessages(scoresMessages)
  const [closed, setClosed] = useState('')
  const key = compared.join()
  if (compared.length === 0) return null
  const isOpen = compared.length > 1 && closed !== key
  return (
    <div className={styles.compared}>
      <span>{text.compared(compared.length)}</span>
      {compared.length > 1 && <Button onClick={() => setClosed('')}>{text.showComparison}</Button>}
      <Button tone="quiet" onClick={() => compare([])}>
        {text.clearComparison}
      </Button>
      <Suspense>
        {isOpen && (
          <Comparison
            ids={compared}
            onRemove={(id) => compare(compared.filter((each) => each !== id))}
            onClear={() => compare([])}
            onClose={() => setClosed(key)}
          />
        )}
      </Suspense>
    </div>
  )
}

/** Row index of the own team in the shown scoreboard; null if it is not listed. */
function useOwnRow({ division, track = 'main', search }: ReturnType<typeof useAddress>['filter']) {
  const { team } = useOwnTeam()
  if (
    !team ||
    track !== 'main' ||
    search !== undefined ||
    (division !== undefined && division !== team.division)
  )
    return null
  const place = division === undefined ? team.globalPlace : team.divisionPlace
  return place === null ? null : place - 1
}

/** Row height of the scoreboard in pixels, the same for all rows. */
function useRowHeight(isMatrix: boolean): number {
  const isPhone = useMedia('(max-width: 767px)')
  const isFine = useMedia('(min-width: 1024px) and (pointer: fine)')
  const { density } = usePreferences()
  if (isMatrix) return MATRIX_PX
  if (isPhone) return PHONE_PX
  if (isFine) return density === 'compact' ? COMPACT_PX : MOUSE_PX
  return USUAL_PX
}
