import { useEffect, useState } from 'react'
import { serverNow, useTimed } from '../../state/clock.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { cx } from '../../ui/cx.ts'
import { words } from '../../challenge/words.ts'
import styles from './flag.module.css'
import { mostTries, triesLeft, type Tries } from './tries.ts'
import type { Outcome } from './use-submission.ts'

const TENTH_MS = 100
const SECOND_MS = 1000

interface FlagStatusProps {
  readonly outcome: Outcome | null
  readonly tries: Tries
}

/** The one line under the box: what became of the last flag, and how many tries are left. */
export function FlagStatus({ outcome, tries }: FlagStatusProps) {
  const text = useText(words)
  const format = useFormat()
  const isHeld = useTimed((now) => now < tries.waitUntil)
  const left = useTimed((now) => triesLeft(tries, now))
  const wasHeld = tries.waitUntil > 0 && outcome === null
  const wholeSeconds = format.number(Math.ceil(tries.waitMs / SECOND_MS))
  return (
    <div className={styles.status}>
      <p role="status" className={cx(styles.said, isHeld ? styles.warn : outcome && styles[outcome.tone])}>
        {/* Told once; what counts down is beside it, for the eye alone. */}
        {isHeld && (
          <>
            {text.tooFast} <span className="pn-hidden">{text.wait(wholeSeconds)}</span>
          </>
        )}
        {!isHeld && (outcome?.text ?? (wasHeld && text.again))}
      </p>
      {isHeld ? <Hold tries={tries} /> : left < mostTries && <Pips left={left} />}
    </div>
  )
}

/** Tries that are left; one comes back every five seconds. */
function Pips({ left }: { readonly left: number }) {
  const text = useText(words)
  const format = useFormat()
  return (
    <span
      role="img"
      className={styles.pips}
      aria-label={text.triesLeft(left, format.number(left))}
      title={text.triesLeft(left, format.number(left))}
    >
      {Array.from({ length: mostTries }, (_, at) => (
        <span key={at} className={styles.pip} data-full={at < left || undefined} />
      ))}
    </span>
  )
}

/** The time until the next try, in tenths, with a bar that drains. */
function Hold({ tries: { waitUntil, waitMs } }: { readonly tries: Tries }) {
  const text = useText(words)
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), TENTH_MS)
    return () => clearInterval(timer)
  }, [])
  const leftMs = Math.max(0, waitUntil - now)
  return (
    <span aria-hidden="true" className={styles.hold}>
      {text.wait((leftMs / SECOND_MS).toFixed(1))}
      <progress className={styles.drain} max={waitMs} value={Math.min(leftMs, waitMs)} />
    </span>
  )
}
