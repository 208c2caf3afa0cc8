import { pageLocale } from '../../text/page-locale.ts'
import { useUiMessages } from '../ui-messages.ts'
import { Field, useIsStill, type FieldProps } from './field.tsx'
import styles from './fields.module.css'
import { echoOf, fromLocalText, toLocalText } from './local-time.ts'

interface DateTimeProps extends FieldProps {
  /** Unix milliseconds; null while empty. */
  readonly value: number | null
  readonly onChange: (value: number | null) => void
  readonly disabled?: boolean
}

/** A date and time in the user's time zone; the zone and UTC are shown below. */
export function DateTime({ value, onChange, disabled, ...field }: DateTimeProps) {
  const messages = useUiMessages()
  const isStill = useIsStill()
  const echo = value === null ? null : echoOf(value, pageLocale())
  return (
    <Field
      {...field}
      note={echo && <span className={styles.help}>{messages.zoneEcho(echo.local, echo.zone, echo.utc)}</span>}
    >
      {(control) => (
        <input
          {...control}
          type="datetime-local"
          step={1}
          disabled={disabled || isStill}
          className={styles.input}
          value={value === null ? '' : toLocalText(value)}
          onChange={(event) => onChange(fromLocalText(event.currentTarget.value))}
        />
      )}
    </Field>
  )
}
