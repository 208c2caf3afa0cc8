import { finishProvider } from '@pennant/contract/sign-in.ts'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, useLocation, useNavigate, useParams } from 'react-router'
import { AccountPage } from '../../account/account-page.tsx'
import { FailureLine } from '../../account/failure-line.tsx'
import { KeepLink, type NewPerson } from '../../account/keep-link.tsx'
import { forgetProviderJourney, journeyTo } from '../../account/provider-journey.ts'
import { useEnter } from '../../account/use-enter.ts'
import { send } from '../../api/client.ts'
import { paths, safeNext } from '../../paths.ts'
import { signIn } from '../../state/session.ts'
import { accountMessages } from '../../text/en/account.ts'
import { personSignInMessages } from '../../text/en/person-sign-in.ts'
import { useErrorText, useMessages } from '../../text/messages.ts'
import { announce } from '../../ui/announcer.tsx'

/** Where providers send the browser back. */
export function Component() {
  const text = useMessages(personSignInMessages)
  const { failure, isLink, isNew } = useReturn()
  if (isNew) return <KeepLink {...isNew} />
  if (failure === null) {
    return (
      <AccountPage title={text.returning}>
        <p role="status">{text.working}</p>
      </AccountPage>
    )
  }
  return (
    <AccountPage title={text.returnFailed}>
      <FailureLine>{failure}</FailureLine>
      {isLink ? (
        <Link to={paths.settings()}>{text.toSettings}</Link>
      ) : (
        <Link to={paths.signIn()}>{text.newLink}</Link>
      )}
    </AccountPage>
  )
}

/** Completes what this tab started. Returns the error, or null while it is pending. */
function useReturn() {
  const text = useMessages(personSignInMessages)
  const account = useMessages(accountMessages)
  const errorText = useErrorText('once')
  const navigate = useNavigate()
  const enter = useEnter()
  const { search } = useLocation()
  const { provider = '' } = useParams()
  // Read during render and deleted in the effect, because React may render twice.
  const [journey] = useState(() => journeyTo(provider))
  const [failure, setFailure] = useState<string | null>(null)
  const [isNew, setNew] = useState<NewPerson | null>(null)
  const begun = useRef(false)
  const finish = async (browserKey: string, next: string | null) => {
    const body = { browserKey, response: search.slice(1) }
    // As a replacement, so that the code does not stay in the history.
    const replace = { replace: true }
    const response = await send(finishProvider, { params: { id: provider }, body })
    if (response.kind === 'goodProviderLinked') {
      announce(text.linked)
      return void navigate({ pathname: paths.settings(), hash: '#ways' }, replace)
    }
    if (response.kind !== 'goodPersonSignIn') {
      const failures: Readonly<Record<string, string>> = text.failures
      return setFailure(failures[response.kind] ?? errorText(response))
    }
    signIn(response.data.authToken)
    const { isNew: isFirst, teamRefusal } = response.data
    if (isFirst) return setNew({ teamRefusal })
    enter(response.data, safeNext(next))
  }
  const begin = useEffectEvent(() => {
    if (journey === null) return setFailure(text.notStartedHere)
    forgetProviderJourney()
    finish(journey.browserKey, journey.next).catch(() => setFailure(account.unconfirmed))
  })
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    begin()
  }, [])
  return { failure, isNew, isLink: journey !== null && journey.next === null }
}
