import { useEffect, useState, type RefObject } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../paths.ts'
import { scoresMessages } from '../../../text/en/scores.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { cx } from '../../../ui/cx.ts'
import { categoryOf } from '../../../ui/marks/categories.ts'
import { CategoryMark, clothStyle } from '../../../ui/marks/category-mark.tsx'
import { followScroll } from '../../../ui/data/follow-scroll.ts'
import { spanAt, type Span } from '../../../ui/data/rows-in-view.ts'
import { MatrixGraph } from '../graph/graph.tsx'
import type { Column } from '../table/columns.ts'
import styles from './matrix.module.css'
import board from '../scores.module.css'

const SPARE_COLUMNS = 4

/** Must match the style sheet. */
export const HEAD_PX = 168
const GRAPH_PX = 128
/** Columns whose width has room for the name of their category. */
const NAMED_COLUMNS = 3

interface MatrixHeadProps {
  readonly columns: readonly Column[]
  readonly frozenPx: number
  readonly columnPx: number
  readonly scrollerRef: RefObject<HTMLDivElement | null>
  /** Whether the corner has the graph; if so, of which division. */
  readonly graph: { readonly division: string | undefined; readonly track: string | undefined } | null
}

/** Column headers of the challenges: category, slanted name, value. Only visible columns are rendered. */
export function MatrixHead({ columns, frozenPx, columnPx, scrollerRef, graph }: MatrixHeadProps) {
  const text = useMessages(scoresMessages)
  const format = useFormat()
  const span = useColumnsInView(scrollerRef, { count: columns.length, width: columnPx, frozenPx })
  return (
    <div role="row" className={styles.head}>
      <span role="presentation" className={styles.corner} style={{ inlineSize: frozenPx }}>
        {graph && (
          <span role="presentation" className={styles.graph}>
            <MatrixGraph {...graph} height={GRAPH_PX} />
          </span>
        )}
        <span role="presentation" className={cx(board.row, board.narrow)}>
          <span role="columnheader">{text.place}</span>
          <span role="columnheader">{text.team}</span>
          <span role="columnheader" className={board.trend}>
            <span className="pn-hidden">{text.trend}</span>
          </span>
          <span role="columnheader" className={cx(board.end, board.solves)}>
            {text.solves}
          </span>
          <span role="columnheader" className={board.end}>
            {text.score}
          </span>
        </span>
      </span>
      {columns.slice(span.from, span.to).map(({ id, name, category, points, solves }, at) => {
        const facts = [
          text.pointsCount(format.number(points)),
          text.solvesOf(solves, format.number(solves)),
        ].join(', ')
        return (
          <span
            key={id}
            role="columnheader"
            className={styles.column}
            style={{ insetInlineStart: frozenPx + (span.from + at) * columnPx, inlineSize: columnPx }}
          >
            <Link to={paths.challenge(id)} title={`${name} · ${facts}`}>
              <bdi className={styles.name}>{name}</bdi>
              <span className="pn-hidden">{category}</span>
              <span className="pn-digits" aria-hidden="true">
                {format.number(points)}
              </span>
              <span className="pn-hidden">{facts}</span>
            </Link>
          </span>
        )
      })}
      {bandsOf(columns)
        .filter(({ from, to }) => to > span.from && from < span.to)
        .map(({ category, from, to }) => (
          <span
            key={from}
            role="presentation"
            className={styles.band}
            style={{
              ...clothStyle(categoryOf(category)),
              insetInlineStart: frozenPx + from * columnPx,
              inlineSize: (to - from) * columnPx - 1,
            }}
          >
            <span aria-hidden="true">
              <CategoryMark name={category} form={to - from >= NAMED_COLUMNS ? 'full' : 'icon'} />
            </span>
          </span>
        ))}
    </div>
  )
}

interface Band {
  readonly category: string
  readonly from: number
  readonly to: number
}

/** Neighbouring columns of the same category; `to` is exclusive. */
function bandsOf(columns: readonly Column[]): Band[] {
  const bands: Band[] = []
  for (const [at, { category }] of columns.entries()) {
    const last = bands.at(-1)
    if (last?.category === category) bands[bands.length - 1] = { ...last, to: at + 1 }
    else bands.push({ category, from: at, to: at + 1 })
  }
  return bands
}

/** The columns visible in a horizontal scroller behind a frozen part of `frozenPx` pixels. */
function useColumnsInView(
  scroller: RefObject<HTMLElement | null>,
  columns: { readonly count: number; readonly width: number; readonly frozenPx: number },
): Span {
  const { count, width, frozenPx } = columns
  const [span, setSpan] = useState<Span>({ from: 0, to: Math.min(count, SPARE_COLUMNS) })
  // Not a layout effect: a child's layout effects run before the parent's ref is set.
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const look = () => {
      const measure = { count, rowHeight: width, spare: SPARE_COLUMNS }
      const next = spanAt(Math.abs(element.scrollLeft), element.clientWidth - frozenPx, measure)
      setSpan((now) => (now.from === next.from && now.to === next.to ? now : next))
    }
    return followScroll(element, look)
  }, [scroller, count, width, frozenPx])
  return span
}
