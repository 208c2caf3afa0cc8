import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useIsArchive, useOwnTeam } from '../api/use-contest.ts'
import { ArchiveLinks } from '../layout/archive-links.tsx'
import { usePageTitle } from '../layout/title.ts'
import { paths } from '../paths.ts'
import { signOut, useSession } from '../state/session.ts'
import { useText } from '../text/catalogue.ts'
import { frameCatalogue } from '../text/frame.ts'
import { Button } from '../ui/buttons/button.tsx'
import { Panel } from '../ui/states/panel.tsx'
import styles from './account.module.css'
import { accountWords } from './words.ts'

interface AccountPageProps {
  readonly title: string
  readonly children: ReactNode
  /** Below the panel: other ways. */
  readonly after?: ReactNode
  /** A way in: whoever comes to it signed in is told so instead. */
  readonly isWayIn?: boolean
}

/** One heading, one narrow panel. In an archive nothing can be done there. */
export function AccountPage({ title, children, after, isWayIn = false }: AccountPageProps) {
  const isArchive = useIsArchive()
  const { token } = useSession()
  // Only at the beginning: who signs in here sees the form until it leads on.
  const [cameIn] = useState(token !== null)
  const isIn = isWayIn && cameIn && token !== null
  usePageTitle(title)
  return (
    <div className={styles.page}>
      <h1>{title}</h1>
      <Panel>
        <div className={styles.form}>{isArchive ? <Archive /> : isIn ? <SignedIn /> : children}</div>
      </Panel>
      {!isArchive && !isIn && after}
    </div>
  )
}

function Archive() {
  const text = useText(frameCatalogue)
  return (
    <>
      <p>{text.archiveShut}</p>
      <div className={styles.actions}>
        <ArchiveLinks />
      </div>
    </>
  )
}

function SignedIn() {
  const text = useText(frameCatalogue)
  const account = useText(accountWords)
  const { team } = useOwnTeam()
  return (
    <>
      <p>{account.signedIn(team?.name ?? '…')}</p>
      <div className={styles.actions}>
        <Link to={paths.ownTeam()}>{text.toProfile}</Link>
        <Button onClick={signOut}>{text.signOut}</Button>
      </div>
    </>
  )
}
