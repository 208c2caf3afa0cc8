import { useId, type ReactNode } from 'react'
import styles from './field-group.module.css'

interface FieldGroupProps {
  readonly title: string
  readonly help?: ReactNode
  readonly children: ReactNode
}

/** A framed group of fields; groups can be nested. */
export function FieldGroup({ title, help, children }: FieldGroupProps) {
  const id = useId()
  return (
    <fieldset className={styles.group} aria-describedby={help === undefined ? undefined : id}>
      <legend>{title}</legend>
      {help !== undefined && (
        <p id={id} className="pn-fine pn-flat pn-muted">
          {help}
        </p>
      )}
      {children}
    </fieldset>
  )
}
