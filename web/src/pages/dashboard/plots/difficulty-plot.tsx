import { Link } from 'react-router'
import { paths } from '../../../paths.ts'
import { dashboardMessages } from '../../../text/en/dashboard.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { categoryOf, compareCategories } from '../../../ui/marks/categories.ts'
import { clothStyle } from '../../../ui/marks/category-mark.tsx'
import type { Statistics } from '../queries.ts'
import { difficultiesOf, type Difficulty } from './difficulty.ts'
import { PlotPanel } from '../../../ui/drawn/plot-panel.tsx'
import styles from '../../../ui/drawn/drawn.module.css'
import { logShare, logTicks } from '../../../ui/drawn/scales.ts'
import { ValueAxis } from '../../../ui/drawn/value-axis.tsx'

const HEIGHT = 318
const AXIS_PX = 24
const TOP_PX = 14
const START_PX = 38
const END_PX = 12
const NAME_PX = 16
/** A challenge without wrong flags has no place on a logarithmic axis. */
const LEAST_RATIO = 0.1

/** A shape per category, because colours alone do not distinguish them. */
const SHAPES = [
  'M-4-4h8v8h-8Z',
  'M0-5.500 5.500 0 0 5.500-5.500 0Z',
  'M-5-4h10L0 5Z',
  'M-5 4h10L0-5Z',
  'M0-4.500a4.500 4.500 0 1 0 .1 0Z',
  'M-5-1.500h3.500V-5h3v3.500H5v3H1.500V5h-3V1.500H-5Z',
  'M-5.500-2.500h11v5h-11Z',
  'M-2.500-5.500h5v11h-5Z',
] as const

/** Wrong flags for each correct one by number of solves. Names those that are far above what is expected. */
export function DifficultyPlot({ statistics }: { readonly statistics: Statistics }) {
  const text = useMessages(dashboardMessages)
  const { number } = useFormat()
  const all = difficultiesOf(statistics.challenges)
  const categories = [...new Set(all.map(({ category }) => category))].sort(compareCategories)
  const shapeOf = (category: string) => SHAPES[categories.indexOf(category) % SHAPES.length] ?? SHAPES[0]
  const short = (ratio: number) => number(Math.round(ratio * 10) / 10)
  const unusual = all.filter(({ isUnusual }) => isUnusual)
  return (
    <PlotPanel
      title={text.difficulty}
      aside={<span className="pn-flat pn-muted pn-small">{text.wrongPerRight}</span>}
      label={text.difficultyLabel(number(all.length), unusual.map(({ name }) => name).join(', '))}
      height={HEIGHT}
      empty={all.length === 0 ? text.noSolves : undefined}
      draw={(width) => (
        <Drawing all={all} width={width} shapeOf={shapeOf} number={number} solved={text.solvedBy} />
      )}
      table={{
        head: [text.challenge, text.solves, text.correct, text.wrong, text.perCorrect, text.expected],
        rows: all
          .toSorted((a, b) => b.ratio - a.ratio)
          .map(({ id, name, solves, correct, wrong, ratio, expected }) => [
            <Link key={id} to={paths.adminChallenge(id)}>
              <bdi>{name}</bdi>
            </Link>,
            number(solves),
            number(correct),
            number(wrong),
            short(ratio),
            expected === null ? '–' : short(expected),
          ]),
      }}
    >
      <ul className={styles.categories}>
        {categories.map((category) => (
          <li key={category} style={clothStyle(categoryOf(category))}>
            <svg width={11} height={11} viewBox="-6 -6 12 12" aria-hidden="true">
              <path className={styles.mark} d={shapeOf(category)} />
            </svg>
            <bdi>{category}</bdi>
          </li>
        ))}
      </ul>
    </PlotPanel>
  )
}

interface DrawingProps {
  readonly all: readonly Difficulty[]
  readonly width: number
  readonly shapeOf: (category: string) => string
  readonly number: (value: number) => string
  readonly solved: (count: string) => string
}

function Drawing({ all, width, shapeOf, number, solved }: DrawingProps) {
  const ratios = all.map(({ ratio }) => Math.max(ratio, LEAST_RATIO))
  const rows = logTicks(Math.min(...ratios, 1), Math.max(...ratios, 10))
  const columns = logTicks(1, Math.max(...all.map(({ solves }) => solves), 3))
  const y = (ratio: number) => {
    const foot = HEIGHT - AXIS_PX
    return foot - logShare(Math.max(ratio, LEAST_RATIO), rows) * (foot - TOP_PX)
  }
  const x = (solves: number) => START_PX + 8 + logShare(solves, columns) * (width - START_PX - END_PX - 8)
  const named = namedOf(all, y)
  return (
    <>
      <ValueAxis ticks={rows} y={y} label={number} start={START_PX} width={width} />
      {columns.map((tick) => (
        <text key={tick} x={x(tick)} y={HEIGHT - 4} textAnchor="middle">
          {number(tick)}
        </text>
      ))}
      {all.map(({ id, name, category, solves, ratio, isUnusual }) => {
        // Its name is on the side where there is more room.
        const isEnd = x(solves) > width * 0.6
        return (
          <g
            key={id}
            transform={`translate(${x(solves)} ${y(ratio)})`}
            style={clothStyle(categoryOf(category))}
          >
            <title>{`${name}: ${solved(number(solves))}, ${number(Math.round(ratio * 10) / 10)}`}</title>
            <path className={styles.mark} d={shapeOf(category)} />
            {isUnusual && <circle className={styles.unusual} r={10} />}
            {named.has(id) && (
              <text
                className={styles.unusualName}
                x={isEnd ? -16 : 16}
                y={4}
                textAnchor={isEnd ? 'end' : 'start'}
              >
                {name}
              </text>
            )}
          </g>
        )
      })}
    </>
  )
}

/** The unusual ones whose names do not overlap, most unusual first. */
function namedOf(all: readonly Difficulty[], y: (ratio: number) => number): ReadonlySet<string> {
  const named: Difficulty[] = []
  for (const each of all.filter(({ isUnusual }) => isUnusual).sort((a, b) => b.ratio - a.ratio))
    if (named.every((other) => Math.abs(y(other.ratio) - y(each.ratio)) > NAME_PX)) named.push(each)
  return new Set(named.map(({ id }) => id))
}
