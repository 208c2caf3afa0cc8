import { Link } from 'react-router'
import { AccountPage } from '../../account/account-page.tsx'
import { FailureLine } from '../../account/failure-line.tsx'
import { useOwnTeam } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { rankingReturnMessages } from '../../text/en/ranking-return.ts'
import { useMessages } from '../../text/messages.ts'
import { useReturn } from './use-return.ts'

/** Return URL for sign-ins on the ranking site. */
export function Component() {
  const text = useMessages(rankingReturnMessages)
  const frame = useMessages(frameMessages)
  const { isSignedIn } = useOwnTeam()
  const { failure, purpose } = useReturn()
  if (failure === null) {
    return (
      <AccountPage title={text.title}>
        <p role="status">{text.working}</p>
      </AccountPage>
    )
  }
  const isLink = purpose?.kind === 'link'
  const next = purpose?.kind === 'signIn' ? (purpose.next ?? undefined) : undefined
  return (
    <AccountPage title={text.failedTitle}>
      <FailureLine>{failure}</FailureLine>
      {isLink ? (
        <Link to={paths.settings()}>{text.toSettings}</Link>
      ) : (
        <Link to={isSignedIn ? paths.ownTeam() : paths.signIn(next)}>
          {isSignedIn ? frame.toProfile : text.toSignIn}
        </Link>
      )}
    </AccountPage>
  )
}
