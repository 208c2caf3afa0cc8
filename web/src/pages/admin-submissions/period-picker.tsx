import { useText } from '../../text/catalogue.ts'
import { DateTime } from '../../ui/fields/date-time.tsx'
import { Select } from '../../ui/fields/inputs.tsx'
import { customPeriod } from './period.ts'
import type { usePeriod } from './use-period.ts'
import { words } from './words.ts'

interface PeriodPickerProps {
  readonly period: ReturnType<typeof usePeriod>
  /** The address's form of the choice; empty for all. */
  readonly onChange: (time: string) => void
}

/** A period by name, or from one instant until another. */
export function PeriodPicker({ period, onChange }: PeriodPickerProps) {
  const text = useText(words)
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
