import { Link, useLocation } from 'react-router'
import { useIsArchive } from '../api/use-contest.ts'
import { paths } from '../paths.ts'
import { useText } from '../text/catalogue.ts'
import { frameCatalogue } from '../text/frame.ts'
import { EmptyState } from '../ui/states/messages.tsx'
import { Panel } from '../ui/states/panel.tsx'
import { ArchiveLinks } from './archive-links.tsx'
import styles from './layout.module.css'
import { usePageTitle } from './title.ts'

/** In place of a page that is for teams alone. It comes back here after signing in; in an archive nobody does. */
export function SignInFirst() {
  const text = useText(frameCatalogue)
  const { pathname, search } = useLocation()
  const isArchive = useIsArchive()
  const title = isArchive ? text.archive : text.signIn
  usePageTitle(title)
  const readable = (
    <div className={styles.actions}>
      <ArchiveLinks />
    </div>
  )
  return (
    <div className={styles.page}>
      <h1>{title}</h1>
      <Panel>
        <EmptyState
          action={isArchive ? readable : <Link to={paths.signIn(pathname + search)}>{text.signIn}</Link>}
        >
          {isArchive ? text.archiveShut : text.signInFirst}
        </EmptyState>
      </Panel>
    </div>
  )
}
