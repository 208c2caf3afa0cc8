import { claimRegistration, readRegistration } from '@pennant/contract/registration.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { AccountPage } from '../../account/account-page.tsx'
import { ActionButton } from '../../account/action-button.tsx'
import { FailureLine } from '../../account/failure-line.tsx'
import { KeepToken } from '../../account/keep-token.tsx'
import { tokenIn } from '../../account/linked-token.ts'
import { useAction } from '../../account/use-action.ts'
import { requestData, send } from '../../api/client.ts'
import { kindOf } from '../../api/failure.ts'
import { useConfig } from '../../api/use-contest.ts'
import { useFailure } from '../../api/use-failure.ts'
import { LoadState } from '../../layout/states/load-state.tsx'
import { paths } from '../../paths.ts'
import { refresh } from '../../state/live.ts'
import { signIn } from '../../state/session.ts'
import { accountMessages } from '../../text/en/account.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { registrationMessages } from '../../text/en/registration.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import { EmptyState } from '../../ui/states/messages.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'

const EVERY_MS = 30_000

/** The token stays in the address: applicants save it, and it signs in once only. */
export function Component() {
  const text = useMessages(registrationMessages)
  const frame = useMessages(frameMessages)
  const token = tokenIn(useLocation())
  if (token !== null) return <Registration key={token} token={token} />
  return (
    <AccountPage title={text.title}>
      <EmptyState action={<Link to={paths.home()}>{frame.home}</Link>}>{text.none}</EmptyState>
    </AccountPage>
  )
}

function useRegistration(token: string) {
  return useQuery({
    queryKey: ['registration', token],
    queryFn: ({ signal }) => requestData(readRegistration, { body: { token } }, { signal }),
    ...refresh(EVERY_MS),
    gcTime: 0,
  })
}

function Registration({ token }: { readonly token: string }) {
  const text = useMessages(registrationMessages)
  const navigate = useNavigate()
  const [teamToken, setTeamToken] = useState<string | null>(null)
  const query = useRegistration(token)
  const failure = useFailure(query)
  if (teamToken !== null)
    return <KeepToken token={teamToken} onDone={() => void navigate(paths.challenges(), { replace: true })} />
  if (kindOf(failure.error) === 'badTokenVerification') {
    return (
      <AccountPage title={text.title}>
        <EmptyState action={<Link to={paths.signIn()}>{text.signIn}</Link>}>{text.bad}</EmptyState>
      </AccountPage>
    )
  }
  if (!query.data)
    return (
      <AccountPage title={text.title}>
        <LoadState failure={failure}>
          <Skeleton rows={3} />
        </LoadState>
      </AccountPage>
    )
  return <State state={query.data} token={token} onTeamToken={setTeamToken} />
}

interface StateProps {
  readonly state: NonNullable<ReturnType<typeof useRegistration>['data']>
  readonly token: string
  readonly onTeamToken: (teamToken: string) => void
}

function State({ state: { state, name, waitsFor, position = 1, reason }, token, onTeamToken }: StateProps) {
  const text = useMessages(registrationMessages)
  const format = useFormat()
  const config = useConfig()
  if (state === 'approved')
    return (
      <AccountPage title={text.approvedTitle}>
        <p role="status">{text.approved(name)}</p>
        <Claim token={token} onTeamToken={onTeamToken} />
      </AccountPage>
    )
  if (state === 'refused')
    return (
      <AccountPage title={text.refusedTitle}>
        <p role="status">{text.refused(name)}</p>
        {reason !== undefined && (
          <p>
            <strong>{text.reason}:</strong> <bdi>{reason}</bdi>
          </p>
        )}
      </AccountPage>
    )
  return (
    <AccountPage title={waitsFor === 'approval' ? text.approvalTitle : text.placeTitle}>
      <p role="status">{waitsFor === 'approval' ? text.approval(name) : text.place(name)}</p>
      {waitsFor === 'place' && <p>{text.position(format.number(position))}</p>}
      <p>
        {text.keep} {config?.emailEnabled && text.keepMail}
      </p>
      <CopyButton text={`${location.origin}${paths.registration(token)}`}>{text.copy}</CopyButton>
    </AccountPage>
  )
}

function Claim({ token, onTeamToken }: Pick<StateProps, 'token' | 'onTeamToken'>) {
  const text = useMessages(registrationMessages)
  const account = useMessages(accountMessages)
  const action = useAction()
  const claim = async () => {
    const response = await action.run(() => send(claimRegistration, { body: { token } }))
    if (response === null) return
    signIn(response.data.authToken)
    onTeamToken(response.data.teamToken)
  }
  return (
    <>
      <FailureLine>{action.waitS > 0 ? account.tooManyAttempts : action.failure}</FailureLine>
      <ActionButton waitS={action.waitS} busy={action.isPending} onClick={() => void claim()}>
        {text.signIn}
      </ActionButton>
    </>
  )
}
