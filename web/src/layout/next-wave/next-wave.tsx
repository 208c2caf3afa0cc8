import { SECOND_MS } from '@pennant/contract/durations.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { nextWaveQuery } from '../../api/waves.ts'
import { useConfig } from '../../api/use-contest.ts'
import { useNow } from '../../state/clock.ts'
import { wavesMessages } from '../../text/en/waves.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Countdown, TimeLeft } from '../../ui/data/countdown.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import styles from './next-wave.module.css'

/** Every browser reads the next one in the same moment; their reads are spread. */
const SPREAD_MS = 10 * SECOND_MS

/** The next wave, if organisers announce one; null in an archive. */
export function useNextWave() {
  const config = useConfig()
  const queries = useQueryClient()
  const enabled = config !== undefined && config.isArchived !== true
  const next = useQuery({ ...nextWaveQuery, enabled }).data ?? null
  const isOpen = useNow() >= (next?.opensAt ?? Infinity)
  useEffect(() => {
    if (!isOpen) return
    const read = () => void queries.invalidateQueries({ queryKey: nextWaveQuery.queryKey })
    const timer = setTimeout(read, SECOND_MS + SPREAD_MS * Math.random())
    return () => clearTimeout(timer)
  }, [isOpen, queries])
  return isOpen ? null : next
}

/** On the home page: name, time and countdown. */
export function NextWavePanel() {
  const text = useMessages(wavesMessages)
  const format = useFormat()
  const now = useNow()
  const next = useNextWave()
  if (!next) return null
  const { name, opensAt, count } = next
  return (
    <Panel title={text.next(name)}>
      <div className={styles.clock}>
        <Countdown until={opensAt} now={now} label={text.next(name)} />
        <p>
          <span>
            {text.opens} <time dateTime={new Date(opensAt).toISOString()}>{format.dateTime(opensAt)}</time>
          </span>
          {count > 0 && <span>{text.count(count, format.number(count))}</span>}
        </p>
      </div>
    </Panel>
  )
}

/** Above the list of challenges, on one line. */
export function NextWaveLine() {
  const text = useMessages(wavesMessages)
  const format = useFormat()
  const now = useNow()
  const next = useNextWave()
  if (!next) return null
  const { name, opensAt } = next
  return (
    <p className={styles.line} title={format.dateTime(opensAt)}>
      <Icon name="clock" />
      <span className="pn-cut pn-grow">{text.next(name)}</span>
      <b>
        <TimeLeft leftMs={opensAt - now} long />
      </b>
    </p>
  )
}
