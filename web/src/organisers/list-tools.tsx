import type { ReactNode } from 'react'
import styles from './list.module.css'

interface ListToolsProps {
  /** Search and filters; they grow. */
  readonly children: ReactNode
  /** Columns and CSV, at the end of the line. */
  readonly end?: ReactNode
}

/** The controls of a list in one line, as far as the width allows. */
export function ListTools({ children, end }: ListToolsProps) {
  return (
    <div className={styles.tools}>
      {children}
      {end !== undefined && <div className={styles.end}>{end}</div>}
    </div>
  )
}
