import { readVerifyInfo, verifyV2 } from '@pennant/contract/accounts.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { AccountPage } from '../../account/account-page.tsx'
import { DeedButton } from '../../account/deed-button.tsx'
import { FailureLine } from '../../account/failure-line.tsx'
import { KeepToken } from '../../account/keep-token.tsx'
import { accountWords } from '../../account/words.ts'
import { ask, send } from '../../api/client.ts'
import { kindOf, RequestFailure } from '../../api/failure.ts'
import { useTrouble } from '../../api/use-failure.ts'
import { paths } from '../../paths.ts'
import { refresh } from '../../state/live.ts'
import { signIn } from '../../state/session.ts'
import { useWait } from '../../state/use-wait.ts'
import { useText } from '../../text/catalogue.ts'
import { useErrorText } from '../../text/errors.ts'
import { EmptyState, ErrorState } from '../../ui/states/messages.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { words } from './words.ts'

export function Component() {
  const text = useText(words)
  const [search, setSearch] = useSearchParams()
  // Kept in memory alone: out of the address, and of what the history would keep.
  const [token, setToken] = useState(search.get('token'))
  const linked = search.get('token')
  useEffect(() => {
    if (linked === null) return
    setToken(linked)
    setSearch({}, { replace: true })
  }, [linked, setSearch])
  if (token !== null) return <OpenedLink key={token} token={token} />
  return (
    <AccountPage title={text.title}>
      <EmptyState action={<Link to={paths.recover()}>{text.recover}</Link>}>{text.none}</EmptyState>
    </AccountPage>
  )
}

/** Tells what the token would do, which uses nothing up: a mail scanner that opens the link changes nothing. */
function OpenedLink({ token }: { readonly token: string }) {
  const text = useText(words)
  const errorText = useErrorText()
  const navigate = useNavigate()
  const [teamToken, setTeamToken] = useState<string | null>(null)
  const [isChanged, setChanged] = useState(false)
  const query = useQuery({
    queryKey: ['verify', token],
    queryFn: ({ signal }) => ask(readVerifyInfo, { query: { token } }, { signal }),
    ...refresh(null),
    gcTime: 0,
  })
  const { data } = query
  const { failure, retry } = useTrouble(query)
  if (teamToken !== null) {
    return <KeepToken token={teamToken} onDone={() => void navigate(paths.challenges(), { replace: true })} />
  }
  if (isChanged) {
    return (
      <AccountPage title={text.title}>
        <EmptyState action={<Link to={paths.ownTeam()}>{text.toTeam}</Link>}>{text.changed}</EmptyState>
      </AccountPage>
    )
  }
  const after = (
    <p>
      <Link to={paths.recover()}>{text.recover}</Link> · <Link to={paths.register()}>{text.register}</Link>
    </p>
  )
  if (kindOf(failure) === 'badTokenVerification') {
    return (
      <AccountPage title={text.title} after={after}>
        <EmptyState>{text.bad}</EmptyState>
      </AccountPage>
    )
  }
  return (
    <AccountPage title={text.title}>
      {data && (
        <Deed token={token} info={data} onTeamToken={setTeamToken} onChanged={() => setChanged(true)} />
      )}
      {failure instanceof RequestFailure && <ErrorState onRetry={retry}>{errorText(failure)}</ErrorState>}
      {!data && !failure && <Skeleton rows={3} />}
    </AccountPage>
  )
}

interface DeedProps {
  readonly token: string
  readonly info: {
    readonly kind: 'register' | 'team' | 'update'
    readonly email: string | null
    readonly name?: string | undefined
  }
  readonly onTeamToken: (teamToken: string) => void
  readonly onChanged: () => void
}

function Deed({ token, info, onTeamToken, onChanged }: DeedProps) {
  const text = useText(words)
  const account = useText(accountWords)
  const errorText = useErrorText('change')
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const wait = useWait()
  const [failure, setFailure] = useState<string>()
  const name = info.name ?? text.gone
  const email = info.email ?? ''
  const said = {
    register: text.create(name, email),
    team: text.signIn(name),
    update: text.change(name, email),
  }
  const deed = { register: text.createDeed, team: text.signInDeed, update: text.changeDeed }
  const press = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      const answer = await send(verifyV2, { body: { verifyToken: token } })
      if (answer.kind === 'goodEmailSet') return onChanged()
      if (answer.kind === 'goodVerify' || answer.kind === 'goodRegisterV2') signIn(answer.data.authToken)
      if (answer.kind === 'goodRegisterV2') return onTeamToken(answer.data.teamToken)
      if (answer.kind === 'goodVerify') return void navigate(paths.home(), { replace: true })
      if (!wait.begin(answer)) setFailure(errorText(answer))
    } catch {
      setFailure(account.noAnswer)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <p>{said[info.kind]}</p>
      <FailureLine>{wait.leftS > 0 ? account.tooFast : failure}</FailureLine>
      <DeedButton waitS={wait.leftS} busy={isBusy} onClick={() => void press()}>
        {deed[info.kind]}
      </DeedButton>
    </>
  )
}
