import { adminSubmissionsMessages } from '../../text/en/admin-submissions.ts'
import { useMessages } from '../../text/messages.ts'
import { DateTime } from '../../ui/fields/date-time.tsx'
import { Select } from '../../ui/fields/inputs.tsx'
import { customPeriod } from './period.ts'
import type { usePeriod } from './use-period.ts'

interface PeriodPickerProps {
  readonly period: ReturnType<typeof usePeriod>
  /** The period in URL format; empty for all. */
  readonly onChange: (time: string) => void
}

/** Selects a named period or a custom time range. */
export function PeriodPicker({ period, onChange }: PeriodPickerProps) {
  const text = useMessages(adminSubmissionsMessages)
  const { name, after, before, choices } = period
  const choose = (chosen: string) => {
    if (chosen === 'custom') onChange(customPeriod(after, before))
    else onChange(chosen === 'all' ? '' : chosen)
  }
  const isReversed = after !== null && before !== null && after >= before
  return (
    <>
      <Select label={text.period} value={name} choices={choices} onChange={choose} />
      {name === 'custom' && (
        <>
          <DateTime
            label={text.from}
            value={after}
            onChange={(instant) => onChange(customPeriod(instant, before))}
          />
          <DateTime
            label={text.until}
            value={before}
            {...(isReversed ? { error: text.untilTooEarly } : {})}
            onChange={(instant) => onChange(customPeriod(after, instant))}
          />
        </>
      )}
    </>
  )
}
