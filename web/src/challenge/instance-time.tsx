import { useEffect, useRef } from 'react'
import { setTitlePrefix } from '../layout/title.ts'
import { useTimed } from '../state/clock.ts'
import { useText } from '../text/catalogue.ts'
import { clockText } from '../ui/data/durations.ts'
import { TimeLeft } from '../ui/data/countdown.tsx'
import { useToasts } from '../ui/layers/toasts.tsx'
import { comesToEnd } from './instance-warning.ts'
import styles from './live.module.css'
import { liveWords } from './live-words.ts'

const SECOND_MS = 1000
const SOON_MS = 300 * SECOND_MS
const NOW_MS = 60 * SECOND_MS

/** Milliseconds that an instance has left, in whole seconds. `seenAt` is of `performance.now()`. */
export function useTimeLeft(state: {
  readonly seenAt: number
  readonly timeLeftMilliseconds: number | null
}) {
  const { seenAt, timeLeftMilliseconds } = state
  return useTimed(() => {
    if (timeLeftMilliseconds === null) return null
    const left = timeLeftMilliseconds - (performance.now() - seenAt)
    return Math.max(0, Math.round(left / SECOND_MS) * SECOND_MS)
  })
}

/** Whether it is time to extend. */
export function isSoon(leftMs: number | null): boolean {
  return leftMs !== null && leftMs < SOON_MS
}

interface InstanceTimeProps {
  readonly challenge: { readonly id: string; readonly name: string }
  readonly leftMs: number
  readonly lifeMs: number
}

/** How long the instance lives on: told in the tab's title, and once elsewhere, when it is about to end. */
export function InstanceTime({ challenge: { id, name }, leftMs, lifeMs }: InstanceTimeProps) {
  const text = useText(liveWords)
  const toasts = useToasts()
  const line = useRef<HTMLDivElement>(null)
  const isOut = isSoon(leftMs)
  const prefix = isOut ? `(${clockText(leftMs)})` : null
  useEffect(() => {
    setTitlePrefix('instance', prefix)
    return () => setTitlePrefix('instance', null)
  }, [prefix])
  useEffect(() => {
    if (comesToEnd(id, isOut) && line.current && !isInSight(line.current))
      toasts.show(text.expires(name, Math.max(1, Math.round(leftMs / NOW_MS))))
    // When it becomes so; the time goes on every second.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [id, isOut])
  return (
    <div ref={line} className={styles.left}>
      {text.timeLeft} <TimeLeft leftMs={leftMs} />
      <progress
        className={styles.bar}
        aria-hidden="true"
        max={Math.max(lifeMs, leftMs)}
        value={leftMs}
        data-urgency={leftMs < NOW_MS ? 'now' : isOut ? 'soon' : undefined}
      />
    </div>
  )
}

function isInSight(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < window.innerHeight
}
