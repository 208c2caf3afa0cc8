import { useRef, type KeyboardEvent, type PointerEvent } from 'react'
import { useStore } from '../../../state/store.ts'
import { challengesMessages } from '../../../text/en/challenges.ts'
import { useMessages } from '../../../text/messages.ts'
import styles from '../challenges.module.css'
import { updateListMemory, listMemory } from './memory.ts'

const LEAST = 320
const MOST = 560
const USUAL = 336
const STEP = 16

function move(to: number): void {
  updateListMemory({ width: Math.round(Math.min(MOST, Math.max(LEAST, to))) })
}

/** Resizes the list by dragging or with the arrow keys; a double click restores the default width. */
export function ListDivider() {
  const text = useMessages(challengesMessages)
  const { width = USUAL } = useStore(listMemory)
  const grip = useRef<{ readonly x: number; readonly width: number } | null>(null)
  const drag = (event: PointerEvent<HTMLElement>) => {
    if (!grip.current) return
    move(grip.current.width + (event.clientX - grip.current.x) * directionOf(event.currentTarget))
  }
  const handleKey = (event: KeyboardEvent<HTMLElement>) => {
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
      onKeyDown={handleKey}
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

/** The list is on the left, or on the right in right-to-left languages. */
function directionOf(element: Element): 1 | -1 {
  return getComputedStyle(element).direction === 'rtl' ? -1 : 1
}
