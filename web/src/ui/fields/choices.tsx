import { useId, type ReactNode } from 'react'
import { cx } from '../cx.ts'
import { Icon, type IconName } from '../icon.tsx'
import { useUiMessages } from '../ui-messages.ts'
import { FieldError, useIsStill, type FieldProps } from './field.tsx'
import styles from './fields.module.css'
import type { Choice } from './inputs.tsx'

interface SwitchProps extends FieldProps {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly disabled?: boolean
  /** `checkbox` to agree to a statement, `switch` for a setting that takes effect. */
  readonly kind?: 'switch' | 'checkbox'
}

export function Switch({
  label,
  help,
  error,
  name,
  checked,
  onChange,
  disabled,
  kind = 'switch',
}: SwitchProps) {
  const id = useId()
  const isStill = useIsStill()
  const described = [help !== undefined && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={styles.field}>
      <label className={styles.choice}>
        <input
          type="checkbox"
          name={name}
          disabled={disabled || isStill}
          checked={checked}
          aria-describedby={described || undefined}
          aria-invalid={error ? true : undefined}
          onChange={(event) => onChange(event.currentTarget.checked)}
          {...(kind === 'switch' ? { role: 'switch' } : {})}
        />
        <span>{label}</span>
      </label>
      {help !== undefined && (
        <span id={`${id}-help`} className={styles.help}>
          {help}
        </span>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}

interface RadioProps extends FieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly choices: readonly RadioChoice[]
  /** `segments`: side by side in one frame, for a few short labels. */
  readonly look?: 'list' | 'segments'
}

interface RadioChoice extends Choice {
  readonly help?: ReactNode
  readonly disabled?: boolean
  readonly icon?: IconName
}

/** A radio group: one of a few visible options. */
export function Radio({ look = 'list', value, onChange, choices, ...field }: RadioProps) {
  const { label, help, error, required, name } = field
  const messages = useUiMessages()
  const id = useId()
  const isStill = useIsStill()
  return (
    <fieldset className={styles.field} aria-describedby={error ? `${id}-error` : undefined}>
      <legend className={styles.label}>
        {label}
        {required && <span className={styles.required}> ({messages.required})</span>}
      </legend>
      {help !== undefined && <span className={styles.help}>{help}</span>}
      <div className={look === 'segments' ? styles.segments : 'pn-grid pn-gap-2'}>
        {choices.map((choice) => (
          <label key={choice.value} className={cx(look === 'segments' ? styles.segment : styles.choice)}>
            <input
              type="radio"
              name={name ?? id}
              value={choice.value}
              disabled={choice.disabled || isStill}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
            />
            {choice.icon && <Icon name={choice.icon} size={14} />}
            <span>
              {choice.label}
              {choice.help !== undefined && <span className={styles.help}> {choice.help}</span>}
            </span>
          </label>
        ))}
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  )
}
