import { useRef, useState, type FormEvent } from 'react'
import { useUiMessages } from './ui-messages.ts'

export type FormErrors<Values> = { readonly [Name in keyof Values]?: string | undefined }

export interface FormOptions<Values> {
  readonly initial: Values
  /** Returns errors by field. Called on submit, then on each change of an invalid field. */
  readonly validate?: (values: Values) => FormErrors<Values>
  /** Submits the form. Returned errors are shown at the fields; none, or an empty object, means success. */
  readonly submit: (values: Values) => Promise<FormErrors<Values> | void>
}

export interface Form<Values> {
  readonly values: Values
  readonly errors: FormErrors<Values>
  readonly isDirty: boolean
  readonly isSubmitting: boolean
  /** Value, error and change handler of one field, to spread into it. */
  field<Name extends keyof Values & string>(name: Name): FormField<Values[Name], Name>
  set(changes: Partial<Values>): void
  /** Shows what the server stored of the values that were sent. Fields that were changed since keep what was typed. */
  adopt(stored: Partial<Values>, sent: Values): void
  setErrors(errors: FormErrors<Values>): void
  /** Resets the form to these values, by default the current ones, and makes them the saved state. */
  reset(values?: Values): void
  /** Handler for `<form onSubmit>`; only one submit runs at a time. */
  submit(event?: FormEvent): Promise<void>
}

export interface FormField<Value, Name> {
  readonly name: Name
  readonly value: Value
  readonly error: string | undefined
  readonly onChange: (value: Value) => void
}

/** Form state: values, changes, errors by field, one submit at a time. Never discards what was typed. */
export function useForm<Values extends object>(options: FormOptions<Values>): Form<Values> {
  const [values, setValues] = useState(options.initial)
  const [saved, setSaved] = useState(options.initial)
  const [errors, setErrors] = useState<FormErrors<Values>>({})
  const [isSubmitting, setSubmitting] = useState(false)
  const running = useRef(false)
  const { incompleteTime } = useUiMessages()
  const faultsOf = (of: Values): FormErrors<Values> => ({
    ...incompleteOf(of, incompleteTime),
    ...withoutNothing(options.validate?.(of) ?? {}),
  })

  const set = (changes: Partial<Values>) => {
    const next = { ...values, ...changes }
    setValues((now) => ({ ...now, ...changes }))
    const wrong = Object.keys(changes).filter((name) => errors[name as keyof Values])
    if (wrong.length === 0) return
    const found = faultsOf(next)
    const again = wrong.map((name) => [name, found[name as keyof Values]])
    setErrors((now) => ({ ...now, ...Object.fromEntries(again) }))
  }
  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    if (running.current) return
    const found = faultsOf(values)
    setErrors(found)
    if (hasErrors(found)) return focusFirst(event?.currentTarget, found)
    running.current = true
    setSubmitting(true)
    const target = event?.currentTarget
    try {
      const refused = (await options.submit(values)) ?? {}
      setErrors(refused)
      if (hasErrors(refused)) focusFirst(target, refused)
      else setSaved(values)
    } finally {
      running.current = false
      setSubmitting(false)
    }
  }
  return {
    values,
    errors,
    isDirty: !isSame(values, saved),
    isSubmitting,
    field: (name) => ({
      name,
      value: values[name],
      error: errors[name],
      onChange: (value) => set({ [name]: value } as unknown as Partial<Values>),
    }),
    set,
    adopt: (stored, sent) => setValues((now) => ({ ...now, ...stored, ...unsavedFields(now, sent) })),
    setErrors,
    reset(next = values) {
      setValues(next)
      setSaved(next)
      setErrors({})
    },
    submit,
  }
}

/** A field whose value is NaN is incomplete; JSON would turn that into null, which means empty. */
function incompleteOf<Values extends object>(values: Values, error: string): FormErrors<Values> {
  const names = Object.keys(values).filter((name) => Number.isNaN(values[name as keyof Values]))
  return Object.fromEntries(names.map((name) => [name, error])) as FormErrors<Values>
}

function withoutNothing<Values>(errors: FormErrors<Values>): FormErrors<Values> {
  return Object.fromEntries(Object.entries(errors).filter(([, error]) => error)) as FormErrors<Values>
}

/** Whether any field has an error. */
export function hasErrors(errors: object): boolean {
  return Object.values(errors).some(Boolean)
}

/** Deep equality of JSON data; undefined equals a missing key. */
export function isSame(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true
  if (typeof left !== 'object' || typeof right !== 'object' || !left || !right) return false
  if (Array.isArray(left) !== Array.isArray(right)) return false
  const keys = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...keys].every((key) => isSame(left[key as keyof object], right[key as keyof object]))
}

/** The unsaved rest of a draft after `sent` is saved: the fields that changed during the request. */
export function unsavedFields<Draft extends object>(draft: Draft, sent: Draft): Draft {
  const unsaved = Object.entries(draft).filter(([key, value]) => !isSame(value, sent[key as keyof Draft]))
  return Object.fromEntries(unsaved) as Draft
}

/** Focuses the invalid field; with two or more, the error summary if the form has one. */
function focusFirst(form: EventTarget | null | undefined, errors: object) {
  if (!(form instanceof HTMLFormElement)) return
  const names = Object.entries(errors).flatMap(([name, error]) => (error ? [name] : []))
  requestAnimationFrame(() => {
    const summary = names.length > 1 ? form.querySelector('[data-form-summary]') : null
    const first = names.map((name) => form.querySelector(`[name="${CSS.escape(name)}"]`)).find(Boolean)
    const target = summary ?? first
    if (target instanceof HTMLElement) target.focus()
  })
}
