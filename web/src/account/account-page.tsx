import type { ReactNode } from 'react'
import { useIsArchive } from '../api/use-contest.ts'
import { usePageTitle } from '../layout/title.ts'
import { useText } from '../text/catalogue.ts'
import { frameCatalogue } from '../text/frame.ts'
import { Panel } from '../ui/states/panel.tsx'
import styles from './account.module.css'

interface AccountPageProps {
  readonly title: string
  readonly children: ReactNode
  /** Below the panel: other ways. */
  readonly after?: ReactNode
}

/** One heading, one narrow panel. In an archive nothing can be done there. */
export function AccountPage({ title, children, after }: AccountPageProps) {
  const text = useText(frameCatalogue)
  const isArchive = useIsArchive()
  usePageTitle(title)
  return (
    <div className={styles.page}>
      <h1>{title}</h1>
      <Panel>
        <div className={styles.form}>{isArchive ? text.archiveShut : children}</div>
      </Panel>
      {!isArchive && after}
    </div>
  )
}
