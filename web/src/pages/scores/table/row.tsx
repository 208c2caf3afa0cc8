import { lazy, Suspense, useLayoutEffect, useRef, type MouseEvent } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../paths.ts'
import { useMinutesAfter } from '../../../state/clock.ts'
import { scoresMessages } from '../../../text/en/scores.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { cx } from '../../../ui/cx.ts'
import { CountryFlag } from '../../../ui/data/country-flag.tsx'
import { TeamName } from '../../../ui/data/team-name.tsx'
import { ClothMark } from '../../../ui/marks/cloth.tsx'
import { Movement } from '../../../ui/marks/movement.tsx'
import { lineColour } from '../../../ui/plots/labels.ts'
import { Sparkline } from '../../../ui/plots/sparkline.tsx'
import { CategoryStrip } from './category-strip.tsx'
import { solveCount, type CategoryChallenges } from './columns.ts'
import { TOP } from '../graph/graph-data.ts'
import { handOn } from './row-focus.ts'
import styles from '../scores.module.css'
import type { Change } from './row-changes.ts'
import type { Board, BoardRow } from '../use-board.ts'

const TrackMark = lazy(async () => ({
  default: (await import('../../../account/tracks/track-mark.tsx')).TrackMark,
}))

/** Placeholder for a row that is loading. */
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
  /** Index in the shown scoreboard. */
  readonly index: number
  readonly board: Pick<Board, 'placeOf' | 'changeOf' | 'movementOf'>
  readonly isOwn: boolean
  /** The team columns are narrower next to the matrix. */
  readonly isNarrow?: boolean
  /** For the share of each category; without them there is none. */
  readonly categories?: readonly CategoryChallenges[]
  /** Replaces the number of solves for screen readers. */
  readonly solved?: string | undefined
  readonly onOpen: (row: BoardRow) => void
}

/** One team. The link covers the row: a click opens the preview, Ctrl+click the profile. */
export function Row({
  row,
  index,
  board,
  isOwn,
  isNarrow = false,
  categories = [],
  solved,
  onOpen,
}: RowProps) {
  const text = useMessages(scoresMessages)
  const format = useFormat()
  const count = solveCount(row)
  const solves = format.number(count)
  const className = cx(styles.row, isNarrow && styles.narrow, isOwn && styles.own)
  const change = board.changeOf(row)
  const place = board.placeOf(row)
  const moved = board.movementOf(row)
  const delta = row.dynamicScores.reduce((sum, { pointDelta }) => sum + pointDelta, 0)
  return (
    <div
      className={className}
      role="presentation"
      data-index={index}
      data-medal={place === null ? undefined : medalOf(place)}
    >
      <Place place={place} change={moved} />
      <Team {...{ row, isNarrow, onOpen }} />
      {!isNarrow && (
        <span role="cell" className={styles.strips}>
          <CategoryStrip {...{ row, categories }} />
        </span>
      )}
      <span role="cell" className={styles.trend} style={colourOf(place, isOwn)}>
        {row.trend && (
          <Sparkline scores={row.trend.scores} {...(isNarrow ? SMALL_LINE : LINE)} hasArea={!isNarrow} />
        )}
      </span>
      <span role="cell" className={cx(styles.end, styles.solves)}>
        <span aria-hidden="true">
          <span className={styles.few}>{solves}</span>
          <span className={styles.many}>
            {[delta !== 0 && format.signed(delta), text.solvesOf(count, solves)].filter(Boolean).join(' · ')}
          </span>
        </span>
        <span className="pn-hidden">{solved ?? text.solvesOf(count, solves)}</span>
      </span>
      {!isNarrow && (
        <span role="cell" className={cx(styles.end, styles.when)}>
          <LastSolve solves={row.solves} />
        </span>
      )}
      <Score {...{ row, delta, change }} />
    </div>
  )
}

/** Name with flag, country and status. */
function Team({ row, isNarrow, onOpen }: Pick<RowProps, 'row' | 'onOpen'> & { readonly isNarrow: boolean }) {
  const open = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    onOpen(row)
  }
  return (
    <span role="cell" className={styles.team}>
      <TeamName
        name={row.name}
        teamId={row.id}
        avatarUrl={row.avatarUrl}
        link={(name) => (
          <Link to={paths.team(row.id)} className={styles.link} aria-haspopup="dialog" onClick={open}>
            {name}
          </Link>
        )}
      />
      {row.track !== undefined && (
        <Suspense>
          <TrackMark track={row.track} />
        </Suspense>
      )}
      {row.countryCode !== null && !isNarrow && (
        <span className={styles.country}>
          <CountryFlag code={row.countryCode} />
        </span>
      )}
      {row.statusText !== null && !isNarrow && (
        <span className={styles.status}>
          <bdi>{row.statusText}</bdi>
        </span>
      )}
    </span>
  )
}

/** How long ago the last solve was; the exact time on hover. */
function LastSolve({ solves }: Pick<BoardRow, 'solves'>) {
  const format = useFormat()
  const last = solves.reduce((latest, { solveTime }) => Math.max(latest, solveTime), 0)
  const minute = useMinutesAfter(last)
  if (last === 0) return null
  return (
    <time dateTime={new Date(last).toISOString()} title={`${format.dateTime(last)} · ${format.utc(last)}`}>
      {format.relative(last, minute)}
    </time>
  )
}

const LINE = { width: 124, height: 26 }
const SMALL_LINE = { width: 66, height: 22 }

/** The colours of the lines in the graph. */
function colourOf(place: number | null, isOwn: boolean) {
  const colour = isOwn ? 'accent' : place === null || place > TOP ? 'faint' : null
  return { color: `var(--pn-${colour ?? lineColour((place ?? 1) - 1)})` }
}

const MEDAL = { category: '', width: 20, height: 26 }

function medalOf(place: number): 1 | 2 | 3 | undefined {
  return place === 1 || place === 2 || place === 3 ? place : undefined
}

interface PlaceProps {
  readonly place: number | null
  /** As in `Movement`; undefined if it is not known. */
  readonly change: number | null | undefined
}

function Place({ place, change }: PlaceProps) {
  const format = useFormat()
  const medal = place === null ? undefined : medalOf(place)
  return (
    <span role="cell" className={styles.placeCell}>
      {medal === undefined ? (
        <span className={styles.number}>{place === null ? '–' : format.number(place)}</span>
      ) : (
        <ClothMark {...MEDAL} state={medal} label={format.number(medal)} />
      )}
      {change !== undefined && <Movement change={change} />}
    </span>
  )
}

interface ScoreProps {
  readonly row: BoardRow
  /** Last change of dynamic points. */
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
