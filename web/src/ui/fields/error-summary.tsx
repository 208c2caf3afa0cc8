import { useWords } from '../words.ts'
import styles from './fields.module.css'
import { FieldError } from './field.tsx'

/** Above a form with two or more wrong fields; `useForm` gives it the focus. */
export function ErrorSummary({ errors }: { readonly errors: object }) {
  const words = useWords()
  const wrong = Object.values(errors).filter((error) => typeof error === 'string' && error !== '')
  if (wrong.length < 2) return null
  return (
    <div tabIndex={-1} role="alert" data-form-summary="" className={styles.field}>
      <FieldError id="form-summary">{words.errorsAbove(wrong.length)}</FieldError>
    </div>
  )
}
