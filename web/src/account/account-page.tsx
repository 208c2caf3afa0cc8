import type { ReactNode } from 'react'
import { usePageTitle } from '../layout/title.ts'
import { Panel } from '../ui/states/panel.tsx'
import styles from './account.module.css'

interface AccountPageProps {
  readonly title: string
  readonly children: ReactNode
  /** Below the panel: other ways. */
  readonly after?: ReactNode
}

/** One heading, one narrow panel. */
export function AccountPage({ title, children, after }: AccountPageProps) {
  usePageTitle(title)
  return (
    <div className={styles.page}>
      <h1>{title}</h1>
      <Panel>
        <div className={styles.form}>{children}</div>
      </Panel>
      {after}
    </div>
  )
}
