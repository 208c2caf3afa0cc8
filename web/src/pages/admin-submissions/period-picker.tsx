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
  const customise = (from: number | null, until: number | null) => {
    if (!Number.isNaN(from) && !Number.isNaN(until)) onChange(customPeriod(from, until))
  }
  const choose = (chosen: string) => {
    if (chosen === 'custom') customise(after, before)
    else onChange(chosen === 'all' ? '' : chosen)
  }
  const isReversed = after !== null && before !== null && after >= before
  return (
    <>
      <Select label={text.time} value={name} choices={choices} onChange={choose} />
      {name === 'custom' && (
        <>
          <DateTime
            compact
            label={text.from}
            value={after}
            onChange={(instant) => customise(instant, before)}
          />
          <DateTime
            compact
            label={text.until}
            value={before}
            {...(isReversed ? { error: text.untilTooEarly } : {})}
            onChange={(instant) => customise(after, instant)}
          />
        </>
      )}
    </>
  )
}
