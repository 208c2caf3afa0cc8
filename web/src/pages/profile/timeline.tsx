import { useState, type KeyboardEvent } from 'react'
import { Link, useNavigate } from 'react-router'
import { paths } from '../../paths.ts'
import { profileMessages } from '../../text/en/profile.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { clockText } from '../../ui/data/durations.ts'
import { compareCategories } from '../../ui/marks/categories.ts'
import { CategoryMark } from '../../ui/marks/category-mark.tsx'
import type { Solve } from './solve-rows.ts'
import { fitted, moved, shareOf, showing, zoomed, type Range } from './timeline-maths.ts'
import { TimelinePlot } from './timeline-plot.tsx'
import styles from './timeline.module.css'

interface TimelineProps {
  readonly solves: readonly Solve[]
  readonly whole: Range
}

const CLOSER = 0.5
const PAGE = 0.5

/** Timeline of the team's solves: one lane per category, one icon per solve. */
export function Timeline({ solves, whole }: TimelineProps) {
  const text = useMessages(profileMessages)
  const navigate = useNavigate()
  const { range, setRange, selected, select } = useView(solves, whole)
  const lanes = [...new Set(solves.map(({ category }) => category))].sort(compareCategories)
  const zoom = (factor: number) => {
    const middle = (range.from + range.to) / 2
    const isSeen = selected && Math.abs(shareOf(selected.createdAt, range) - 0.5) <= 0.5
    setRange(zoomed(range, factor, isSeen ? selected.createdAt : middle))
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => select(-1),
    ArrowRight: () => select(1),
    Home: () => select(-Infinity),
    End: () => select(Infinity),
    '+': () => zoom(CLOSER),
    '-': () => zoom(1 / CLOSER),
    Escape: () => setRange(whole),
    Enter: () => selected && void navigate(paths.challenge(selected.id)),
  }
  const onKey = (event: KeyboardEvent) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
  return (
    <div className="pn-stack pn-gap-2">
      <div className="pn-wrap pn-gap-2">
        <Button onClick={() => zoom(CLOSER)}>{text.zoomIn}</Button>
        <Button onClick={() => zoom(1 / CLOSER)}>{text.zoomOut}</Button>
        <Button onClick={() => setRange(moved(range, -PAGE))}>{text.earlier}</Button>
        <Button onClick={() => setRange(moved(range, PAGE))}>{text.later}</Button>
        <Button onClick={() => setRange(whole)}>{text.resetZoom}</Button>
      </div>
      <div className={styles.lanes}>
        <div className={styles.names}>
          {lanes.map((name) => (
            <CategoryMark key={name} name={name} />
          ))}
        </div>
        <div
          className={styles.place}
          role="group"
          aria-label={text.timelineOf(solves.length)}
          aria-description={text.timelineKeys}
          tabIndex={0}
          onKeyDown={onKey}
        >
          <TimelinePlot {...{ solves, lanes, whole, range, selected, setRange }} onPoint={select} />
        </div>
      </div>
      <SolveDetails solve={selected} start={whole.from} />
    </div>
  )
}

/** The visible time range and the selected solve. */
function useView(solves: readonly Solve[], whole: Range) {
  const [zoomedTo, setZoomedTo] = useState<Range | null>(null)
  const [selectedId, setSelectedId] = useState<string | null>(null)
  // The whole range grows during the event.
  const range = zoomedTo ? fitted(zoomedTo, whole) : whole
  const setRange = (next: Range) => {
    const inside = fitted(next, whole)
    setZoomedTo(inside.from === whole.from && inside.to === whole.to ? null : inside)
  }
  const order = solves.toSorted((left, right) => left.createdAt - right.createdAt)
  const at = order.findIndex(({ id }) => id === selectedId)
  /** Selects a solve directly, or moves by a number of steps from the selected one. */
  const select = (what: Solve | number) => {
    const from = at < 0 && what === -1 ? order.length : at
    const next = typeof what === 'number' ? order[Math.min(Math.max(from + what, 0), order.length - 1)] : what
    if (!next) return
    setSelectedId(next.id)
    setRange(showing(range, next.createdAt))
  }
  return { range, setRange, selected: order[at], select }
}

/** Details of the selected or hovered solve, below the lanes. */
function SolveDetails({ solve, start }: { readonly solve: Solve | undefined; readonly start: number }) {
  const text = useMessages(profileMessages)
  const format = useFormat()
  if (!solve) return <p className={styles.details}>{text.timelineHelp}</p>
  const facts = [
    solve.category,
    ...(solve.points === null ? [] : [text.pointsCount(format.number(solve.points))]),
    text.afterStart(clockText(Math.max(0, solve.createdAt - start))),
    ...(solve.bloodIndex === null ? [] : [text.bloods[solve.bloodIndex] ?? '']),
  ]
  return (
    <p className={styles.details} aria-live="polite">
      <Link to={paths.challenge(solve.id)}>
        <bdi>{solve.name}</bdi>
      </Link>{' '}
      {facts.join(' · ')}
    </p>
  )
}
