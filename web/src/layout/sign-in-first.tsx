import { Link, useLocation } from 'react-router'
import { useIsArchive } from '../api/use-contest.ts'
import { paths } from '../paths.ts'
import { useText } from '../text/catalogue.ts'
import { frameCatalogue } from '../text/frame.ts'
import { EmptyState } from '../ui/states/messages.tsx'
import { Panel } from '../ui/states/panel.tsx'
import styles from './layout.module.css'
import { usePageTitle } from './title.ts'

/** In place of a page that is for teams alone. It comes back here after signing in. */
export function SignInFirst() {
  const text = useText(frameCatalogue)
  const { pathname, search } = useLocation()
  const isArchive = useIsArchive()
  usePageTitle(text.signIn)
  return (
    <div className={styles.page}>
      <h1>{text.signIn}</h1>
      <Panel>
        <EmptyState action={!isArchive && <Link to={paths.signIn(pathname + search)}>{text.signIn}</Link>}>
          {isArchive ? text.archiveShut : text.signInFirst}
        </EmptyState>
      </Panel>
    </div>
  )
}
