import { lazy, Suspense, useRef, useState } from 'react'
import { useGate, useOwnTeam, usePhase } from '../../api/use-contest.ts'
import { NotOpenYet } from '../../layout/not-open-yet.tsx'
import { usePageTitle } from '../../layout/title.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { BoardTools } from './board-tools.tsx'
import { Graph } from './graph.tsx'
import { useRowHeight } from './row-height.ts'
import { focusRow } from './row-focus.ts'
import styles from './scores.module.css'
import { Standings } from './standings.tsx'
import { useAddress } from './use-address.ts'
import { useBoard } from './use-board.ts'
import { words } from './words.ts'

const PictureDialog = lazy(async () => ({ default: (await import('./picture-dialog.tsx')).PictureDialog }))
const PrintDialog = lazy(async () => ({ default: (await import('./print-dialog.tsx')).PrintDialog }))

export function Component() {
  const text = useText(words)
  usePageTitle(text.title)
  const { isOpen } = useGate('leaderboardRead')
  if (usePhase() === 'before' && !isOpen) return <NotOpenYet />
  return (
    <div className={styles.page} data-fills>
      <h1 className="pn-hidden">{text.title}</h1>
      <Scores />
    </div>
  )
}

function Scores() {
  const text = useText(words)
  const format = useFormat()
  const scroller = useRef<HTMLDivElement>(null)
  const address = useAddress()
  const { filter, change } = address
  const board = useBoard(filter, address.startRow)
  const { isOpening } = useGate('leaderboardRead')
  const [asked, setAsked] = useState<'image' | 'print' | null>(null)
  const ownRow = useOwnRow(filter)
  const rowHeight = useRowHeight(address.isMatrix)
  const jump = () => {
    const box = scroller.current
    if (!box || ownRow === null) return
    box.scrollTo({ top: ownRow * rowHeight - box.clientHeight / 2 })
    // The pinned row goes, with what was pressed in it.
    focusRow(box, ownRow)
  }
  const asOf = board.updatedAt > 0 ? text.asOf(format.time(board.updatedAt)) : ''
  const count = board.total === undefined ? '' : text.total(board.total, format.number(board.total))
  const dialog = { division: filter.division, total: board.total ?? 0, onClose: () => setAsked(null) }
  if (isOpening && board.total === undefined && board.trouble.failure === null) return <NotOpenYet />
  return (
    <>
      <BoardTools
        address={address}
        onJump={ownRow === null ? undefined : jump}
        onImage={() => setAsked('image')}
        onPrint={() => setAsked('print')}
        note={[count, asOf].filter(Boolean).join(' · ')}
      />
      {address.isUnknownDivision && <p className={styles.status}>{text.unknownDivision}</p>}
      {/* One trouble is told once. */}
      {address.isGraph && board.trouble.failure === null && <Graph division={filter.division} />}
      <Standings
        {...{ board, address, ownRow, rowHeight }}
        scrollerRef={scroller}
        onJump={jump}
        onClear={() => change({ q: '', division: '', at: '' })}
      />
      <Suspense>
        {asked === 'image' && <PictureDialog {...dialog} />}
        {asked === 'print' && <PrintDialog {...dialog} />}
      </Suspense>
    </>
  )
}

/** The own team's row of the board that is shown, from 0; null while it has none there. */
function useOwnRow({ division, search }: ReturnType<typeof useAddress>['filter']): number | null {
  const { team } = useOwnTeam()
  if (!team || search !== undefined || (division !== undefined && division !== team.division)) return null
  const place = division === undefined ? team.globalPlace : team.divisionPlace
  return place === null ? null : place - 1
}
