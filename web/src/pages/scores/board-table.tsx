import type { RefObject } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useOwnTeam } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { VirtualBoard } from '../../ui/board/virtual-board.tsx'
import { cx } from '../../ui/cx.ts'
import { CountryFlag } from '../../ui/data/country-flag.tsx'
import { TeamName } from '../../ui/data/team-name.tsx'
import styles from './scores.module.css'
import type { BoardRow, useBoard } from './use-board.ts'
import { words } from './words.ts'

/** Pixels. */
export const rowHeight = 52

interface BoardTableProps {
  readonly board: ReturnType<typeof useBoard>
  readonly total: number
  readonly scrollerRef: RefObject<HTMLDivElement | null>
}

/** The whole order in one scroll container, its bar true from the start. */
export function BoardTable({ board, total, scrollerRef }: BoardTableProps) {
  const text = useText(words)
  const own = useOwnTeam().team?.id
  const isByDivision = useSearchParams()[0].has('division')
  const head = (
    <div role="row" className={cx(styles.row, styles.head)}>
      <span role="columnheader">{text.place}</span>
      <span role="columnheader">{text.team}</span>
      <span role="columnheader" className={styles.end}>
        {text.solves}
      </span>
      <span role="columnheader" className={styles.end}>
        {text.score}
      </span>
    </div>
  )
  return (
    <VirtualBoard
      label={text.board}
      total={total}
      rowHeight={rowHeight}
      height={`min(${total * rowHeight + 40}px, max(320px, 100dvh - 15rem))`}
      head={head}
      scrollerRef={scrollerRef}
      onSpan={board.onSpan}
      renderRow={(index) => {
        const row = board.rowAt(index)
        if (!row) return <Blank place={index + 1} />
        return (
          <Row row={row} isOwn={row.id === own} place={isByDivision ? row.divisionPlace : row.globalPlace} />
        )
      }}
    />
  )
}

function Blank({ place }: { readonly place: number }) {
  const format = useFormat()
  return (
    <div className={styles.row} role="presentation">
      <span role="cell">{format.number(place)}</span>
      <span role="cell" className={styles.blank} />
    </div>
  )
}

interface RowProps {
  readonly row: BoardRow
  readonly place: number | null
  readonly isOwn: boolean
}

function Row({ row, place, isOwn }: RowProps) {
  const text = useText(words)
  const format = useFormat()
  const solves = format.number(row.solves.length)
  return (
    <div className={cx(styles.row, isOwn && styles.own)} role="presentation">
      <span role="cell" className={cx(styles.place, place !== null && place <= 3 && styles[`place${place}`])}>
        {place === null ? '' : format.number(place)}
      </span>
      <span role="cell" className={styles.team}>
        <TeamName
          name={row.name}
          avatarUrl={row.avatarUrl}
          link={(name) => <Link to={paths.team(row.id)}>{name}</Link>}
        />
        {row.countryCode !== null && <CountryFlag code={row.countryCode} />}
        {row.statusText !== null && (
          <span className={styles.status}>
            <bdi>{row.statusText}</bdi>
          </span>
        )}
      </span>
      <span role="cell" className={styles.end} aria-label={text.solvesOf(solves)}>
        {solves}
      </span>
      <span role="cell" className={cx(styles.end, styles.score)}>
        {format.number(row.score)}
      </span>
    </div>
  )
}
