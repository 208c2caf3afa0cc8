import { useTimed } from '../../state/clock.ts'
import { phaseOf } from '../../state/phase.ts'
import { useText } from '../../text/catalogue.ts'
import { partsOf } from '../../ui/data/durations.ts'
import { DateTime } from '../../ui/fields/date-time.tsx'
import { Icon } from '../../ui/icon.tsx'
import { valuesOf } from './draft.ts'
import { Setting } from './setting.tsx'
import styles from './settings.module.css'
import { useConsequence } from './use-consequence.ts'
import type { SettingsForm } from './use-settings.ts'
import { words } from './words.ts'

const TIMES = ['startTime', 'endTime'] as const

/** When the event is, how long, and what follows at once from a change. */
export function TimesPart({ form }: { readonly form: SettingsForm }) {
  const text = useText(words)
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
              value={Number.isNaN(form.values[name]) ? null : form.values[name]}
              error={form.errors[name]}
              onChange={(at) => form.set({ [name]: at ?? Number.NaN })}
            />
          </Setting>
        ))}
      </div>
      {length > 0 && <p className={styles.note}>{text.lasts(partsOf(length))}</p>}
      <Follows form={form} />
    </>
  )
}

/** The place is there before, so that readers hear it. */
function Follows({ form }: { readonly form: SettingsForm }) {
  const text = useText(words)
  const consequence = useConsequence()
  const saved = valuesOf(form.saved)
  // Renders when the clock alone carries one of the two over its start or end.
  useTimed((now) => phaseOf({ ...saved, isArchived: false }, now))
  useTimed((now) => phaseOf({ ...form.values, isArchived: false }, now))
  const what = consequence(saved, form.values)
  return (
    <div role="status" className={styles.follows}>
      {what && (
        <p>
          <Icon name="alert" /> {text.whenSaved} {what.text}
        </p>
      )}
    </div>
  )
}
