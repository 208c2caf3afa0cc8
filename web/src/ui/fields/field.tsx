import { createContext, useContext, useId, type ReactNode } from 'react'
import { Icon } from '../icon.tsx'
import { useUiMessages } from '../ui-messages.ts'
import styles from './fields.module.css'

const Still = createContext(false)

/**
 * Makes the fields inside read-only. Unlike a disabled fieldset, it keeps controls that reveal, copy or test
 * enabled.
 */
export const StillProvider = Still.Provider

export function useIsStill(): boolean {
  return useContext(Still)
}

/** Renders children that modify data; hidden in read-only mode. */
export function Writing({ children }: { readonly children: ReactNode }) {
  return useIsStill() ? null : children
}

export interface FieldProps {
  readonly label: ReactNode
  readonly help?: ReactNode
  readonly error?: string | undefined
  readonly required?: boolean | undefined
  /** Name of the field in the form, used to find the first invalid field. */
  readonly name?: string | undefined
}

/** Links a control to its label, help and error. */
export interface ControlProps {
  readonly id: string
  readonly name: string | undefined
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
  readonly 'aria-required': true | undefined
}

interface FieldFrameProps extends FieldProps {
  /** Shown after the help: a counter, or the time in UTC. */
  readonly note?: ReactNode
  readonly children: (control: ControlProps) => ReactNode
}

/** Label, control, help and error of one field. The label is always visible. */
export function Field({ label, help, error, required, name, note, children }: FieldFrameProps) {
  const messages = useUiMessages()
  const id = useId()
  const described = [help !== undefined && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ')
  const control: ControlProps = {
    id,
    name,
    'aria-describedby': described || undefined,
    'aria-invalid': error ? true : undefined,
    'aria-required': required ? true : undefined,
  }
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
        {required && <span className={styles.required}> ({messages.required})</span>}
      </label>
      {children(control)}
      {help !== undefined && (
        <span id={`${id}-help`} className={styles.help}>
          {help}
        </span>
      )}
      {note}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}

/** Validation error of a field, as text with an icon. */
export function FieldError({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  return (
    <span id={id} className={styles.error}>
      <Icon name="alert" />
      {children}
    </span>
  )
}
