import { useRef, useState, type FormEvent } from 'react'

export type FormErrors<Values> = { readonly [Name in keyof Values]?: string | undefined }

export interface FormOptions<Values> {
  readonly initial: Values
  /** What is wrong, by field. Asked on submit, then on each change of a field that was wrong. */
  readonly validate?: (values: Values) => FormErrors<Values>
  /** Sends the form. What it answers is shown at the fields; nothing, or an empty object, means that it was taken. */
  readonly submit: (values: Values) => Promise<FormErrors<Values> | void>
}

export interface Form<Values> {
  readonly values: Values
  readonly errors: FormErrors<Values>
  readonly isDirty: boolean
  readonly isSubmitting: boolean
  /** Value, error and change of one field, to be spread into it. */
  field<Name extends keyof Values & string>(name: Name): FormField<Values[Name], Name>
  set(changes: Partial<Values>): void
  setErrors(errors: FormErrors<Values>): void
  /** What is in the form becomes what it is compared with; with values given, those. */
  reset(values?: Values): void
  /** For `<form onSubmit>`; one at a time. */
  submit(event?: FormEvent): Promise<void>
}

export interface FormField<Value, Name> {
  readonly name: Name
  readonly value: Value
  readonly error: string | undefined
  readonly onChange: (value: Value) => void
}

/** One form: values, what changed, errors by field, one submit at a time. It never loses what was typed. */
export function useForm<Values extends object>(options: FormOptions<Values>): Form<Values> {
  const [values, setValues] = useState(options.initial)
  const [saved, setSaved] = useState(options.initial)
  const [errors, setErrors] = useState<FormErrors<Values>>({})
  const [isSubmitting, setSubmitting] = useState(false)
  const underway = useRef(false)

  const set = (changes: Partial<Values>) => {
    const next = { ...values, ...changes }
    setValues((now) => ({ ...now, ...changes }))
    const wrong = Object.keys(changes).filter((name) => errors[name as keyof Values])
    if (wrong.length === 0) return
    const found: FormErrors<Values> = options.validate?.(next) ?? {}
    const again = wrong.map((name) => [name, found[name as keyof Values]])
    setErrors((now) => ({ ...now, ...Object.fromEntries(again) }))
  }
  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    if (underway.current) return
    const found = options.validate?.(values) ?? {}
    setErrors(found)
    if (hasErrors(found)) return focusFirst(event?.currentTarget, found)
    underway.current = true
    setSubmitting(true)
    const target = event?.currentTarget
    try {
      const refused = (await options.submit(values)) ?? {}
      setErrors(refused)
      if (hasErrors(refused)) focusFirst(target, refused)
      else setSaved(values)
    } finally {
      underway.current = false
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
    setErrors,
    reset(next = values) {
      setValues(next)
      setSaved(next)
      setErrors({})
    },
    submit,
  }
}

/** Whether any field has an error. */
export function hasErrors(errors: object): boolean {
  return Object.values(errors).some(Boolean)
}

/** Equal as data: what JSON would say, with undefined and a missing key the same. */
export function isSame(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true
  if (typeof left !== 'object' || typeof right !== 'object' || !left || !right) return false
  if (Array.isArray(left) !== Array.isArray(right)) return false
  const keys = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...keys].every((key) => isSame(left[key as keyof object], right[key as keyof object]))
}

/** Leads to the wrong field; with two or more to their summary above, when the form has one. */
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
