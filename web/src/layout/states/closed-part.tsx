import type { VisiblePart } from '@pennant/contract/visibility.ts'
import { Link, useLocation } from 'react-router'
import { useConfig, useOwnTeam } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { closedMessages } from '../../text/en/closed.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useMessages } from '../../text/messages.ts'
import { Panel } from '../../ui/states/panel.tsx'
import styles from '../layout.module.css'
import { usePageTitle } from '../title.ts'

/** Replaces a page that is not open to the viewer, and says what to do. */
export function ClosedPart({ part }: { readonly part: VisiblePart }) {
  const text = useMessages(closedMessages)
  const frame = useMessages(frameMessages)
  const { pathname, search } = useLocation()
  const config = useConfig()
  const { isSignedIn } = useOwnTeam()
  const isForOrganisers = config?.visibility?.[part] === 'organisers'
  const title = isForOrganisers ? text.closed[part] : text.signIn[part]
  usePageTitle(part === 'home' ? null : title)
  return (
    <div className={styles.page}>
      <h1>{part === 'home' ? <bdi>{config?.ctfName}</bdi> : title}</h1>
      <Panel>
        {part === 'home' && <p>{title}</p>}
        <p>{isForOrganisers ? text.askOrganisers : text.signInText}</p>
        <div className={styles.actions}>
          {isSignedIn && <Link to={paths.ownTeam()}>{frame.toProfile}</Link>}
          {!isSignedIn && <Link to={paths.signIn(pathname + search)}>{frame.toSignIn}</Link>}
          {!isSignedIn && config?.registrationsEnabled !== false && (
            <Link to={paths.register()}>{frame.register}</Link>
          )}
        </div>
      </Panel>
    </div>
  )
}
