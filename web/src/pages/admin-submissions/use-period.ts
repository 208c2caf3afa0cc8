import { useMemo } from 'react'
import { useConfig } from '../../api/use-contest.ts'
import { serverNow } from '../../state/clock.ts'
import { adminSubmissionsMessages } from '../../text/en/admin-submissions.ts'
import { useMessages } from '../../text/messages.ts'
import { periodOf, PERIODS } from './period.ts'

/**
 * The selected period. `chosen` is a named period, relative to the time of selection, or a custom range
 * `<from>-<until>` in Unix milliseconds, where either bound can be missing.
 */
export function usePeriod(chosen: string) {
  const text = useMessages(adminSubmissionsMessages)
  const start = useConfig()?.startTime ?? null
  const period = useMemo(() => periodOf(chosen, start, serverNow()), [chosen, start])
  return { ...period, choices: PERIODS.map((value) => ({ value, label: text.periods[value] })) }
}
