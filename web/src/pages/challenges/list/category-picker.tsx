import { useRef } from 'react'
import { challengesMessages } from '../../../text/en/challenges.ts'
import { useMessages } from '../../../text/messages.ts'
import { Switch } from '../../../ui/fields/choices.tsx'
import styles from './list.module.css'

interface CategoryPickerProps {
  readonly categories: readonly string[]
  /** Empty means all. */
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

/** Selects several categories. Native elements keep the bundle small: everyone opens this page at once. */
export function CategoryPicker({ categories, chosen, onChange }: CategoryPickerProps) {
  const text = useMessages(challengesMessages)
  const details = useRef<HTMLDetailsElement>(null)
  const close = () => {
    details.current?.removeAttribute('open')
    details.current?.querySelector('summary')?.focus()
  }
  const toggle = (name: string) =>
    onChange(chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name])
  return (
    <div className={styles.picker}>
      <details
        ref={details}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !details.current?.open) return
          event.stopPropagation()
          close()
        }}
        onBlur={({ currentTarget, relatedTarget }) => {
          if (relatedTarget && !currentTarget.contains(relatedTarget)) currentTarget.open = false
        }}
      >
        <summary aria-label={`${text.category}: ${chosen.join(', ') || text.allCategories}`}>
          <span>{chosen.length === 0 ? text.allCategories : chosen.join(', ')}</span>
        </summary>
        <div role="group" aria-label={text.category} className={styles.pickerChoices}>
          {categories.map((name) => (
            <Switch
              key={name}
              kind="checkbox"
              label={name}
              checked={chosen.includes(name)}
              onChange={() => toggle(name)}
            />
          ))}
        </div>
      </details>
    </div>
  )
}
