import type { RefObject } from 'react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { cx } from '../../ui/cx.ts'
import { CategoryMark } from '../../ui/marks/category-mark.tsx'
import type { Column } from './columns.ts'
import { useColumnsInView } from './columns-in-view.ts'
import styles from './matrix.module.css'
import board from './scores.module.css'
import { words } from './words.ts'

/** As in the style sheet. */
export const HEAD_PX = 136

interface MatrixHeadProps {
  readonly columns: readonly Column[]
  readonly frozenPx: number
  readonly columnPx: number
  readonly scrollerRef: RefObject<HTMLDivElement | null>
}

/** The challenges above their columns: category, name on a slant, value. Only those in sight are drawn. */
export function MatrixHead({ columns, frozenPx, columnPx, scrollerRef }: MatrixHeadProps) {
  const text = useText(words)
  const format = useFormat()
  const span = useColumnsInView(scrollerRef, { count: columns.length, width: columnPx, frozenPx })
  return (
    <div role="row" className={styles.head}>
      <span role="presentation" className={styles.corner} style={{ inlineSize: frozenPx }}>
        <span role="presentation" className={cx(board.row, board.narrow)}>
          <span role="columnheader">{text.place}</span>
          <span role="columnheader">{text.team}</span>
          <span role="columnheader" className={board.end}>
            {text.score}
          </span>
          <span role="columnheader" className={cx(board.end, board.solves)}>
            {text.solves}
          </span>
        </span>
      </span>
      {columns.slice(span.from, span.to).map(({ id, name, category, points, solves }, at) => {
        const facts = [text.points(format.number(points)), text.solvesOf(solves, format.number(solves))].join(
          ', ',
        )
        return (
          <span
            key={id}
            role="columnheader"
            className={styles.column}
            style={{ insetInlineStart: frozenPx + (span.from + at) * columnPx, inlineSize: columnPx }}
          >
            <Link to={paths.challenge(id)} title={`${name} · ${facts}`}>
              <bdi className={styles.name}>{name}</bdi>
              <CategoryMark name={category} form="icon" />
              <span className={styles.worth} aria-hidden="true">
                {format.number(points)}
              </span>
              <span className="pn-hidden">{facts}</span>
            </Link>
          </span>
        )
      })}
    </div>
  )
}
