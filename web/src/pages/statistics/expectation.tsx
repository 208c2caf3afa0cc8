import { Link } from 'react-router'
import { statisticsMessages } from '../../text/en/statistics.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { categoryOf } from '../../ui/marks/categories.ts'
import { CategoryMark, clothStyle } from '../../ui/marks/category-mark.tsx'
import { ValueAxis } from '../../ui/drawn/value-axis.tsx'
import { PlotPanel } from '../../ui/drawn/plot-panel.tsx'
import { percent } from './amounts.ts'
import { byExpectation, LEAST_SHIFT, unusualOf } from './expected-order.ts'
import type { ChallengeFigures } from './queries.ts'
import type { PartProps } from './part.ts'
import styles from './statistics.module.css'

const HEIGHT = 232
const TOP_PX = 14
/** For the names of the categories. */
const FOOT_PX = 26
const START_PX = 42
/** Between categories, in bars. */
const GAP = 0.8
const TICKS = [0, 0.25, 0.5, 0.75, 1]
/** Narrower groups show their code only as a tooltip. */
const CODE_PX = 30

/** Solve share of each challenge, by category and expected difficulty; names those far from the expectation. */
export function Expectation({ report, csv, linkOf }: PartProps) {
  const text = useMessages(statisticsMessages)
  const { number, signed } = useFormat()
  const { challenges } = report
  const groups = byExpectation(challenges)
  return (
    <PlotPanel
      title={text.expectation}
      aside={csv('challenges', text.expectation)}
      label={text.expectationLabel(number(challenges.length))}
      height={HEIGHT}
      empty={challenges.length === 0 ? text.nothingYet : undefined}
      draw={(width) => <Staircases groups={groups} width={width} />}
      table={{
        head: [
          text.challenge,
          text.category,
          text.initialPoints,
          text.points,
          text.solves,
          text.solveShare,
          text.shift,
        ],
        rows: groups.flat().map((each) => [
          <Link key={each.id} to={linkOf(each.id)}>
            <bdi>{each.name}</bdi>
          </Link>,
          <bdi key="category">{each.category}</bdi>,
          number(each.initialPoints),
          number(each.points),
          number(each.solves),
          percent(each.share),
          each.shift.bySolves === 0 ? '0' : signed(each.shift.bySolves),
        ]),
      }}
    >
      <p className="pn-flat pn-muted pn-small">{text.expectationAbout}</p>
      <Unusual challenges={challenges} linkOf={linkOf} />
    </PlotPanel>
  )
}

interface StaircasesProps {
  readonly groups: readonly (readonly ChallengeFigures[])[]
  readonly width: number
}

function Staircases({ groups, width }: StaircasesProps) {
  const text = useMessages(statisticsMessages)
  const { number } = useFormat()
  const bars = groups.flat().length + GAP * Math.max(0, groups.length - 1)
  const step = (width - START_PX) / Math.max(1, bars)
  const ground = HEIGHT - FOOT_PX
  const y = (share: number) => ground - share * (ground - TOP_PX)
  const starts = startsOf(groups)
  return (
    <>
      <ValueAxis ticks={TICKS} y={y} label={percent} start={START_PX} width={width} />
      {groups.map((group, at) => {
        const category = categoryOf(group[0]?.category ?? '')
        const x = START_PX + (starts[at] ?? 0) * step
        const groupPx = group.length * step
        return (
          <g key={group[0]?.category} style={clothStyle(category)}>
            {group.map(({ id, name, share, solves, shift }, place) => (
              <g key={id}>
                <title>{`${name}: ${percent(share)}, ${number(solves)} ${text.solves}`}</title>
                {/* Also a bar of nothing can be pointed at. */}
                <rect
                  x={x + place * step}
                  y={TOP_PX}
                  width={step}
                  height={ground - TOP_PX}
                  fill="transparent"
                />
                <rect
                  className={styles.share}
                  x={x + place * step + step * 0.1}
                  y={Math.min(y(share), ground - 2)}
                  width={step * 0.8}
                  height={Math.max(2, ground - y(share))}
                />
                {Math.abs(shift.bySolves) >= LEAST_SHIFT && (
                  <Sign isHarder={shift.bySolves > 0} x={x + (place + 0.5) * step} y={y(share) - 3} />
                )}
              </g>
            ))}
            <path className={styles.group} d={`M${x} ${ground + 0.5}h${groupPx}`} />
            {groupPx > CODE_PX && (
              <text x={x + groupPx / 2} y={HEIGHT - 8} textAnchor="middle">
                {category.code}
              </text>
            )}
          </g>
        )
      })}
    </>
  )
}

/** A triangle on top of a bar: down for harder, up for easier than expected. */
function Sign({ isHarder, x, y }: { readonly isHarder: boolean; readonly x: number; readonly y: number }) {
  const path = isHarder ? 'M-4.5-7h9L0 0Z' : 'M-4.5 0h9L0-7Z'
  return (
    <path className={isHarder ? styles.harder : styles.easier} d={path} transform={`translate(${x} ${y})`} />
  )
}

function startsOf(groups: readonly (readonly unknown[])[]): number[] {
  let start = 0
  return groups.map((group) => {
    const own = start
    start += group.length + GAP
    return own
  })
}

function Unusual({
  challenges,
  linkOf,
}: Pick<PartProps, 'linkOf'> & Pick<PartProps['report'], 'challenges'>) {
  const text = useMessages(statisticsMessages)
  const { number } = useFormat()
  const { harder, easier } = unusualOf(challenges)
  if (harder.length + easier.length === 0) return <p className={styles.fine}>{text.asExpected}</p>
  const lists = [
    [text.harder, harder, styles.harder],
    [text.easier, easier, styles.easier],
  ] as const
  return (
    <div className={styles.unusual}>
      {lists.map(
        ([title, list, sign]) =>
          list.length > 0 && (
            <section key={title} aria-label={title}>
              <h3>
                <svg aria-hidden="true" width={11} height={9} viewBox="-5 -8 10 9">
                  <path className={sign} d={list === harder ? 'M-4.5-7h9L0 0Z' : 'M-4.5 0h9L0-7Z'} />
                </svg>
                {title}
              </h3>
              <ul>
                {list.map(({ id, name, category, share, shift }) => (
                  <li key={id}>
                    <CategoryMark name={category} form="icon" />
                    <Link to={linkOf(id)}>
                      <bdi>{name}</bdi>
                    </Link>
                    <small>{text.shiftBy(number(Math.abs(shift.bySolves)), percent(share))}</small>
                  </li>
                ))}
              </ul>
            </section>
          ),
      )}
    </div>
  )
}
