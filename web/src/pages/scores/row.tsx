import { useLayoutEffect, useRef, type MouseEvent } from 'react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { cx } from '../../ui/cx.ts'
import { CountryFlag } from '../../ui/data/country-flag.tsx'
import { TeamName } from '../../ui/data/team-name.tsx'
import { BLOODS, Pennant, signColour } from '../../ui/marks/pennant.tsx'
import { solveCount } from './columns.ts'
import { handOn } from './row-focus.ts'
import styles from './scores.module.css'
import type { Change } from './row-changes.ts'
import type { Board, BoardRow } from './use-board.ts'
import { words } from './words.ts'

/** Holds the place of a row that is on its way. */
export function BlankRow({ index }: { readonly index: number }) {
  const format = useFormat()
  const cell = useRef<HTMLElement>(null)
  useLayoutEffect(() => () => handOn(cell.current, index), [index])
  return (
    <div className={styles.row} role="presentation" data-index={index}>
      <span ref={cell} role="cell" className={styles.placeCell} tabIndex={-1}>
        <span className={styles.number}>{format.number(index + 1)}</span>
      </span>
      <span role="cell" className={styles.blank} />
    </div>
  )
}

interface RowProps {
  readonly row: BoardRow
  /** Of the board that is shown, from 0. */
  readonly index: number
  readonly board: Pick<Board, 'placeOf' | 'changeOf'>
  readonly isOwn: boolean
  /** Beside the matrix there is less room. */
  readonly isNarrow?: boolean
  /** Instead of the number of solves, for readers. */
  readonly solved?: string | undefined
  readonly onOpen: (row: BoardRow) => void
}

/** One team. Its link covers the row: a press previews, with Ctrl it opens the profile. */
export function Row({ row, index, board, isOwn, isNarrow = false, solved, onOpen }: RowProps) {
  const text = useText(words)
  const format = useFormat()
  const count = solveCount(row)
  const solves = format.number(count)
  const open = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    onOpen(row)
  }
  const last = row.solves.reduce((latest, { solveTime }) => Math.max(latest, solveTime), 0)
  const className = cx(styles.row, isNarrow && styles.narrow, isOwn && styles.own)
  const change = board.changeOf(row)
  const delta = row.dynamicScores.reduce((sum, { pointDelta }) => sum + pointDelta, 0)
  return (
    <div className={className} role="presentation" data-index={index}>
      <Place place={board.placeOf(row)} change={change} />
      <span role="cell" className={styles.team}>
        <TeamName
          name={row.name}
          avatarUrl={row.avatarUrl}
          link={(name) => (
            <Link to={paths.team(row.id)} className={styles.link} aria-haspopup="dialog" onClick={open}>
              {name}
            </Link>
          )}
        />
        {row.statusText !== null && !isNarrow && (
          <span className={styles.status}>
            <bdi>{row.statusText}</bdi>
          </span>
        )}
      </span>
      <span role="cell" className={styles.wide}>
        {row.countryCode !== null && <CountryFlag code={row.countryCode} />}
      </span>
      <Score {...{ row, delta, change }} />
      <span role="cell" className={cx(styles.end, styles.solves)}>
        <span aria-hidden="true">
          <span className={styles.few}>{solves}</span>
          <span className={styles.many}>
            {[delta !== 0 && format.signed(delta), text.solvesOf(count, solves)].filter(Boolean).join(' · ')}
          </span>
        </span>
        <span className="pn-hidden">{solved ?? text.solvesOf(count, solves)}</span>
      </span>
      <span role="cell" className={cx(styles.end, styles.wide, styles.when)}>
        {last > 0 && (
          <time dateTime={new Date(last).toISOString()} title={format.utc(last)}>
            {format.dateTime(last)}
          </time>
        )}
      </span>
    </div>
  )
}

function Place({ place, change }: { readonly place: number | null; readonly change: Change | undefined }) {
  const text = useText(words)
  const format = useFormat()
  const sign = place === null ? undefined : BLOODS[place - 1]
  const up = change?.up ?? 0
  return (
    <span role="cell" className={styles.placeCell}>
      <span className={cx(styles.number, sign && signColour(sign))}>
        {place === null ? '–' : format.number(place)}
      </span>
      {sign && (
        <span className={styles.podium}>
          <Pennant sign={sign} hidden />
        </span>
      )}
      {up !== 0 && (
        <span className={up > 0 ? styles.up : styles.down}>
          <span aria-hidden="true">
            {up > 0 ? '▲' : '▼'}
            {Math.abs(up)}
          </span>
          <span className="pn-hidden">{up > 0 ? text.up(up) : text.down(-up)}</span>
        </span>
      )}
    </span>
  )
}

interface ScoreProps {
  readonly row: BoardRow
  /** Points that live scores brought at last. */
  readonly delta: number
  readonly change: Change | undefined
}

function Score({ row, delta, change }: ScoreProps) {
  const format = useFormat()
  return (
    <span role="cell" className={cx(styles.end, styles.score)}>
      {delta !== 0 && <span className={styles.delta}>{format.signed(delta)}</span>}
      <span key={row.score} className={cx(change?.isNewScore && styles.flash)}>
        {format.number(row.score)}
      </span>
    </span>
  )
}
