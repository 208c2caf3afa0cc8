import { useCallback, useId, useState, type PointerEvent } from 'react'
import { clockText } from '../../ui/data/durations.ts'
import { categoryOf } from '../../ui/marks/categories.ts'
import { categoryStyle } from '../../ui/marks/category-mark.tsx'
import type { Solve } from './solve-rows.ts'
import { timeAt, shareOf, spread, ticksOf, type Range } from './timeline-maths.ts'
import { BLOODS, signColour, type Sign } from '../../ui/marks/pennant.tsx'
import styles from './timeline.module.css'

const LANE_PX = 32
const AXIS_PX = 24
const SOLVED_PX = 12
/** With its digit. */
const MEDAL_PX = 22
/** Maximum distance between the pointer and an icon to select it. */
const NEAR_PX = 14
/** A shorter drag counts as a click. */
const SHORTEST_DRAG = 0.01
/** Labels closer to an edge than this share of the width are aligned inwards. */
const EDGE = 0.04

interface TimelinePlotProps {
  readonly solves: readonly Solve[]
  /** Category names, top to bottom. */
  readonly lanes: readonly string[]
  readonly whole: Range
  readonly range: Range
  readonly selected: Solve | undefined
  readonly setRange: (range: Range) => void
  readonly onPoint: (solve: Solve) => void
}

/** Lanes with icons. Visual only: keyboard navigation, text and the table of solves are equivalent. */
export function TimelinePlot(props: TimelinePlotProps) {
  const { solves, lanes, whole, range, selected } = props
  const id = useId()
  const { places, sized } = usePlaces(props)
  const { drag, ...pointer } = usePointer(props, places)
  const height = lanes.length * LANE_PX
  return (
    <svg
      ref={sized}
      className={styles.plot}
      aria-hidden="true"
      width="100%"
      height={height + AXIS_PX}
      {...pointer}
    >
      <Signs id={id} />
      {lanes.map((name, lane) => (
        <line key={name} className={styles.line} x1="0" x2="100%" y1={middleOf(lane)} y2={middleOf(lane)} />
      ))}
      {solves.map((solve) => (
        <use
          key={solve.id}
          href={`#${id}-${signOf(solve)}`}
          className={solve.bloodIndex === null ? styles.solved : signColour(signOf(solve))}
          style={categoryStyle(categoryOf(solve.category))}
          x={places.get(solve)}
          y={middleOf(lanes.indexOf(solve.category)) - 8}
        />
      ))}
      {selected && (
        <circle
          className={styles.selected}
          cx={places.get(selected)}
          cy={middleOf(lanes.indexOf(selected.category))}
          r="15"
          transform="translate(8 0)"
        />
      )}
      {drag && (
        <rect
          className={styles.drag}
          x={percent(Math.min(drag.from, drag.to))}
          width={percent(Math.abs(drag.to - drag.from))}
          y="0"
          height={height}
        />
      )}
      <Axis {...{ whole, range }} y={height + 16} />
    </svg>
  )
}

/** Where each solve is drawn, in pixels: at its time, moved aside where another one of its lane is. */
function usePlaces({ solves, lanes, range }: TimelinePlotProps) {
  const [width, setWidth] = useState(0)
  const sized = useCallback((plot: SVGSVGElement) => {
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    observer.observe(plot)
    return () => observer.disconnect()
  }, [])
  const places = new Map<Solve, number>()
  for (const lane of lanes) {
    const inLane = solves
      .filter(({ category }) => category === lane)
      .toSorted((left, right) => left.createdAt - right.createdAt)
    const marks = inLane.map((solve) => ({
      at: shareOf(solve.createdAt, range) * width,
      width: solve.bloodIndex === null ? SOLVED_PX : MEDAL_PX,
    }))
    for (const [index, place] of spread(marks, width).entries()) {
      const solve = inLane[index]
      if (solve) places.set(solve, place)
    }
  }
  return { places, sized }
}

/** Icon definitions, reused by each solve, so that a page with many solves stays light. */
function Signs({ id }: { readonly id: string }) {
  return (
    <defs>
      <g id={`${id}-solved`}>
        <path d="M0 1.500v13" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
        <path d="M2 2.8 9.4 6 2 9.200Z" fill="currentColor" />
      </g>
      {BLOODS.map((sign, at) => (
        <g key={sign} id={`${id}-${sign}`}>
          <path d="M0 1.500v13" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
          <path d="M2 2h9L8.400 5.600 11 9.200H2Z" fill="currentColor" />
          <text x="12" y="10" className={styles.digit}>
            {at + 1}
          </text>
        </g>
      ))}
    </defs>
  )
}

interface AxisProps {
  readonly whole: Range
  readonly range: Range
  readonly y: number
}

function Axis({ whole, range, y }: AxisProps) {
  return ticksOf(range, whole.from).map((at) => {
    const share = shareOf(at, range)
    return (
      <text
        key={at}
        className={styles.tick}
        x={percent(share)}
        y={y}
        textAnchor={share < EDGE ? 'start' : share > 1 - EDGE ? 'end' : 'middle'}
      >
        {clockText(at - whole.from)}
      </text>
    )
  })
}

/** Hovering selects the nearest icon, dragging zooms in, and a double click resets the zoom. */
function usePointer(
  { solves, lanes, whole, range, setRange, onPoint }: TimelinePlotProps,
  places: ReadonlyMap<Solve, number>,
) {
  const [drag, setDrag] = useState<Range | null>(null)
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const name = lanes[Math.floor((event.clientY - box.top) / LANE_PX)]
    const distance = (solve: Solve) => Math.abs((places.get(solve) ?? -Infinity) - (event.clientX - box.left))
    const near = solves
      .filter((solve) => solve.category === name && distance(solve) <= NEAR_PX)
      .sort((left, right) => distance(left) - distance(right))[0]
    if (near) onPoint(near)
  }
  return {
    drag,
    onPointerDown(event: PointerEvent<SVGSVGElement>) {
      if (event.button !== 0) return
      point(event)
      event.currentTarget.setPointerCapture(event.pointerId)
      const at = shareAt(event)
      setDrag({ from: at, to: at })
    },
    onPointerMove(event: PointerEvent<SVGSVGElement>) {
      if (drag) setDrag({ ...drag, to: shareAt(event) })
      else point(event)
    },
    onPointerUp() {
      if (drag && Math.abs(drag.to - drag.from) > SHORTEST_DRAG) {
        const ends = [timeAt(drag.from, range), timeAt(drag.to, range)] as const
        setRange({ from: Math.min(...ends), to: Math.max(...ends) })
      }
      setDrag(null)
    },
    onPointerCancel: () => setDrag(null),
    onDoubleClick: () => setRange(whole),
  }
}

function shareAt({ currentTarget, clientX }: PointerEvent<SVGSVGElement>): number {
  const { left, width } = currentTarget.getBoundingClientRect()
  return Math.min(Math.max((clientX - left) / Math.max(1, width), 0), 1)
}

function signOf({ bloodIndex }: Solve): Sign {
  return (bloodIndex === null ? undefined : BLOODS[bloodIndex]) ?? 'solved'
}

function middleOf(lane: number): number {
  return lane * LANE_PX + LANE_PX / 2
}

function percent(share: number): string {
  return `${(share * 100).toFixed(3)}%`
}
