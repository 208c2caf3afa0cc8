import { readExternalAuthClient, authorizeExternalAuth } from '@pennant/contract/external-auth.ts'
import { useQuery } from '@tanstack/react-query'
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

/** Consent page for another site. No data and no redirect before the team agrees. */
export function Component() {
  const { isSignedIn, team } = useOwnTeam()
  const [search] = useSearchParams()
  const id = search.get('client_id') ?? ''
  if (!isSignedIn) return <SignInFirst />
  if (id === '') return <Refused />
  return <Request key={id} id={id} team={team} />
}

type Team = ReturnType<typeof useOwnTeam>['team']

function Request({ id, team }: { readonly id: string; readonly team: Team }) {
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
  if (data && team) return <ConsentForm client={data} team={team} state={search.get('state')} />
  return (
    <AccountPage title={text.proceed}>
      <LoadState failure={failure}>
        <Skeleton rows={4} />
      </LoadState>
    </AccountPage>
  )
}

function Refused() {
  const text = useMessages(consentMessages)
  const errorText = useErrorText()
  return (
    <AccountPage title={text.refusedTitle}>
      <EmptyState action={<Link to={paths.home()}>{text.home}</Link>}>
        {errorText({ kind: 'badExternalAuthRequest', message: '' })}
      </EmptyState>
    </AccountPage>
  )
}

interface ConsentFormProps {
  readonly client: { readonly id: string; readonly name: string; readonly redirectUri: string }
  readonly team: { readonly name: string; readonly banned: boolean }
  readonly state: string | null
}

function ConsentForm({ client, team, state }: ConsentFormProps) {
  const text = useMessages(consentMessages)
  const action = useAction('once')
  const authorize = async () => {
    const body = { clientId: client.id, redirectUri: client.redirectUri, ...(state !== null && { state }) }
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
      <p>{text.grants(client.name)}</p>
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
        <Button onClick={() => location.assign(deniedAddress(client.redirectUri, state))}>
          {text.cancel}
        </Button>
      </div>
    </AccountPage>
  )
}
