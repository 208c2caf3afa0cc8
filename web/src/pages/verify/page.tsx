import { askVerifyInfo, verifyV2 } from '@pennant/contract/accounts.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { AccountPage } from '../../account/account-page.tsx'
import { ActionButton } from '../../account/action-button.tsx'
import { FailureLine } from '../../account/failure-line.tsx'
import { KeepToken } from '../../account/keep-token.tsx'
import { useLinkedToken } from '../../account/linked-token.ts'
import { useAction } from '../../account/use-action.ts'
import { requestData, send } from '../../api/client.ts'
import { kindOf } from '../../api/failure.ts'
import { useOwnTeam } from '../../api/use-contest.ts'
import { useFailure } from '../../api/use-failure.ts'
import { LoadState } from '../../layout/states/load-state.tsx'
import { paths } from '../../paths.ts'
import { refresh } from '../../state/live.ts'
import { signIn } from '../../state/session.ts'
import { accountMessages } from '../../text/en/account.ts'
import { verifyMessages } from '../../text/en/verify.ts'
import { useMessages } from '../../text/messages.ts'
import { EmptyState } from '../../ui/states/messages.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'

export function Component() {
  const text = useMessages(verifyMessages)
  const token = useLinkedToken()
  if (token !== null) return <OpenedLink key={token} token={token} />
  return (
    <AccountPage title={text.title}>
      <EmptyState action={<Link to={paths.recover()}>{text.recover}</Link>}>{text.none}</EmptyState>
    </AccountPage>
  )
}

/** Describes what the token does without using it, because mail scanners open links too. */
function OpenedLink({ token }: { readonly token: string }) {
  const text = useMessages(verifyMessages)
  const navigate = useNavigate()
  const { team } = useOwnTeam()
  const [teamToken, setTeamToken] = useState<string | null>(null)
  const [isChanged, setChanged] = useState(false)
  const query = useQuery({
    queryKey: ['verify', token],
    queryFn: ({ signal }) => requestData(askVerifyInfo, { body: { token } }, { signal }),
    ...refresh(null),
    gcTime: 0,
  })
  const { data } = query
  const failure = useFailure(query)
  if (teamToken !== null) {
    const isAdmin = team !== undefined && team.perms > 0
    const next = isAdmin ? paths.dashboard() : paths.challenges()
    return (
      <KeepToken
        token={teamToken}
        note={isAdmin ? text.youAreAdmin : undefined}
        onDone={() => void navigate(next, { replace: true })}
      />
    )
  }
  if (isChanged) {
    return (
      <AccountPage title={text.title}>
        <EmptyState action={<Link to={paths.ownTeam()}>{text.toProfile}</Link>}>{text.changed}</EmptyState>
      </AccountPage>
    )
  }
  const after = (
    <p>
      <Link to={paths.register()}>{text.register}</Link>
    </p>
  )
  if (kindOf(failure.error) === 'badTokenVerification') {
    return (
      <AccountPage title={text.title} after={after}>
        <EmptyState action={<Link to={paths.recover()}>{text.recover}</Link>}>{text.bad}</EmptyState>
      </AccountPage>
    )
  }
  return (
    <AccountPage title={text.title}>
      {data && (
        <Action token={token} info={data} onTeamToken={setTeamToken} onChanged={() => setChanged(true)} />
      )}
      {!data && (
        <LoadState failure={failure}>
          <Skeleton rows={3} />
        </LoadState>
      )}
    </AccountPage>
  )
}

interface ActionProps {
  readonly token: string
  readonly info: {
    readonly kind: 'register' | 'team' | 'update'
    readonly email: string | null
    readonly name?: string | undefined
  }
  readonly onTeamToken: (teamToken: string) => void
  readonly onChanged: () => void
}

function Action({ token, info, onTeamToken, onChanged }: ActionProps) {
  const text = useMessages(verifyMessages)
  const account = useMessages(accountMessages)
  const navigate = useNavigate()
  const action = useAction()
  const name = info.name ?? text.deletedTeam
  const email = info.email ?? ''
  const said = {
    register: text.create(name, email),
    team: text.signIn(name),
    update: text.change(name, email),
  }
  const label = { register: text.createLabel, team: text.toSignIn, update: text.changeLabel }
  const verify = async () => {
    const response = await action.run(() => send(verifyV2, { body: { verifyToken: token } }))
    if (response === null) return
    if (response.kind === 'goodEmailSet') return onChanged()
    if (response.kind === 'goodRegistrationPending')
      return void navigate(paths.registration(response.data.registrationToken), { replace: true })
    signIn(response.data.authToken)
    if (response.kind === 'goodRegisterV2') return onTeamToken(response.data.teamToken)
    void navigate(paths.home(), { replace: true })
  }
  return (
    <>
      <p>{said[info.kind]}</p>
      <FailureLine>{action.waitS > 0 ? account.tooManyAttempts : action.failure}</FailureLine>
      <ActionButton waitS={action.waitS} busy={action.isPending} onClick={() => void verify()}>
        {label[info.kind]}
      </ActionButton>
    </>
  )
}
