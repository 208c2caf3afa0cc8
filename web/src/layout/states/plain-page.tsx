import type { ReactNode } from 'react'
import styles from '../layout.module.css'
import { usePageTitle } from '../title.ts'

interface PlainPageProps {
  readonly title: string
  readonly children?: ReactNode
}

/** A page with a heading and one column. */
export function PlainPage({ title, children }: PlainPageProps) {
  usePageTitle(title)
  return (
    <div className={styles.page}>
      <h1>{title}</h1>
      {children}
    </div>
  )
}
