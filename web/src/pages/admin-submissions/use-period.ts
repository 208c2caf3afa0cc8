import { useMemo } from 'react'
import { useConfig } from '../../api/use-contest.ts'
import { serverNow } from '../../state/clock.ts'
import { useText } from '../../text/catalogue.ts'
import { words } from './words.ts'

const MINUTE_MS = 60_000
const NAMES = ['all', 'quarter', 'hour', 'start'] as const

/** From when on submissions are shown. Counted from the moment that the choice was made. */
export function usePeriod(chosen: string) {
  const text = useText(words)
  const start = useConfig()?.startTime ?? null
  const name = NAMES.find((known) => known === chosen) ?? 'all'
  const after = useMemo(() => {
    if (name === 'all') return null
    if (name === 'start') return start
    return serverNow() - (name === 'hour' ? 60 : 15) * MINUTE_MS
  }, [name, start])
  return { name, after, choices: NAMES.map((value) => ({ value, label: text.periods[value] })) }
}
