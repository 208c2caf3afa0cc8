import { pageLocale } from '../page-locale.ts'
import { useWords } from '../words.ts'
import { Field, useIsStill, type FieldProps } from './field.tsx'
import styles from './fields.module.css'
import { echoOf, fromLocalText, toLocalText } from './local-time.ts'

interface DateTimeProps extends FieldProps {
  /** Unix milliseconds; null while empty. */
  readonly value: number | null
  readonly onChange: (value: number | null) => void
  readonly disabled?: boolean
}

/** An instant, entered in the visitor's zone; zone and UTC are echoed below. */
export function DateTime({ value, onChange, disabled, ...field }: DateTimeProps) {
  const words = useWords()
  const isStill = useIsStill()
  const echo = value === null ? null : echoOf(value, pageLocale())
  return (
    <Field
      {...field}
      note={echo && <span className={styles.help}>{words.zoneEcho(echo.local, echo.zone, echo.utc)}</span>}
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
