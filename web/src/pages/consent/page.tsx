import { readExternalAuthClient, authorizeExternalAuth } from '@pennant/contract/external-auth.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useSearchParams } from 'react-router'
import { AccountPage } from '../../account/account-page.tsx'
import { requestData, send } from '../../api/client.ts'
import { kindOf } from '../../api/failure.ts'
import { useOwnTeam } from '../../api/use-contest.ts'
import { useFailure } from '../../api/use-failure.ts'
import { SignInFirst } from '../../layout/states/sign-in-first.tsx'
import { LoadState } from '../../layout/states/load-state.tsx'
import { paths } from '../../paths.ts'
import { refresh } from '../../state/live.ts'
import { consentMessages } from '../../text/en/consent.ts'
import { useErrorText, useMessages } from '../../text/messages.ts'
import { EmptyState } from '../../ui/states/messages.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { ActionButton } from '../../account/action-button.tsx'
import { FailureLine } from '../../account/failure-line.tsx'
import { useAction } from '../../account/use-action.ts'
import styles from '../../account/account.module.css'
import { Button } from '../../ui/buttons/button.tsx'
import { deniedAddress } from './denied-address.ts'
import { openIdRequestIn } from './openid-request.ts'

/** Consent page for another site. No data and no redirect before the team agrees. */
export function Component() {
  const { isSignedIn, team } = useOwnTeam()
  const [search] = useSearchParams()
  const id = search.get('client_id') ?? ''
  // The site wants a response without a question, which there always is.
  const isSilent = search.get('prompt') === 'none'
  if (!isSignedIn && !isSilent) return <SignInFirst />
  if (id === '') return <Refused />
  return <Request key={id} id={id} team={team} isSignedIn={isSignedIn} />
}

interface RequestProps extends Pick<ReturnType<typeof useOwnTeam>, 'isSignedIn' | 'team'> {
  readonly id: string
}

function Request({ id, team, isSignedIn }: RequestProps) {
  const text = useMessages(consentMessages)
  const [search] = useSearchParams()
  const query = useQuery({
    queryKey: ['external-auth', id],
    queryFn: ({ signal }) => requestData(readExternalAuthClient, { params: { id } }, { signal }),
    ...refresh(null),
  })
  const { data } = query
  const failure = useFailure(query)
  if (kindOf(failure.error) === 'badExternalAuthRequest') return <Refused />
  // Compared byte for byte as on the server. The redirect goes to the client's registered URL, not to the one
  // in the link.
  if (data && data.redirectUri !== search.get('redirect_uri')) return <Refused />
  const openid = data?.issuer === undefined ? undefined : openIdRequestIn(search)
  if (openid === null) return <Refused text={text.openIdRefused} />
  if (data && openid && search.get('prompt') === 'none')
    return <Silent client={data} isSignedIn={isSignedIn} />
  if (data && team)
    return <ConsentForm client={data} openid={openid} team={team} state={search.get('state')} />
  return (
    <AccountPage title={text.proceed}>
      <LoadState failure={failure}>
        <Skeleton rows={4} />
      </LoadState>
    </AccountPage>
  )
}

function Refused({ text: reason }: { readonly text?: string }) {
  const text = useMessages(consentMessages)
  const errorText = useErrorText()
  return (
    <AccountPage title={text.refusedTitle}>
      <EmptyState action={<Link to={paths.home()}>{text.home}</Link>}>
        {reason ?? errorText({ kind: 'badExternalAuthRequest', message: '' })}
      </EmptyState>
    </AccountPage>
  )
}

interface Client {
  readonly id: string
  readonly name: string
  readonly redirectUri: string
  readonly issuer?: string | undefined
}

/** Returns at once with the reason: every sign-in asks here. */
function Silent({ client, isSignedIn }: { readonly client: Client; readonly isSignedIn: boolean }) {
  const text = useMessages(consentMessages)
  const [search] = useSearchParams()
  const error = isSignedIn ? 'consent_required' : 'login_required'
  const address = deniedAddress({ ...client, state: search.get('state'), error })
  useEffect(() => location.replace(address), [address])
  return <AccountPage title={text.title(client.name)}>{null}</AccountPage>
}

interface ConsentFormProps {
  readonly client: Client
  /** Of a site with OpenID Connect. */
  readonly openid: ReturnType<typeof openIdRequestIn> | undefined
  readonly team: { readonly name: string; readonly banned: boolean }
  readonly state: string | null
}

function ConsentForm({ client, openid, team, state }: ConsentFormProps) {
  const text = useMessages(consentMessages)
  const action = useAction('once')
  const authorize = async () => {
    const { id: clientId, redirectUri } = client
    const body = { clientId, redirectUri, ...(state !== null && { state }), ...(openid && { openid }) }
    const response = await action.run(() => send(authorizeExternalAuth, { body }))
    if (response) location.assign(response.data.redirectTo)
  }
  return (
    <AccountPage title={text.title(client.name)}>
      <p>{text.request(client.name)}</p>
      <p>
        {text.at} <b dir="ltr">{new URL(client.redirectUri).host}</b> {text.as}{' '}
        <b>
          <bdi>{team.name}</bdi>
        </b>
        .
      </p>
      <p>{openid ? text.learns(client.name, openid.scopes) : text.grants(client.name)}</p>
      <FailureLine>{team.banned ? text.banned : action.failure}</FailureLine>
      <div className={styles.actions}>
        <ActionButton
          waitS={action.waitS}
          busy={action.isPending}
          disabledBecause={team.banned ? text.banned : undefined}
          onClick={() => void authorize()}
        >
          {text.proceed}
        </ActionButton>
        <Button onClick={() => location.assign(deniedAddress({ ...client, state }))}>{text.cancel}</Button>
      </div>
    </AccountPage>
  )
}
