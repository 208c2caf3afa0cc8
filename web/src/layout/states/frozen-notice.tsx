import type { ReactNode } from 'react'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { useConfig } from '../../api/use-contest.ts'
import { useNow, useTimed } from '../../state/clock.ts'
import { freezeMessages } from '../../text/en/freeze.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { TimeLeft } from '../../ui/data/countdown.tsx'
import { Icon } from '../../ui/icon.tsx'
import styles from './frozen-notice.module.css'

/** From this long before the freeze, a countdown is shown. */
const COUNTED_MS = HOUR_MS

/** Whether the standings are frozen now: docs/reference/freeze.md */
function useIsFrozen(): boolean {
  const freezeTime = useConfig()?.freezeTime ?? Infinity
  return useTimed((now) => now >= freezeTime)
}

interface FrozenNoticeProps {
  /** What the reader sees besides the frozen standings. */
  readonly children?: ReactNode
}

/** Shows since when the standings are frozen, or how long until then. The live region is always rendered. */
export function FrozenNotice({ children }: FrozenNoticeProps) {
  const freezeTime = useConfig()?.freezeTime
  const isFrozen = useIsFrozen()
  const isSoon = useTimed(
    (now) => freezeTime !== undefined && now < freezeTime && freezeTime - now <= COUNTED_MS,
  )
  return (
    <div role="status">
      {isFrozen && freezeTime !== undefined && <Frozen since={freezeTime}>{children}</Frozen>}
      {isSoon && freezeTime !== undefined && <Soon at={freezeTime} />}
    </div>
  )
}

function Frozen({ since, children }: FrozenNoticeProps & { readonly since: number }) {
  const text = useMessages(freezeMessages)
  const format = useFormat()
  const isToday = useTimed((now) => format.date(now) === format.date(since))
  return (
    <div className={styles.notice}>
      <strong>
        <Icon name="clock" /> {text.since(isToday ? format.time(since) : format.dateTime(since))}
      </strong>
      {children ?? <span>{text.others}</span>}
    </div>
  )
}

function Soon({ at }: { readonly at: number }) {
  const text = useMessages(freezeMessages)
  const now = useNow()
  return (
    <div className={styles.notice}>
      <span>
        <Icon name="clock" /> {text.soon} <TimeLeft leftMs={at - now} long />
      </span>
    </div>
  )
}
