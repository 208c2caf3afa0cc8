import { useEffect, useRef, useState } from 'react'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import { useConfig } from '../../api/use-contest.ts'
import { useNow } from '../../state/clock.ts'
import { phaseOf } from '../../state/phase.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { TimeLeft } from '../../ui/data/countdown.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Tooltip } from '../../ui/layers/floats.tsx'
import styles from './header.module.css'
import { phaseChangeBetween, type PhaseChange } from './phase-changes.ts'
import { setTitlePrefix } from '../title.ts'

/** Beyond this a date is more useful than a countdown. */
const MAX_COUNTED_MS = 99 * DAY_MS
/** From this long before the start, the title shows the countdown too. */
const TITLE_FROM_MS = 10 * MINUTE_MS

/** The phase and countdown of the event, for the header. */
export function PhaseClock() {
  const config = useConfig()
  const text = useMessages(frameMessages)
  const format = useFormat()
  if (!config) return <span className={styles.clock} />
  const { startTime, endTime } = config
  const both =
    config.scheduled === false
      ? [text.notScheduledText]
      : [
          text.from(format.dateTime(startTime), format.utc(startTime)),
          text.to(format.dateTime(endTime), format.utc(endTime)),
        ]
  return (
    <>
      <Tooltip
        text={both.map((line) => (
          <div key={line}>{line}</div>
        ))}
      >
        <button type="button" className={styles.clock}>
          <Icon name="clock" />
          <Face config={config} />
        </button>
      </Tooltip>
      <Announcer config={config} />
    </>
  )
}

type Config = NonNullable<ReturnType<typeof useConfig>>

function Face({ config }: { readonly config: Config }) {
  const now = useNow()
  useTitleCount(phaseOf(config, now) === 'before' ? config.startTime - now : null)
  return <PhaseText config={config} wordClass={styles.clockWord} />
}

interface PhaseTextProps {
  readonly config: Config
  readonly wordClass?: string | undefined
}

/** The same texts; also replaces `<timer/>` in descriptions. */
export function PhaseText({ config, wordClass }: PhaseTextProps) {
  const now = useNow()
  const text = useMessages(frameMessages)
  const format = useFormat()
  const phase = phaseOf(config, now)
  if (phase === 'archived') return text.archive
  if (config.scheduled === false) return text.notScheduled
  if (phase === 'ended') return text.ended(format.relative(config.endTime, now))
  const isBefore = phase === 'before'
  const until = isBefore ? config.startTime : config.endTime
  if (until - now > MAX_COUNTED_MS) {
    const date = format.date(until)
    return isBefore ? text.startsOn(date) : text.endsOn(date)
  }
  return (
    <>
      <span className={wordClass}>{isBefore ? text.startsIn : text.endsIn}</span>{' '}
      <TimeLeft leftMs={until - now} long />
    </>
  )
}

function useTitleCount(leftMs: number | null): void {
  const text = useMessages(frameMessages)
  const shown = leftMs !== null && leftMs <= TITLE_FROM_MS ? clock(leftMs) : null
  useEffect(() => {
    setTitlePrefix('phase', shown === null ? null : `${text.soonTitle(shown)} ·`)
    return () => setTitlePrefix('phase', null)
  }, [shown, text])
}

function clock(ms: number): string {
  const seconds = Math.ceil(ms / SECOND_MS)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** Announces phase changes, and only these, to screen readers. */
function Announcer({ config }: { readonly config: Config }) {
  const text = useMessages(frameMessages)
  const now = useNow()
  const [announced, setAnnounced] = useState<PhaseChange | null>(null)
  const last = useRef(now)
  useEffect(() => {
    const change = config.isArchived ? null : phaseChangeBetween(config, last.current, now)
    last.current = now
    if (change !== null) setAnnounced(change)
  }, [config, now])
  return (
    <span className="pn-hidden" aria-live="polite">
      {announced !== null && text.announce[announced]}
    </span>
  )
}
