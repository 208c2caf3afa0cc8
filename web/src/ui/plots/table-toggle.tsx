import { useState, type ReactNode } from 'react'
import { Button } from '../buttons/button.tsx'
import { useUiMessages } from '../ui-messages.ts'
import styles from './plots.module.css'

interface TableToggleProps {
  /** Label of the plot. */
  readonly label: string
  /** The data of the plot as a table. */
  readonly children: ReactNode
}

/** Below a plot: shows and hides the table that has the same data. */
export function TableToggle({ label, children }: TableToggleProps) {
  const messages = useUiMessages()
  const [isShown, setShown] = useState(false)
  return (
    <>
      <Button tone="quiet" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
        {isShown ? messages.hideTable : messages.showTable}
      </Button>
      {isShown && (
        <div className={styles.table} tabIndex={0} role="region" aria-label={label}>
          {children}
        </div>
      )}
    </>
  )
}
