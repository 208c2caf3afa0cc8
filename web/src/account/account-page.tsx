import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useIsArchive, useOwnTeam } from '../api/use-contest.ts'
import { ArchiveLinks } from '../layout/states/archive-links.tsx'
import { usePageTitle } from '../layout/title.ts'
import { paths } from '../paths.ts'
import { signOut, useSession } from '../state/session.ts'
import { accountMessages } from '../text/en/account.ts'
import { frameMessages } from '../text/en/frame.ts'
import { useMessages } from '../text/messages.ts'
import { Button } from '../ui/buttons/button.tsx'
import { Panel } from '../ui/states/panel.tsx'
import styles from './account.module.css'

interface AccountPageProps {
  readonly title: string
  readonly children: ReactNode
  /** Rendered below the panel: other ways to sign in. */
  readonly after?: ReactNode
  /** A sign-in or registration page: a visitor who is already signed in sees a notice instead. */
  readonly isWayIn?: boolean
  /** Replaces a form on the same page: the heading gets the focus. */
  readonly isNext?: boolean
}

/** One heading, one narrow panel. In an archive, no one can sign in or register. */
export function AccountPage({ title, children, after, isWayIn = false, isNext = false }: AccountPageProps) {
  const isArchive = useIsArchive()
  const { token } = useSession()
  // Read once, at mount: a visitor who signs in here keeps the form until the page navigates away.
  const [cameIn] = useState(token !== null)
  const isIn = isWayIn && cameIn && token !== null
  usePageTitle(title)
  return (
    <div className={styles.page}>
      <h1 {...(isNext && { tabIndex: -1, ref: focusHeading })}>{title}</h1>
      <Panel>
        <div className={styles.form}>{isArchive ? <Archive /> : isIn ? <SignedIn /> : children}</div>
      </Panel>
      {!isArchive && !isIn && after}
    </div>
  )
}

/** The focused field was removed with the form. */
function focusHeading(heading: HTMLElement | null): void {
  heading?.focus()
}

function Archive() {
  const text = useMessages(frameMessages)
  return (
    <>
      <p>{text.archiveClosed}</p>
      <div className={styles.actions}>
        <ArchiveLinks />
      </div>
    </>
  )
}

function SignedIn() {
  const text = useMessages(frameMessages)
  const account = useMessages(accountMessages)
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
