import { createContext, useContext, useId, type ReactNode } from 'react'
import { Icon } from '../icon.tsx'
import { useWords } from '../words.ts'
import styles from './fields.module.css'

const Still = createContext(false)

/** Fields in it are only to be read. What shows, copies or tries something works as ever: a disabled fieldset would stop that too. */
export const StillProvider = Still.Provider

export function useIsStill(): boolean {
  return useContext(Still)
}

/** Around what changes something: left out where fields are only to be read. */
export function Writing({ children }: { readonly children: ReactNode }) {
  return useIsStill() ? null : children
}

export interface FieldProps {
  readonly label: ReactNode
  readonly help?: ReactNode
  readonly error?: string | undefined
  readonly required?: boolean | undefined
  /** Names the field in a form: the first wrong one is found by it. */
  readonly name?: string | undefined
}

/** What links a control with its label, help and error. */
export interface ControlProps {
  readonly id: string
  readonly name: string | undefined
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
  readonly 'aria-required': true | undefined
}

interface FieldFrameProps extends FieldProps {
  /** After the help: a counter, the echo of a date. */
  readonly note?: ReactNode
  readonly children: (control: ControlProps) => ReactNode
}

/** Label, control, help and error of one field. The label is always there to be seen. */
export function Field({ label, help, error, required, name, note, children }: FieldFrameProps) {
  const words = useWords()
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
        {required && <span className={styles.required}> ({words.required})</span>}
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

/** What is wrong with a field, in words and with a sign. */
export function FieldError({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  return (
    <span id={id} className={styles.error}>
      <Icon name="alert" />
      {children}
    </span>
  )
}
