import type { ComponentPropsWithRef } from 'react'
import { cx } from '../cx.ts'
import { useUiMessages } from '../ui-messages.ts'
import { Field, useIsStill, type FieldProps } from './field.tsx'
import styles from './fields.module.css'

interface TextProps extends FieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  /** For flags, tokens and patterns: no spell checking, left to right. */
  readonly mono?: boolean
  /** Shows how many of the `maxLength` characters are used. */
  readonly counted?: boolean
}

type Native<Tag extends 'input' | 'textarea' | 'select'> = Omit<
  ComponentPropsWithRef<Tag>,
  keyof TextProps | 'children' | 'id'
>

const AS_TYPED = { dir: 'ltr', spellCheck: false, autoCapitalize: 'off', autoCorrect: 'off' } as const

export function TextInput(props: TextProps & Native<'input'>) {
  const { field, native } = useText(props)
  return <Field {...field}>{(control) => <input type="text" {...native} {...control} />}</Field>
}

export function Textarea(props: TextProps & Native<'textarea'>) {
  const { field, native } = useText(props)
  return <Field {...field}>{(control) => <textarea rows={4} {...native} {...control} />}</Field>
}

/** Divides the props of a text field into those of its frame and those of the native element. */
function useText<Rest extends Pick<Native<'textarea'>, 'className' | 'readOnly' | 'maxLength'>>(
  props: TextProps & Rest,
) {
  const { label, help, error, required, name, value, onChange, mono, counted, ...rest } = props
  const { className, readOnly, maxLength } = props
  const isStill = useIsStill()
  return {
    field: {
      label,
      help,
      error,
      required,
      name,
      note: counted && <Counter value={value} max={maxLength} />,
    },
    native: {
      ...(mono ? AS_TYPED : {}),
      ...rest,
      readOnly: readOnly || isStill,
      className: cx(styles.input, mono && styles.mono, className),
      value,
      onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
        onChange(event.currentTarget.value),
    },
  }
}

function Counter({ value, max }: { readonly value: string; readonly max: number | undefined }) {
  const messages = useUiMessages()
  return <span className={styles.counter}>{messages.characters(value.length, max ?? value.length)}</span>
}

interface NumberProps extends FieldProps {
  /** Null while the field is empty; NaN while it is not a number. */
  readonly value: number | null
  readonly onChange: (value: number | null) => void
}

/** A number input. The form validates the bounds; the field never changes what the user types. */
export function NumberInput(props: NumberProps & Native<'input'>) {
  const { label, help, error, required, name, value, onChange, className, ...rest } = props
  const isStill = useIsStill()
  return (
    <Field {...{ label, help, error, required, name }}>
      {(control) => (
        <input
          step="any"
          {...rest}
          {...control}
          readOnly={rest.readOnly || isStill}
          type="number"
          className={cx(styles.input, className)}
          value={value === null || Number.isNaN(value) ? '' : value}
          onChange={({ currentTarget }) =>
            onChange(currentTarget.validity.badInput ? Number.NaN : numberOf(currentTarget.value))
          }
        />
      )}
    </Field>
  )
}

function numberOf(text: string): number | null {
  return text === '' ? null : Number(text)
}

export interface Choice {
  readonly value: string
  readonly label: string
}

interface SelectProps extends FieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly choices: readonly Choice[]
  /** Shown while `value` is empty. */
  readonly placeholder?: string
}

/** A native select for a few options. */
export function Select(props: SelectProps & Native<'select'>) {
  const { label, help, error, required, name, value, onChange, choices, placeholder, className, ...rest } =
    props
  const isStill = useIsStill()
  return (
    <Field {...{ label, help, error, required, name }}>
      {(control) => (
        <select
          {...rest}
          {...control}
          disabled={rest.disabled || isStill}
          className={cx(styles.input, className)}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
