import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@pennant/contract/durations.ts'
import { byLocale } from '../../text/page-locale.ts'

const percents = byLocale(
  (locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }),
)

export function percent(share: number): string {
  return percents().format(share)
}

const units = byLocale((locale) => {
  const unit = (name: string, digits: number) =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit: name,
      unitDisplay: 'short',
      maximumFractionDigits: digits,
    })
  return { day: unit('day', 1), hour: unit('hour', 1), minute: unit('minute', 0), second: unit('second', 0) }
})

/** A duration in its largest unit, such as `2.5 hr`. */
export function duration(ms: number): string {
  const { day, hour, minute, second } = units()
  if (ms >= 2 * DAY_MS) return day.format(ms / DAY_MS)
  if (ms >= HOUR_MS) return hour.format(ms / HOUR_MS)
  return ms >= MINUTE_MS ? minute.format(ms / MINUTE_MS) : second.format(Math.round(ms / SECOND_MS))
}
