import { useEffect, useState } from 'react'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { serverNow, useTimed } from '../../../state/clock.ts'
import { challengesMessages } from '../../../text/en/challenges.ts'
import { useFormat, useMessages } from '../../../text/messages.ts'
import { cx } from '../../../ui/cx.ts'
import styles from './flag.module.css'
import { maxTries, triesLeft, type Tries } from './tries.ts'
import type { Outcome } from './use-submission.ts'

const TENTH_MS = 100

interface FlagStatusProps {
  readonly outcome: Outcome | null
  readonly tries: Tries
}

/** One line below the box: the result of the last flag and the attempts left. */
export function FlagStatus({ outcome, tries }: FlagStatusProps) {
  const text = useMessages(challengesMessages)
  const format = useFormat()
  const isHeld = useTimed((now) => now < tries.waitUntil)
  const left = useTimed((now) => triesLeft(tries, now))
  const wasHeld = tries.waitUntil > 0 && outcome === null
  const wholeSeconds = format.number(Math.ceil(tries.waitMs / SECOND_MS))
  return (
    <div className={styles.status}>
      <p role="status" className={cx(styles.said, isHeld ? 'pn-warn' : outcome && styles[outcome.tone])}>
        {/* Announced once; the countdown next to it is visual only. */}
        {isHeld && (
          <>
            {text.tooManyAttempts} <span className="pn-hidden">{text.wait(wholeSeconds)}</span>
          </>
        )}
        {!isHeld && (outcome?.text ?? (wasHeld && text.canRetry))}
      </p>
      {isHeld ? <Hold tries={tries} /> : left < maxTries && <Pips left={left} />}
    </div>
  )
}

/** Attempts left; one is restored every five seconds. */
function Pips({ left }: { readonly left: number }) {
  const text = useMessages(challengesMessages)
  const format = useFormat()
  return (
    <span
      role="img"
      className={styles.pips}
      aria-label={text.triesLeft(left, format.number(left))}
      title={text.triesLeft(left, format.number(left))}
    >
      {Array.from({ length: maxTries }, (_, at) => (
        <span key={at} className={styles.pip} data-full={at < left || undefined} />
      ))}
    </span>
  )
}

/** Time until the next attempt in tenths of a second, with a shrinking bar. */
function Hold({ tries: { waitUntil, waitMs } }: { readonly tries: Tries }) {
  const text = useMessages(challengesMessages)
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
