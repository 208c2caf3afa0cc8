import { Link } from 'react-router'
import { AccountPage } from '../../account/account-page.tsx'
import { FailureLine } from '../../account/failure-line.tsx'
import { useOwnTeam } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import { frameCatalogue } from '../../text/frame.ts'
import { useReturn } from './use-return.ts'
import { words } from './words.ts'

/** Where the ranking site sends back whoever signed in there. */
export function Component() {
  const text = useText(words)
  const frame = useText(frameCatalogue)
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
