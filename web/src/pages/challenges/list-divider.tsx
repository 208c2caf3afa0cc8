import { useRef, type KeyboardEvent, type PointerEvent } from 'react'
import { useStore } from '../../state/store.ts'
import { useText } from '../../text/catalogue.ts'
import { words } from '../../challenge/words.ts'
import styles from './challenges.module.css'
import { keepOfList, listMemory } from './list-memory.ts'

const LEAST = 320
const MOST = 560
const USUAL = 400
const STEP = 16

function move(to: number): void {
  keepOfList({ width: Math.round(Math.min(MOST, Math.max(LEAST, to))) })
}

/** Between list and challenge: dragged, or moved by the arrow keys; a double click gives the usual width back. */
export function ListDivider() {
  const text = useText(words)
  const { width = USUAL } = useStore(listMemory)
  const grip = useRef<{ readonly x: number; readonly width: number } | null>(null)
  const drag = (event: PointerEvent<HTMLElement>) => {
    if (!grip.current) return
    move(grip.current.width + (event.clientX - grip.current.x) * directionOf(event.currentTarget))
  }
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const along = { ArrowRight: STEP, ArrowLeft: -STEP }[event.key]
    const end = { Home: LEAST, End: MOST }[event.key]
    if (along === undefined && end === undefined) return
    event.preventDefault()
    move(end ?? width + (along ?? 0) * directionOf(event.currentTarget))
  }
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={text.listWidth}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      aria-valuenow={width}
      tabIndex={0}
      className={styles.divider}
      onDoubleClick={() => move(USUAL)}
      onKeyDown={press}
      onPointerDown={(event) => {
        grip.current = { x: event.clientX, width }
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={drag}
      onPointerUp={() => {
        grip.current = null
      }}
      onPointerCancel={() => {
        grip.current = null
      }}
    />
  )
}

/** The list stands at the start of the line: on the right where lines begin there. */
function directionOf(element: Element): 1 | -1 {
  return getComputedStyle(element).direction === 'rtl' ? -1 : 1
}
