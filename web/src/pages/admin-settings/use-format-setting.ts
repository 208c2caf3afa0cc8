import { settingsLimits } from '@pennant/contract/admin-settings.ts'
import { adminSettingsMessages } from '../../text/en/admin-settings.ts'
import { visibleParts } from '@pennant/contract/visibility.ts'
import { closedMessages } from '../../text/en/closed.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { INCOMPLETE, type Sponsor, type TrackDraft, type Values } from './draft.ts'

/** Long texts are cut to this length. */
const MAX_SHOWN = 80

/** Formats the value of a setting on one line. */
export function useFormatSetting() {
  const text = useMessages(adminSettingsMessages)
  const closed = useMessages(closedMessages)
  const format = useFormat()
  return (value: Values[keyof Values]): string => {
    if (value === INCOMPLETE) return text.incomplete
    if (typeof value === 'boolean') return value ? text.on : text.off
    if (typeof value === 'number') {
      if (Number.isNaN(value)) return text.none
      return value > settingsLimits.teams ? format.dateTime(value) : format.number(value)
    }
    if (isVisibility(value)) {
      const parts = visibleParts.flatMap((part) => {
        const level = value[part] ?? 'everyone'
        return level === 'everyone' ? [] : `${closed.part[part]}: ${closed.level[level]}`
      })
      return parts.length === 0 ? closed.level.everyone : format.list(parts)
    }
    if (typeof value !== 'string') return value.length === 0 ? text.none : format.list(value.map(nameOf))
    if (Object.hasOwn(text.registrationModes, value))
      return text.registrationModes[value as keyof typeof text.registrationModes]
    const line = value.trim().replace(/\s+/g, ' ')
    if (line === '') return text.empty
    return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN - 1)}…` : line
  }
}

function isVisibility(value: Values[keyof Values]): value is Values['visibility'] {
  return typeof value === 'object' && !Array.isArray(value)
}

function nameOf(one: Sponsor | TrackDraft): string {
  return 'label' in one ? one.label : one.name
}
