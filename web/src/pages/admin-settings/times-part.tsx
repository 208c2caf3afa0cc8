import { useTimed } from '../../state/clock.ts'
import { adminSettingsMessages } from '../../text/en/admin-settings.ts'
import { useMessages } from '../../text/messages.ts'
import { partsOf } from '../../ui/data/durations.ts'
import { DateTime } from '../../ui/fields/date-time.tsx'
import { Icon } from '../../ui/icon.tsx'
import { draftTimeOf, fieldTimeOf, INCOMPLETE, valuesOf } from './draft.ts'
import { phaseAt } from './phase-change.ts'
import { Setting } from './setting.tsx'
import styles from './settings.module.css'
import { useConsequence } from './use-consequence.ts'
import type { SettingsForm } from './use-settings.ts'

const TIMES = ['startTime', 'endTime'] as const

/** Start, end and duration of the event, and the immediate effect of a change. */
export function TimesPart({ form }: { readonly form: SettingsForm }) {
  const text = useMessages(adminSettingsMessages)
  const { startTime, endTime } = form.values
  const length = endTime - startTime
  return (
    <>
      <div className={styles.pair}>
        {TIMES.map((name) => (
          <Setting key={name} form={form} name={name}>
            <DateTime
              name={name}
              label={text.names[name]}
              value={fieldTimeOf(form.values[name])}
              error={form.errors[name]}
              onChange={(at) => form.set({ [name]: draftTimeOf(at) })}
            />
          </Setting>
        ))}
      </div>
      {length > 0 && length < INCOMPLETE && <p className={styles.note}>{text.lasts(partsOf(length))}</p>}
      <Follows form={form} />
    </>
  )
}

/** Rendered from the start, so that screen readers announce changes. */
function Follows({ form }: { readonly form: SettingsForm }) {
  const text = useMessages(adminSettingsMessages)
  const consequence = useConsequence()
  const saved = valuesOf(form.saved)
  // Re-renders when the clock passes a start or end time.
  useTimed((now) => phaseAt(saved, now))
  useTimed((now) => phaseAt(form.values, now))
  const what = consequence(saved, form.values)
  return (
    <div role="status" className={styles.follows}>
      {what && (
        <p>
          <Icon name="alert" /> {text.onSave} {what.text}
        </p>
      )}
    </div>
  )
}
