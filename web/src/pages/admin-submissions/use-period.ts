import { useMemo } from 'react'
import { useConfig } from '../../api/use-contest.ts'
import { serverNow } from '../../state/clock.ts'
import { useText } from '../../text/catalogue.ts'
import { periodOf, PERIODS } from './period.ts'
import { words } from './words.ts'

/**
 * Which time's submissions are shown. `chosen` is the name of a period, counted from the moment that it was chosen, or
 * two instants: `<from>-<until>` in Unix milliseconds, each may be missing.
 */
export function usePeriod(chosen: string) {
  const text = useText(words)
  const start = useConfig()?.startTime ?? null
  const period = useMemo(() => periodOf(chosen, start, serverNow()), [chosen, start])
  return { ...period, choices: PERIODS.map((value) => ({ value, label: text.periods[value] })) }
}
