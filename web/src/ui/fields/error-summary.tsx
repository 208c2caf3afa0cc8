import { useUiMessages } from '../ui-messages.ts'
import styles from './fields.module.css'
import { FieldError } from './field.tsx'

/** Shown above a form with two or more invalid fields; `useForm` focuses it. */
export function ErrorSummary({ errors }: { readonly errors: object }) {
  const messages = useUiMessages()
  const wrong = Object.values(errors).filter((error) => typeof error === 'string' && error !== '')
  if (wrong.length < 2) return null
  return (
    <div tabIndex={-1} role="alert" data-form-summary="" className={styles.field}>
      <FieldError id="form-summary">{messages.errorSummary(wrong.length)}</FieldError>
    </div>
  )
}
