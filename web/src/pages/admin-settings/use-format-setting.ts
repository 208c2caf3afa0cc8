import { settingsLimits } from '@pennant/contract/admin-settings.ts'
import { adminSettingsMessages } from '../../text/en/admin-settings.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { INCOMPLETE, type Sponsor, type Values } from './draft.ts'

/** Long texts are cut to this length. */
const MAX_SHOWN = 80

/** Formats the value of a setting on one line. */
export function useFormatSetting() {
  const text = useMessages(adminSettingsMessages)
  const format = useFormat()
  return (value: Values[keyof Values]): string => {
    if (value === INCOMPLETE) return text.incomplete
    if (typeof value === 'boolean') return value ? text.on : text.off
    if (typeof value === 'number') {
      if (Number.isNaN(value)) return text.none
      return value > settingsLimits.teams ? format.dateTime(value) : format.number(value)
    }
    if (typeof value !== 'string') return value.length === 0 ? text.none : format.list(value.map(nameOf))
    if (Object.hasOwn(text.registrationModes, value))
      return text.registrationModes[value as keyof typeof text.registrationModes]
    const line = value.trim().replace(/\s+/g, ' ')
    if (line === '') return text.empty
    return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN - 1)}…` : line
  }
}

function nameOf({ name }: Sponsor): string {
  return name
}
