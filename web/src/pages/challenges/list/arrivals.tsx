import { useEffect, useRef, useState, type RefObject } from 'react'
import { challengesMessages } from '../../../text/en/challenges.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import type { Challenge } from '../../../challenge/challenge.ts'
import { focusRow } from './keys.ts'
import styles from './list.module.css'
import { isScroller } from './scroll-anchor.ts'

interface ArrivalsProps {
  readonly challenges: readonly Challenge[]
  readonly scroller: RefObject<HTMLElement | null>
}

/**
 * Announces challenges that were released while the user is scrolled down, and jumps to them. Overlays the
 * list without shifting it.
 */
export function Arrivals({ challenges, scroller }: ArrivalsProps) {
  const text = useMessages(challengesMessages)
  const format = useFormat()
  const known = useRef<ReadonlySet<string>>(undefined)
  const [arrived, setArrived] = useState<readonly string[]>([])
  useEffect(() => {
    const before = known.current
    const ids = challenges.map(({ id }) => id)
    known.current = new Set(ids)
    if (!before) return
    const fresh = ids.filter((id) => !before.has(id))
    const isRead = isReadFurtherDown(scroller.current)
    setArrived((now) => {
      const kept = now.filter((id) => known.current?.has(id))
      const next = isRead ? [...kept, ...fresh] : kept
      return next.length === 0 && now.length === 0 ? now : next
    })
  }, [challenges, scroller])
  const show = () => {
    const [first] = arrived
    setArrived([])
    if (first !== undefined) focusRow(first)
  }
  return (
    <div role="status" className={styles.arrivals}>
      {arrived.length > 0 && (
        <Button tone="primary" icon="chevronUp" onClick={show}>
          {text.arrived(arrived.length, format.number(arrived.length))}
        </Button>
      )}
    </div>
  )
}

function isReadFurtherDown(list: HTMLElement | null): boolean {
  if (!list) return false
  return (isScroller(list) ? list.scrollTop : window.scrollY) > 0 || list.matches(':hover')
}
