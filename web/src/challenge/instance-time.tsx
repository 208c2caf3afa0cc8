import { useEffect } from 'react'
import { setTitlePrefix } from '../layout/title.ts'
import { useTimed } from '../state/clock.ts'
import { useText } from '../text/catalogue.ts'
import { clockText } from '../ui/data/durations.ts'
import { TimeLeft } from '../ui/data/countdown.tsx'
import { SOON_MS } from './instance-warning.ts'
import styles from './live.module.css'
import { liveWords } from './live-words.ts'
import { leftOf, type SeenInstance } from './use-instance.ts'

const SECOND_MS = 1000
const NOW_MS = 60 * SECOND_MS

/** Milliseconds that an instance has left, in whole seconds. */
export function useTimeLeft(state: SeenInstance): number | null {
  return useTimed(() => {
    const left = leftOf(state)
    return left === null ? null : Math.max(0, Math.round(left / SECOND_MS) * SECOND_MS)
  })
}

/** Whether it is time to extend. */
export function isSoon(leftMs: number | null): boolean {
  return leftMs !== null && leftMs < SOON_MS
}

interface InstanceTimeProps {
  readonly leftMs: number
  readonly lifeMs: number
}

/** How long the instance lives on; when it is about to end the tab's title tells too. */
export function InstanceTime({ leftMs, lifeMs }: InstanceTimeProps) {
  const text = useText(liveWords)
  const isOut = isSoon(leftMs)
  const prefix = isOut ? `(${clockText(leftMs)})` : null
  useEffect(() => {
    setTitlePrefix('instance', prefix)
    return () => setTitlePrefix('instance', null)
  }, [prefix])
  return (
    <div className={styles.left}>
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
