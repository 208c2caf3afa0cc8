import { Link, useLocation } from 'react-router'
import { useIsArchive } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useMessages } from '../../text/messages.ts'
import { EmptyState } from '../../ui/states/messages.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import { ArchiveLinks } from './archive-links.tsx'
import styles from '../layout.module.css'
import { usePageTitle } from '../title.ts'

/** Replaces a page that requires a team. Returns to it after signing in; an archive has no sign-in. */
export function SignInFirst() {
  const text = useMessages(frameMessages)
  const { pathname, search } = useLocation()
  const isArchive = useIsArchive()
  const title = isArchive ? text.archive : text.toSignIn
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
          action={isArchive ? readable : <Link to={paths.signIn(pathname + search)}>{text.toSignIn}</Link>}
        >
          {isArchive ? text.archiveClosed : text.signInFirst}
        </EmptyState>
      </Panel>
    </div>
  )
}
