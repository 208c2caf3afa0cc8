import { visibilityLevels, visibleParts, type VisiblePart } from '@pennant/contract/visibility.ts'
import { useMessages } from '../../text/messages.ts'
import { closedMessages } from '../../text/en/closed.ts'
import { Select } from '../../ui/fields/inputs.tsx'
import { Setting } from './setting.tsx'
import styles from './settings.module.css'
import type { SettingsForm } from './use-settings.ts'

/** Who sees each part of the event: docs/operate/closed-events.md */
export function VisibilityPart({ form }: { readonly form: SettingsForm }) {
  const text = useMessages(closedMessages)
  const { visibility } = form.values
  return (
    <Setting form={form} name="visibility">
      <div className={styles.pair}>
        {visibleParts.map((part) => {
          const current = visibility[part] ?? 'everyone'
          return (
            <Select
              key={part}
              name={`visibility.${part}`}
              label={text.part[part]}
              help={text.partHelp[part]}
              value={current}
              choices={visibilityLevels
                .filter((level) => level !== 'division' || level === current || hasDivisions(part))
                .map((level) => ({ value: level, label: text.level[level] }))}
              onChange={(level) => form.set({ visibility: { ...visibility, [part]: level } })}
            />
          )
        })}
      </div>
    </Setting>
  )
}

/** The other parts are the same for all divisions. */
function hasDivisions(part: VisiblePart): boolean {
  return part === 'scoreboard' || part === 'profiles'
}
